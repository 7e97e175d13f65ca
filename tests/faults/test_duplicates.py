"""The same thing delivered twice: starts, claims, decisions, terminals (seed cases, F09, F25)."""

from collections.abc import AsyncIterator
from datetime import timedelta

import anyio
import anyio.lowlevel
import pytest
from sqlalchemy import update
from temporalio.client import Client

from jobsteward.client import ApiClient
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConflictError, KeyReusedError, NotFoundError
from jobsteward.library import Library
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward.runs.outbox import EXECUTION_START
from jobsteward.runs.tables import SCHEDULED_JOBS
from jobsteward.settings import Settings
from jobsteward_server.dispatcher import Dispatcher
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.activities.control import Unobserved
from jobsteward_worker.pool import open_pool
from tests.support.api import Api, open_api
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter
from tests.worker.facts import events_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def workers(client: Client, library: Library) -> AsyncIterator[None]:
    """Workers of both lanes in this process."""
    async with open_pool(client, library, WITH_PROBE, list(Lane)):
        yield


@pytest.fixture
async def api(settings: Settings, temporal: EmbeddedTemporal, client: Client) -> AsyncIterator[Api]:
    """The application on the real Temporal."""
    assert client.namespace == temporal.namespace
    there = {"temporal_address": temporal.address, "temporal_namespace": temporal.namespace}
    async with open_api(settings.model_copy(update=there), WITH_PROBE) as opened:
        yield opened


def dispatcher(library: Library, client: Client) -> Dispatcher:
    """The dispatcher of one API process."""
    made = Dispatcher(library, WITH_PROBE, Unobserved())
    made.client = client
    return made


async def due_again(library: Library, execution: Execution) -> None:
    """Put the start's envelope back, unclaimed, as if nobody had confirmed it."""
    statement = (
        update(SCHEDULED_JOBS)
        .where(SCHEDULED_JOBS.c.job_id == f"{EXECUTION_START}:{execution.execution_id}")
        .values(
            status="pending",
            execute_at=timestamp(utc_now() - timedelta(seconds=1)),
            claim_token=None,
            claimed_until=None,
        )
    )
    await library.database.write(lambda conn: conn.execute(statement))


async def runs_of(client: Client, execution: Execution) -> str:
    """The newest run that Temporal has for the execution."""
    return (await client.get_workflow_handle(execution.workflow_id).describe()).run_id


@pytest.mark.usefixtures("workers")
async def test_a_start_that_was_completed_long_ago_is_confirmed_not_repeated(
    library: Library, client: Client, starter: Starter
) -> None:
    """Seed case, completed duplicate start (WID-1, ADM-1): same run, no event twice."""
    execution = await starter.run("probe", {"steps": ["ok"]})
    execution = await starter.until(execution)
    before = await events_of(library, execution.run_id)
    await due_again(library, execution)
    assert await dispatcher(library, client)._recover_once() == 1
    assert await dispatcher(library, client)._recover_once() == 0
    assert await runs_of(client, execution) == execution.run_id
    assert await events_of(library, execution.run_id) == before


@pytest.mark.usefixtures("workers")
async def test_a_start_whose_run_ended_unseen_is_bound_to_that_run(
    library: Library, client: Client, starter: Starter
) -> None:
    """ENV-2, F03: the run began and ended before anybody stored that it was started."""
    execution = await starter.admit("probe", {"steps": []})
    handle = await starter.begin(execution, acknowledge=False)
    await handle.result()
    assert await dispatcher(library, client)._recover_once() == 1
    execution = await starter.until(execution)
    assert execution.run_id == handle.result_run_id
    events = await events_of(library, execution.run_id)
    assert (events["WorkflowDispatched"], events["WorkflowCompleted"]) == (1, 1)


@pytest.mark.usefixtures("workers")
async def test_two_processes_that_deliver_the_same_start_make_one_run(
    library: Library, client: Client, starter: Starter
) -> None:
    """Seed case, lost claims (ADM-1): the first one hangs, its claim lapses, both deliver."""
    execution = await starter.admit("probe", {"steps": ["ok"]})
    slow, quick = dispatcher(library, client), dispatcher(library, client)
    async with anyio.create_task_group() as group:
        group.start_soon(slow._recover_once)
        await anyio.lowlevel.checkpoint()
        for _ in range(3):
            await due_again(library, execution)
            group.start_soon(quick._recover_once)
    execution = await starter.until(execution)
    assert execution.status is RunStatus.SUCCEEDED
    assert await runs_of(client, execution) == execution.run_id
    events = await events_of(library, execution.run_id)
    assert (events["WorkflowDispatched"], events["WorkflowStarted"]) == (1, 1)


