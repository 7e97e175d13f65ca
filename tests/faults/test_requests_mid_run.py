"""Requests that must not get in, and tokens that must not any longer (F46, F47, F48)."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import Table, func, select
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import Lane, RunStatus
from jobsteward.runs.tables import EXECUTIONS, SCHEDULED_JOBS
from jobsteward.settings import Settings
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.pool import open_pool
from tests.support.api import Api, open_api
from tests.support.probe import WITH_PROBE

pytestmark = pytest.mark.anyio

API = "/api/v1"
EXECUTE = f"{API}/workflows/probe/execute"


@pytest.fixture
async def api(
    settings: Settings, temporal: EmbeddedTemporal, client: Client, library: Library
) -> AsyncIterator[Api]:
    """The application on the real Temporal, with workers of both lanes."""
    there = {"temporal_address": temporal.address, "temporal_namespace": temporal.namespace}
    async with (
        open_api(settings.model_copy(update=there), WITH_PROBE) as opened,
        open_pool(client, library, WITH_PROBE, list(Lane)),
    ):
        yield opened


async def rows(library: Library, table: Table) -> int | None:
    """How many rows the table has."""
    statement = select(func.count()).select_from(table)
    return await library.database.read(lambda conn: conn.scalar(statement))


@pytest.mark.parametrize("kilobytes", [300, 2200, 5000])
async def test_large_inputs_end_at_the_door(kilobytes: int, api: Api, library: Library) -> None:
    """F47, ADM-6: 413 before anything is stored; Temporal never sees them."""
    async with api.http(api.secret("agent.token")) as http:
        body = {"inputs": {"steps": [], "name": "x" * kilobytes * 1000}}
        answer = await http.post(EXECUTE, json=body)
    assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large")
    assert await rows(library, EXECUTIONS) == await rows(library, SCHEDULED_JOBS) == 0


@pytest.mark.parametrize("steps", [7, ["ok", 7], None, {"0": "ok"}])
async def test_inputs_of_a_wrong_type_never_become_a_run(
    steps: object, api: Api, library: Library
) -> None:
    """F46, ADM-6: what would poison a workflow is a 422 and leaves no row."""
    async with api.http(api.secret("agent.token")) as http:
        answer = await http.post(EXECUTE, json={"inputs": {"steps": steps}})
    assert answer.status_code == 422
    assert await rows(library, EXECUTIONS) == 0


async def test_a_token_revoked_mid_run_ends_its_calls_not_its_work(api: Api) -> None:
    """F48, SEC-1: 401 from the next call on; what it had started finishes."""
    async with api.http(api.secret("owner.token")) as owner, api.agent() as agent:
        asked = {"name": "short-lived", "scopes": ["read", "run", "approve"]}
        made = (await owner.post(f"{API}/tokens", json=asked)).json()
        async with api.http(made["secret"]) as http:
            steps = {"inputs": {"steps": ["sleep:0.5", "ok"]}}
            execution_id = (await http.post(EXECUTE, json=steps)).json()["execution_id"]
            await owner.delete(f"{API}/tokens/{made['token_id']}")
            path = f"{API}/workflow-runs/{execution_id}"
            decision = {"gate_id": "gate_1", "decision": "approve"}
            refused = [
                await http.get(path),
                await http.post(EXECUTE, json=steps),
                await http.post(f"{path}/cancel", json={}),
                await http.post(f"{path}/decisions", json=decision),
            ]
        assert [answer.status_code for answer in refused] == [401] * 4
        ended = await agent.get_run(execution_id, wait=30)
    assert ended.status is RunStatus.SUCCEEDED
