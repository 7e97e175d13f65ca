"""The envelope: a start marker and exactly one terminal event on every path (ENV-1, I1)."""

from collections.abc import AsyncIterator

import anyio
import pytest
from temporalio.client import Client

from jobsteward.kernel.errors import BudgetExceededError
from jobsteward.library import Library
from jobsteward.net import Outbound
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward_worker.activities.base import Workbench
from jobsteward_worker.blocking import BlockingPool
from jobsteward_worker.pool import WorkerPool, build_workers, open_pool
from jobsteward_worker.run_key import RunKey
from jobsteward_worker.spec import CONTROL_QUEUE
from jobsteward_worker.telemetry import Telemetry
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter
from tests.worker.facts import closed, events_of, readable_history, recorded_text, terminals_of

pytestmark = pytest.mark.anyio

BODIES = {
    "ok": (["ok"], RunStatus.SUCCEEDED, "WorkflowCompleted"),
    "fail": (["fail:configuration"], RunStatus.FAILED, "WorkflowFailed"),
    "bug": (["body-bug"], RunStatus.FAILED, "WorkflowFailed"),
    "again": (["again", "ok"], RunStatus.SUCCEEDED, "WorkflowCompleted"),
}


def is_running(execution: Execution) -> bool:
    return execution.status is RunStatus.RUNNING


class Halves:
    """Workers whose control half a test starts when it likes: a finalizer waits for it."""

    def __init__(self, business: WorkerPool, control_half: WorkerPool) -> None:
        self.business = business
        self.control = control_half


@pytest.fixture
async def halves(library: Library, client: Client) -> AsyncIterator[Halves]:
    """Business workers that run, and a control worker that does not yet."""
    async with Outbound() as outbound:
        blocking = BlockingPool(2)
        bench = Workbench(library, outbound, blocking)
        workers = build_workers(client, bench, WITH_PROBE, list(Lane))
        control_half = [worker for worker in workers if worker.task_queue == CONTROL_QUEUE]
        business = [worker for worker in workers if worker.task_queue != CONTROL_QUEUE]
        telemetry = Telemetry()
        pair = Halves(
            WorkerPool(business, telemetry, blocking),
            WorkerPool(control_half, telemetry, blocking),
        )
        pair.business.start()
        yield pair
        await pair.business.drain()
        await pair.control.drain()


async def finalizing(client: Client, execution: Execution) -> None:
    """Wait until the run's outcome waits for the control worker."""
    handle = client.get_workflow_handle(execution.workflow_id)
    with anyio.fail_after(15):
        while True:
            pending = (await handle.describe()).raw_description.pending_activities
            if any(p.activity_type.name == "record_workflow_outcome" for p in pending):
                return
            await anyio.sleep(0.02)


@pytest.mark.usefixtures("pool")
async def test_a_run_is_marked_enters_its_first_step_and_succeeds(
    library: Library, starter: Starter
) -> None:
    """ENV-1, ENV-2, ADM-5, OBS-1."""
    execution = await starter.until(await starter.run("probe", {"steps": ["ok", "ok"]}))
    run = execution.run
    assert run is not None
    assert run.status is RunStatus.SUCCEEDED
    assert run.result == {"done": 2, "failed": None}
    assert run.summary == {"stepCount": 2}
    stages = [run.startup[name] for name in ("worker_entry", "claim", "ready", "runtime_entry")]
    assert stages == sorted(stages)
    assert run.started_at == run.startup["first_step"]
    events = await events_of(library, execution.run_id)
    assert events["WorkflowStarted"] == 1
    assert events["WorkflowFirstStepEntered"] == 1
    assert await terminals_of(library, execution.run_id) == ["WorkflowCompleted"]


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("body", BODIES)
async def test_every_body_ends_once_and_alike_in_both_places(
    body: str, library: Library, client: Client, starter: Starter
) -> None:
    """ENV-1: a bug in the body fails the run instead of retrying for ever; a continued one
    stays one run."""
    steps, status, event = BODIES[body]
    execution = await starter.until(await starter.run("probe", {"steps": steps}))
    assert execution.status is status
    assert await closed(client, execution) is status
    assert await terminals_of(library, execution.run_id) == [event]


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("steps", [["sleep:60"], ["again", "sleep:60"]])
async def test_a_cancel_of_the_body_ends_it_canceled(
    steps: list[str], library: Library, client: Client, starter: Starter
) -> None:
    """ENV-1, P103: the cancel reaches the step that runs, long before it would end."""
    execution = await starter.run("probe", {"steps": steps})
    execution = await starter.until(execution, is_running)
    await client.get_workflow_handle(execution.workflow_id).cancel()
    execution = await starter.until(execution)
    assert execution.status is RunStatus.CANCELED
    assert await closed(client, execution) is RunStatus.CANCELED
    assert await terminals_of(library, execution.run_id) == ["WorkflowCanceled"]