@pytest.mark.usefixtures("workers")
async def test_a_key_keeps_its_arguments_after_the_end(api: Api) -> None:
    """Seed case, idempotency conflict (ADM-3): also once its run has ended in Temporal."""
    async with api.agent() as agent:
        first = await agent.execute("probe", {"steps": []}, idempotency_key="k")
        assert (await agent.get_run(first.execution_id, wait=30)).terminal
        again = await agent.execute("probe", {"steps": []}, idempotency_key="k")
        with pytest.raises(KeyReusedError) as refused:
            await agent.execute("probe", {"steps": ["ok"]}, idempotency_key="k")
    assert again.replayed
    assert again.execution_id == refused.value.execution_id == first.execution_id


@pytest.mark.usefixtures("workers")
async def test_a_decision_that_comes_twice_decides_once(library: Library, api: Api) -> None:
    """Seed case, duplicate decision (ADM-9): the second gate still waits for its own."""
    steps = ["park:awaiting_approval", "park:awaiting_approval"]
    async with api.agent() as agent, api.owner() as owner:
        made = (await agent.execute("probe", {"steps": steps})).execution_id
        first = await agent.get_run(made, wait=30)
        decision = {"gate_id": first.metadata.gate_id, "decision": "approve"}
        assert not (await owner.decide(made, decision)).replayed
        assert (await owner.decide(made, decision)).replayed
        second = await another_gate(agent, made, str(first.metadata.gate_id))
        assert (await owner.decide(made, decision)).replayed
        with pytest.raises(ConflictError):
            await owner.decide(made, {**decision, "decision": "reject"})
        assert (await agent.get_run(made)).status is RunStatus.AWAITING_APPROVAL
        await owner.decide(made, {"gate_id": second, "decision": "approve"})
        with anyio.fail_after(30):  # a parked run answers a wait at once
            while True:
                ended = await agent.get_run(made, wait=5)
                if ended.terminal:
                    break
                await anyio.sleep(0.05)
    assert ended.status is RunStatus.SUCCEEDED
    events = await events_of(library, ended.run_id)
    assert (events["WorkflowParked"], events["WorkflowResumed"]) == (2, 2)


async def another_gate(agent: ApiClient, made: str, earlier: str) -> str:
    """The gate that is open now, once it is not the earlier one any more."""
    with anyio.fail_after(30):
        while True:
            gate_id = (await agent.get_run(made)).metadata.gate_id
            if gate_id not in {None, earlier}:
                return str(gate_id)
            await anyio.sleep(0.05)


@pytest.mark.usefixtures("workers")
async def test_another_tenant_can_neither_see_nor_stop_nor_decide(api: Api) -> None:
    """Seed case, tenant boundaries (I11, S16): every way to a foreign run ends in 404."""
    secret = await api.tenant("harbour", ("read", "run", "approve"))
    async with api.agent() as agent, api.http(secret) as stranger:
        steps = {"steps": ["park:awaiting_approval"]}
        made = (await agent.execute("probe", steps)).execution_id
        run = await agent.get_run(made, wait=30)
        decision = {"gate_id": run.metadata.gate_id, "decision": "approve"}
        for any_id in (made, run.run_id):
            path = f"/api/v1/workflow-runs/{any_id}"
            answers = [
                await stranger.get(path),
                await stranger.get(f"{path}/why"),
                await stranger.get(f"{path}/events"),
                await stranger.post(f"{path}/cancel", json={}),
                await stranger.post(f"{path}/decisions", json=decision),
            ]
            assert [answer.status_code for answer in answers] == [404] * 5
        assert (await stranger.get("/api/v1/workflow-runs")).json()["items"] == []
        with pytest.raises(NotFoundError):
            await agent.get_run("exe_" + "0" * 32)
        assert (await agent.get_run(made)).status is RunStatus.AWAITING_APPROVAL
