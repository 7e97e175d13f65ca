"""The reconciler: our record follows Temporal's truth, once and in bounded time (REC-1..5)."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import anyio
import pytest
from temporalio import workflow
from temporalio.api.workflowservice.v1 import DescribeWorkflowExecutionResponse
from temporalio.client import Client
from temporalio.worker import UnsandboxedWorkflowRunner, Worker

from jobsteward.kernel.errors import StorageError
from jobsteward.library import Library
from jobsteward.runs import lifecycle
from jobsteward.runs.model import Execution, Lane, RunRef, RunStatus
from jobsteward_worker.observed import Open, TemporalRuns
from jobsteward_worker.pool import open_pool
from jobsteward_worker.reconciler import PARALLEL, Reconciler
from jobsteward_worker.spec import workflow_queue
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter
from tests.worker.facts import closed, events_of, terminals_of

pytestmark = pytest.mark.anyio

QUEUE = workflow_queue(Lane.INTERACTIVE)


@pytest.fixture
def reconciler(client: Client, library: Library) -> Reconciler:
    return Reconciler(client, library)


async def until_reconciled(
    reconciler: Reconciler, starter: Starter, execution: Execution, status: RunStatus
) -> Execution:
    """Passes until the run shows the status; Temporal needs a moment to fail tasks."""
    with anyio.fail_after(60):
        while True:
            await reconciler.run_once()
            found = await starter.until(execution, lambda _: True)
            if found.status is status:
                return found
            await anyio.sleep(0.2)


async def until_stuck(
    reconciler: Reconciler, starter: Starter, execution: Execution, stuck: bool
) -> Execution:
    with anyio.fail_after(60):
        while True:
            await reconciler.run_once()
            found = await starter.until(execution, lambda _: True)
            if found.run is not None and found.run.stuck is stuck:
                return found
            await anyio.sleep(0.2)


async def ghost(library: Library, execution: Execution, run_id: str) -> None:
    """A run that we believe in and Temporal does not know."""
    ref = RunRef("local", execution.workflow_id, run_id)
    await library.database.write(
        lambda conn: lifecycle.record_dispatched(
            conn,
            library.log,
            ref,
            group_id=execution.group_id,
            workflow="probe",
            startup={},
        )
    )


async def test_a_run_terminated_before_its_first_task_ends(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-1: it never left a marker; the acknowledgement's row is what is found."""
    execution = await starter.run("probe", {})
    execution = await starter.until(execution, lambda found: found.run is not None)
    await starter.handle(execution).terminate()
    execution = await until_reconciled(reconciler, starter, execution, RunStatus.TERMINATED)
    await reconciler.run_once()
    assert await terminals_of(library, execution.run_id) == ["WorkflowTerminated"]


@pytest.mark.usefixtures("pool")
async def test_a_run_terminated_at_work_ends_as_temporal_says(
    starter: Starter, reconciler: Reconciler
) -> None:
    """REC-1: on this path no finalizer can run."""
    execution = await starter.run("probe", {"steps": ["sleep:60"]})
    await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    execution = await starter.until(execution, lambda found: found.run_id is not None)
    await starter.handle(execution).terminate()
    execution = await until_reconciled(reconciler, starter, execution, RunStatus.TERMINATED)
    assert execution.run is not None and execution.run.ended_at is not None


async def test_a_run_that_timed_out_ends_so(starter: Starter, reconciler: Reconciler) -> None:
    """REC-1: Temporal closes it without asking any worker."""
    execution = await starter.admit("probe", {})
    await starter.begin(execution, run_timeout=timedelta(seconds=1))
    await until_reconciled(reconciler, starter, execution, RunStatus.TIMED_OUT)


