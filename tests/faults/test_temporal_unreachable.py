"""Temporal refuses, swallows or loses what it is sent: work is taken in and runs once (F18-F24)."""

import time
from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward.runs.views import find_execution
from jobsteward.runs.wire import RunView
from jobsteward.settings import Settings
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.connect import connect
from jobsteward_worker.pool import open_pool
from tests.faults.proxy import Line, Proxy, open_proxy
from tests.support.api import Api, open_api
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter
from tests.worker.facts import closed, events_of, eventually, terminals_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

RECEIPT_WITHIN = 0.15
"""Seconds a receipt may take while Temporal does not answer; it never waits for Temporal."""
CALLS = 20
STEPS: dict[str, Any] = {"steps": []}
"""Quick steps alone, which the API process runs by itself."""


@pytest.fixture
async def proxy(temporal: EmbeddedTemporal) -> AsyncIterator[Proxy]:
    """The line to Temporal."""
    async with open_proxy(temporal.address) as opened:
        yield opened


@pytest.fixture
async def api(
    settings: Settings, temporal: EmbeddedTemporal, proxy: Proxy, client: Client
) -> AsyncIterator[Api]:
    """The application, whose Temporal is behind the proxy, once it is connected."""
    assert client.namespace == temporal.namespace
    behind = {"temporal_address": proxy.address, "temporal_namespace": temporal.namespace}
    async with open_api(settings.model_copy(update=behind), WITH_PROBE) as opened:
        await connected(opened, True)
        yield opened


async def connected(api: Api, wanted: bool, within: float = 30.0) -> None:
    """Wait until the application says so of its Temporal."""
    async with api.http() as http:
        with anyio.fail_after(within):
            while True:
                if (await http.get("/readyz")).json()["temporal"] is wanted:
                    return
                await anyio.sleep(0.05)


async def finished(api: Api, execution_id: str, within: float = 60.0) -> RunView:
    """The run once it has ended."""
    async with api.agent() as agent:
        with anyio.fail_after(within):
            while True:
                run = await agent.get_run(execution_id, wait=5)
                if run.terminal:
                    return run


@pytest.mark.parametrize("line", [Line.REFUSED, Line.BLACK_HOLE, Line.DEAF])
async def test_work_is_taken_in_without_temporal_and_runs_once_it_is_back(
    line: Line, api: Api, proxy: Proxy, client: Client
) -> None:
    """F18, F19, ADM-1, ADM-2, ADM-11: receipts at once, `degraded`, and one run each later.

    On a deaf line starts do reach Temporal, but no answer comes back: uncertain, not failed.
    """
    await proxy.cut(line)
    made: list[str] = []
    took: list[float] = []
    async with api.agent() as agent:
        for number in range(CALLS):
            began = time.perf_counter()
            receipt = await agent.execute("probe", STEPS, idempotency_key=f"k{number}")
            took.append(time.perf_counter() - began)
            made.append(receipt.execution_id)
        run = await agent.get_run(made[0])
    assert run.status in {RunStatus.PENDING, RunStatus.RUNNING}
    assert sorted(took)[CALLS // 2] < RECEIPT_WITHIN
    await connected(api, False)
    await proxy.heal()
    for execution_id in made:
        ended = await finished(api, execution_id)
        assert ended.status is RunStatus.SUCCEEDED
        assert await terminals_of(api.services.library, ended.run_id) == ["WorkflowCompleted"]
        description = await client.get_workflow_handle(f"probe-{execution_id}").describe()
        assert description.run_id == ended.run_id
    await connected(api, True)


async def test_an_api_cut_off_from_temporal_tells_what_the_worker_writes(
    api: Api, proxy: Proxy, starter: Starter, client: Client
) -> None:
    """F23: the last known state with its time; within 30 s after the cut the truth."""
    library = api.services.library
    async with open_pool(client, library, WITH_PROBE, [Lane.BACKGROUND]), api.agent() as agent:
        receipt = await agent.execute("probe", {"steps": ["sleep:2"]}, priority=0)
        execution = await found(starter, receipt.execution_id)
        await starter.until(execution, lambda seen: seen.status is RunStatus.RUNNING)
        await proxy.cut(Line.BLACK_HOLE)
        await agent.execute("probe", STEPS)  # nothing else would notice the cut
        seen = await agent.get_run(receipt.execution_id)
        assert seen.status is RunStatus.RUNNING
        assert seen.as_of > (seen.started_at or "")
        await connected(api, False)
        await proxy.heal()
        ended = await finished(api, receipt.execution_id, within=30)
    assert ended.status is RunStatus.SUCCEEDED


async def test_a_worker_cut_off_after_its_step_repeats_nothing_that_is_stored(
    library: Library, temporal: EmbeddedTemporal, starter: Starter, client: Client, proxy: Proxy
) -> None:
    """F24, F16, I4: its report is lost and the step comes again; back on the line, its late
    report changes nothing, and it goes on working."""
    cut_off = await client_of_line(proxy, temporal, library.settings)
    execution = await starter.admit("probe", {"steps": ["sleep:1"], "attempts": 5}, priority=0)
    async with open_pool(cut_off, library, WITH_PROBE, [Lane.BACKGROUND]) as lost:
        await starter.begin(execution)
        execution = await starter.until(execution, lambda seen: lost.telemetry.active().total() > 0)
        await proxy.cut(Line.BLACK_HOLE)
        await eventually(lambda: lost.telemetry.active().total() == 0, 30)
        # Temporal gives nothing more to the polls of a connection that is closed.
        await proxy.cut(Line.REFUSED)
        async with open_pool(client, library, WITH_PROBE, [Lane.BACKGROUND]):
            execution = await starter.until(execution, within=60)
            assert await closed(client, execution, within=45) is RunStatus.SUCCEEDED
        before = await events_of(library, execution.run_id)
        await proxy.heal()
        later = await starter.run("probe", {"steps": ["ok"]}, priority=0)
        assert (await starter.until(later, within=60)).status is RunStatus.SUCCEEDED
        assert await events_of(library, execution.run_id) == before
    assert execution.status is RunStatus.SUCCEEDED
    assert await terminals_of(library, execution.run_id) == ["WorkflowCompleted"]
    events = await events_of(library, execution.run_id)
    assert (events["WorkflowStarted"], events["WorkflowFirstStepEntered"]) == (1, 1)


async def found(starter: Starter, execution_id: str) -> Execution:
    """The stored request."""
    execution = await starter.library.database.read(
        lambda conn: find_execution(conn, "local", execution_id)
    )
    assert execution is not None
    return execution


async def client_of_line(proxy: Proxy, temporal: EmbeddedTemporal, settings: Settings) -> Client:
    """A client whose calls go through the proxy."""
    update = {"temporal_address": proxy.address, "temporal_namespace": temporal.namespace}
    return await connect(settings.model_copy(update=update))