@pytest.mark.parametrize("body", BODIES)
async def test_a_cancel_during_the_finalizer_changes_nothing(
    body: str, library: Library, client: Client, starter: Starter, halves: Halves
) -> None:
    """ENV-1: the stored outcome stands, and Temporal closes the run alike."""
    steps, status, event = BODIES[body]
    execution = await starter.run("probe", {"steps": steps})
    await finalizing(client, execution)
    handle = client.get_workflow_handle(execution.workflow_id)
    await handle.cancel()
    halves.control.start()
    execution = await starter.until(execution)
    assert execution.status is status
    assert await closed(client, execution) is status
    assert await terminals_of(library, execution.run_id) == [event]


async def test_a_cancel_before_the_first_task_ends_it_canceled(
    library: Library, client: Client, starter: Starter
) -> None:
    """ENV-1: it is marked and ended, and its body never begins."""
    execution = await starter.run("probe", {"steps": ["ok"]})
    await client.get_workflow_handle(execution.workflow_id).cancel()
    async with open_pool(client, library, WITH_PROBE, list(Lane)):
        execution = await starter.until(execution)
        assert await closed(client, execution) is RunStatus.CANCELED
    assert execution.status is RunStatus.CANCELED
    events = await events_of(library, execution.run_id)
    assert events["WorkflowStarted"] == 1
    assert events["WorkflowFirstStepEntered"] == 0


@pytest.mark.usefixtures("pool")
async def test_a_second_run_of_an_execution_ends_without_touching_it(
    library: Library, client: Client, starter: Starter
) -> None:
    """I2: the first run to be marked serves the execution; another one has no effect on it."""
    execution = await starter.admit("probe", {"steps": ["sleep:60"]})
    first = await starter.begin(execution, acknowledge=False)
    execution = await starter.until(execution, is_running)
    other = await starter.client.start_workflow(
        "ProbeWorkflow",
        args=[
            {
                "tenant_id": "local",
                "runtime": library.runtime,
                "execution_id": execution.execution_id,
            }
        ],
        id=f"{execution.workflow_id}-again",
        task_queue="jobsteward-interactive",
    )
    with pytest.raises(Exception, match="Workflow execution failed"):
        await other.result()
    assert await terminals_of(library, other.result_run_id) == ["WorkflowFailed"]
    execution = await starter.until(execution, lambda _: True)
    assert execution.run_id == first.result_run_id
    assert execution.status is RunStatus.RUNNING


@pytest.mark.usefixtures("pool")
async def test_a_failure_in_the_value_ends_failed(library: Library, starter: Starter) -> None:
    """REC-4."""
    execution = await starter.until(
        await starter.run("probe", {"steps": ["ok", "value:source_unavailable"]})
    )
    assert execution.run is not None
    assert execution.run.status is RunStatus.FAILED
    assert execution.run.error_code == "source_unavailable"
    assert await terminals_of(library, execution.run_id) == ["WorkflowFailed"]


@pytest.mark.usefixtures("pool")
async def test_no_exception_text_is_kept_anywhere(
    library: Library, client: Client, starter: Starter
) -> None:
    """ERR-2, TOP-2a: neither the event log nor Temporal's history has it."""
    for steps in (["bug"], ["body-bug"]):
        execution = await starter.until(await starter.run("probe", {"steps": steps, "attempts": 1}))
        assert execution.run is not None
        assert execution.run.error_code == "unclassified"
        history = await readable_history(starter.handle(execution))
        assert "unclassified" in history
        assert "secret" not in history
    assert "secret" not in await recorded_text(library)


async def test_a_run_over_budget_fails_before_its_first_step(
    library: Library, client: Client, starter: Starter
) -> None:
    """ENV-1: the spend check runs once, for spendful workflows only."""
    asked: list[RunKey] = []

    async def refuse(_library: Library, run: RunKey) -> None:
        asked.append(run)
        raise BudgetExceededError("the day's ceiling is reached; raise it or wait")

    async with open_pool(client, library, WITH_PROBE, list(Lane), spend_check=refuse):
        refused = await starter.until(await starter.run("spending_probe", {"steps": ["ok"]}))
        passed = await starter.until(await starter.run("probe", {"steps": ["ok"]}))
    assert passed.status is RunStatus.SUCCEEDED
    assert refused.run is not None
    assert (refused.run.status, refused.run.error_code) == (RunStatus.FAILED, "budget_exceeded")
    assert refused.run.started_at is None
    assert len(asked) == 1