async def test_a_run_that_temporal_does_not_know_ends_provisionally_once(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-1."""
    execution = await starter.admit("probe", {"steps": ["ok"]})
    await ghost(library, execution, "00000000-0000-4000-8000-000000000001")
    await reconciler.run_once()
    await reconciler.run_once()
    found = await starter.until(execution)
    assert found.run is not None
    assert (found.status, found.run.provisional) == (RunStatus.TERMINATED, True)
    assert await terminals_of(library, found.run_id) == ["WorkflowTerminated"]
    assert reconciler.actions == {"not_found": 1}


@pytest.mark.parametrize("has_closed", [False, True], ids=["still open", "closed meanwhile"])
async def test_a_run_that_reappears_is_a_marked_recovery(
    has_closed: bool, library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-2: and where it has closed, the same pass gives it its true outcome."""
    execution = await starter.run("probe", {"steps": ["ok"]})
    execution = await starter.until(execution, lambda found: found.run is not None)
    ref = RunRef("local", execution.workflow_id, execution.run_id or "")
    await library.database.write(lambda conn: lifecycle.record_not_found(conn, library.log, ref))
    assert (await starter.until(execution)).status is RunStatus.TERMINATED
    if has_closed:
        await starter.handle(execution).terminate()
    await reconciler.run_once()
    found = await starter.until(execution, lambda _: True)
    assert found.run is not None and not found.run.provisional
    assert found.status is (RunStatus.TERMINATED if has_closed else RunStatus.PENDING)
    assert (await events_of(library, ref.run_id))["WorkflowStarted"] == 1


async def test_a_paused_run_is_left_alone() -> None:
    """REC-1: a state that the SDK does not know breaks neither this row nor another."""
    answer = DescribeWorkflowExecutionResponse()
    answer.workflow_execution_info.status = 8  # type: ignore[assignment]

    class Service:
        async def describe_workflow_execution(
            self, _request: object, **_how: object
        ) -> DescribeWorkflowExecutionResponse:
            return answer

    class Paused:
        namespace = "any"
        workflow_service = Service()

    runs = TemporalRuns(Paused())  # type: ignore[arg-type]
    assert await runs.observe(RunRef("local", "probe", "run")) == Open(0, False)


@pytest.mark.usefixtures("pool")
async def test_open_and_continued_runs_are_left_alone(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-1: a run that continued as new is still the same open run."""
    execution = await starter.run("probe", {"steps": ["again", "sleep:60"]})
    execution = await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    await reconciler.run_once()
    assert await terminals_of(library, execution.run_id) == []
    await starter.client.get_workflow_handle(execution.workflow_id).terminate()
    execution = await until_reconciled(reconciler, starter, execution, RunStatus.TERMINATED)
    assert await terminals_of(library, execution.run_id) == ["WorkflowTerminated"]


@pytest.mark.usefixtures("pool")
async def test_a_cancel_that_temporal_knows_is_noted_beside_the_intent(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """ENV-3: the history's evidence is a fact of its own, once."""
    execution = await starter.run("probe", {"steps": ["sleep:60"]})
    execution = await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    await starter.handle(execution).cancel()
    execution = await starter.until(execution)
    await reconciler.run_once()
    events = await events_of(library, execution.run_id)
    assert events["WorkflowCancellationRequested"] == 1
    assert await terminals_of(library, execution.run_id) == ["WorkflowCanceled"]


@pytest.mark.slow
@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize(
    ("workflow_type", "argument"),
    [("ProbeWorkflow", "not a start"), ("ProbeWorkflow", b"\x00\x01"), ("NoSuchWorkflow", None)],
    ids=["argument", "payload", "type"],
)
async def test_poison_fails_within_a_minute(
    workflow_type: str,
    argument: object,
    library: Library,
    client: Client,
    starter: Starter,
    reconciler: Reconciler,
) -> None:
    """F46, REC-1: what no code can begin is made to fail instead of being retried for ever."""
    execution = await starter.admit("probe", {})
    began = time.monotonic()
    handle = await client.start_workflow(
        workflow_type, argument, id=execution.workflow_id, task_queue=QUEUE
    )
    await ghost(library, execution, handle.result_run_id or "")
    execution = await until_reconciled(reconciler, starter, execution, RunStatus.FAILED)
    assert time.monotonic() - began < 60
    assert execution.run is not None and execution.run.error_code == "poison"
    assert await terminals_of(library, execution.run_id) == ["WorkflowFailed"]


@workflow.defn(name="ProbeWorkflow")
class OtherCode:
    """What a bad deployment would run in place of the probe."""

    @workflow.run
    async def run(self, _start: object) -> None:
        await workflow.sleep(3600)


@asynccontextmanager
async def bad_deployment(client: Client) -> AsyncIterator[None]:
    """A worker whose code does not fit the history."""
    async with Worker(
        client,
        task_queue=QUEUE,
        workflows=[OtherCode],
        workflow_runner=UnsandboxedWorkflowRunner(),
    ):
        yield


@pytest.mark.slow
async def test_non_determinism_is_stuck_until_the_code_is_put_right(
    library: Library, client: Client, starter: Starter, reconciler: Reconciler
) -> None:
    """F44, REC-1: flagged, never failed; the right code completes it and clears the flag."""
    async with open_pool(client, library, WITH_PROBE, list(Lane)):
        execution = await starter.run("probe", {"steps": ["park:awaiting_approval"]})
        execution = await starter.until(
            execution, lambda found: found.status is RunStatus.AWAITING_APPROVAL
        )
    async with bad_deployment(client):
        await starter.handle(execution).signal("wake")
        execution = await until_stuck(reconciler, starter, execution, True)
        assert execution.run is not None and execution.run.error_code == "non_determinism"
        assert not execution.is_terminal
    async with open_pool(client, library, WITH_PROBE, list(Lane)):
        execution = await until_stuck(reconciler, starter, execution, False)
        assert not execution.is_terminal
        await starter.handle(execution).cancel()
        assert (await starter.until(execution)).status is RunStatus.CANCELED


async def test_one_unreadable_row_does_not_stop_the_others(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-5: an id that Temporal refuses to look up is skipped."""
    broken = await starter.admit("probe", {})
    await ghost(library, broken, "not-a-run-id")
    execution = await starter.run("probe", {"name": "other"})
    execution = await starter.until(execution, lambda found: found.run is not None)
    await starter.handle(execution).terminate()
    execution = await until_reconciled(reconciler, starter, execution, RunStatus.TERMINATED)
    assert not (await starter.until(broken, lambda _: True)).is_terminal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("steps", "status", "code"),
    [
        (["ok"], RunStatus.SUCCEEDED, None),
        (["value:source_unavailable"], RunStatus.FAILED, "source_unavailable"),
        (["fail:missing_input"], RunStatus.FAILED, "missing_input"),
    ],
    ids=["succeeded", "failed in the value", "failed"],
)
async def test_an_outcome_that_storage_refused_is_written_later(
    steps: list[str],
    status: RunStatus,
    code: str | None,
    library: Library,
    client: Client,
    starter: Starter,
    reconciler: Reconciler,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """REC-1, REC-4: all five attempts failed; Temporal's own account is what is left."""

    def refuse(*_: object, **__: object) -> RunStatus:
        raise StorageError("the disk is away; bring it back")

    with monkeypatch.context() as patch:
        patch.setattr(lifecycle, "record_outcome", refuse)
        async with open_pool(client, library, WITH_PROBE, list(Lane)):
            execution = await starter.run("probe", {"steps": steps})
            execution = await starter.until(execution, lambda found: found.run_id is not None)
            await closed(client, execution, within=60)
    assert await terminals_of(library, execution.run_id) == []
    execution = await until_reconciled(reconciler, starter, execution, status)
    assert execution.run is not None and execution.run.error_code == code
    if code != "missing_input":
        assert execution.run.result is not None and "done" in execution.run.result
    assert len(await terminals_of(library, execution.run_id)) == 1


@pytest.mark.slow
async def test_thousands_of_rows_are_done_in_bounded_time(
    library: Library, starter: Starter, reconciler: Reconciler
) -> None:
    """REC-5."""
    execution = await starter.admit("probe", {})
    await ghost(library, execution, "00000000-0000-4000-8000-000000000000")
    refs = [
        RunRef("local", f"probe-{number}", f"00000000-0000-4000-8000-{number:012d}")
        for number in range(1, 2001)
    ]
    events = [lifecycle.run_event(ref, "WorkflowDispatched", "dispatched") for ref in refs]
    await library.database.write(lambda conn: library.log.append_all(conn, events))
    began = time.monotonic()
    await reconciler.run_once()
    await reconciler.run_once()
    assert time.monotonic() - began < 60
    assert reconciler.actions["not_found"] == 2001
    assert PARALLEL == 20
