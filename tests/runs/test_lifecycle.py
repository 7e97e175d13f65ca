"""The facts of a run, as the worker and the reconciler record them (ENV-1..6, REC-1, REC-2)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from jobsteward.kernel.errors import DuplicateRunError
from jobsteward.runs import lifecycle, views
from jobsteward.runs.model import ExecutionState, Run, RunRef, RunStatus
from tests.support.admissions import Desk

pytestmark = pytest.mark.anyio

REF = RunRef("acme", "discover-acme", "run-1")


async def _record(desk: Desk, step: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    return await desk.database.write(
        lambda conn: step(conn, desk.log, *(arguments or (REF,)), **named)
    )


async def _started(desk: Desk, ref: RunRef = REF, group_id: str | None = None) -> None:
    await _record(
        desk,
        lifecycle.record_started,
        ref,
        workflow="DiscoverWorkflow",
        group_id=group_id,
        summary={"board": "globex"},
        startup={},
    )


async def _run(desk: Desk) -> Run:
    run = await desk.database.read(lambda conn: views.find_run(conn, REF))
    assert run is not None
    return run


async def test_each_step_is_recorded_once(desk: Desk) -> None:
    """ENV-4: activities retried after their commit add no event."""
    for _ in range(3):
        await _started(desk)
        await _record(desk, lifecycle.record_first_step, startup={}, entered_at="t")
        assert await _record(
            desk, lifecycle.record_outcome, REF, RunStatus.SUCCEEDED, result={"jobs": 2}
        )
    assert await desk.events("run", "run-1") == [
        "WorkflowStarted",
        "WorkflowFirstStepEntered",
        "WorkflowCompleted",
    ]
    assert (await _run(desk)).result == {"jobs": 2}


async def test_the_first_outcome_stands(desk: Desk) -> None:
    """ENV-6, I4: later outcomes learn which one it was and append nothing."""
    statuses = [RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELED, RunStatus.TIMED_OUT]
    told = [await _record(desk, lifecycle.record_outcome, REF, status) for status in statuses]
    assert told == [RunStatus.SUCCEEDED] * 4
    assert await desk.events("run", "run-1") == ["WorkflowCompleted"]


async def test_outcomes_at_once(desk: Desk) -> None:
    """I4: worker and reconciler end the same run in one moment: one terminal event."""
    statuses = [RunStatus.SUCCEEDED, RunStatus.FAILED] * 10
    told = await asyncio.gather(
        *(_record(desk, lifecycle.record_outcome, REF, status) for status in statuses)
    )
    assert len(set(told)) == 1
    assert len(await desk.events("run", "run-1")) == 1


async def test_a_second_run_of_one_execution_is_refused(desk: Desk) -> None:
    """I12: a duplicate start learns that another run serves the execution."""
    admitted = await desk.admit()
    group_id = admitted.execution.execution_id
    await _started(desk, group_id=group_id)
    other = RunRef("acme", "discover-acme", "run-2")
    with pytest.raises(DuplicateRunError):
        await _started(desk, other, group_id)
    assert await desk.start(admitted.execution, "run-2") == "run-1"
    assert await desk.events("run", "run-2") == []
    assert (await desk.find(admitted.execution)).run_id == "run-1"


async def test_the_marker_may_come_before_the_confirmation(desk: Desk) -> None:
    """ENV-2: the worker is faster than the API's bookkeeping, even to the end."""
    admitted = await desk.admit()
    await _started(desk, group_id=admitted.execution.execution_id)
    await _record(desk, lifecycle.record_outcome, REF, RunStatus.SUCCEEDED)
    assert await desk.start(admitted.execution, "run-1") == "run-1"
    found = await desk.find(admitted.execution)
    assert (found.state, found.status) == (ExecutionState.FINISHED, RunStatus.SUCCEEDED)


async def test_the_end_may_come_before_any_binding(desk: Desk) -> None:
    """ENV-6: a run whose marker knew no execution still ends the one that it served."""
    admitted = await desk.admit()
    await _record(desk, lifecycle.record_outcome, REF, RunStatus.FAILED, code="configuration")
    await desk.start(admitted.execution, "run-1")
    found = await desk.find(admitted.execution)
    assert (found.state, found.status) == (ExecutionState.FINISHED, RunStatus.FAILED)


async def test_not_found_is_provisional_and_said_once(desk: Desk) -> None:
    """REC-1: the run counts as terminated until it reappears."""
    admitted = await desk.admit()
    await desk.start(admitted.execution, "run-1")
    for _ in range(2):
        await _record(desk, lifecycle.record_not_found)
    assert (await _run(desk)).provisional
    assert await desk.events("run", "run-1") == ["WorkflowDispatched", "WorkflowTerminated"]
    assert (await desk.find(admitted.execution)).status is RunStatus.TERMINATED


async def test_a_run_that_reappears_is_reopened(desk: Desk) -> None:
    """REC-2: a marked recovery reopens run and execution; the true outcome then stands."""
    admitted = await desk.admit()
    await desk.start(admitted.execution, "run-1")
    await _record(desk, lifecycle.record_not_found)
    await _record(desk, lifecycle.record_recovered)
    found = await desk.find(admitted.execution)
    assert (found.state, found.status) == (ExecutionState.BOUND, RunStatus.PENDING)
    assert await _record(desk, lifecycle.record_outcome, REF, RunStatus.SUCCEEDED)
    assert (await desk.find(admitted.execution)).status is RunStatus.SUCCEEDED
    await _record(desk, lifecycle.record_recovered)
    assert (await _run(desk)).status is RunStatus.SUCCEEDED


async def test_a_true_outcome_replaces_a_provisional_one(desk: Desk) -> None:
    """REC-2: closed in the same pass: recovery and outcome are two events."""
    await _started(desk)
    await _record(desk, lifecycle.record_not_found)
    told = await _record(desk, lifecycle.record_outcome, REF, RunStatus.CANCELED)
    assert told is RunStatus.CANCELED
    assert (await desk.events("run", "run-1"))[-2:] == ["WorkflowStarted", "WorkflowCanceled"]


async def test_it_may_vanish_and_reappear_again(desk: Desk) -> None:
    """REC-1, REC-2: a second disappearance after a recovery is seen, and so is its return."""
    await _started(desk)
    for _ in range(2):
        await _record(desk, lifecycle.record_not_found)
        assert (await _run(desk)).provisional
        await _record(desk, lifecycle.record_recovered)
        assert not (await _run(desk)).provisional


async def test_not_found_never_replaces_a_true_end(desk: Desk) -> None:
    """REC-3: a real terminal that landed meanwhile is left alone."""
    await _record(desk, lifecycle.record_outcome, REF, RunStatus.SUCCEEDED)
    await _record(desk, lifecycle.record_not_found)
    assert await desk.events("run", "run-1") == ["WorkflowCompleted"]


async def test_cancellation_evidence_is_kept_apart(desk: Desk) -> None:
    """ENV-3: intent and history are facts of their own, each once; neither is an outcome."""
    for evidence in ("request_intent", "temporal_history", "request_intent"):
        await _record(
            desk, lifecycle.record_cancellation, evidence=evidence, requester="owner", source="api"
        )
    assert await desk.events("run", "run-1") == ["WorkflowCancellationRequested"] * 2
    assert (await _run(desk)).status is RunStatus.CANCEL_REQUESTED


async def test_open_runs_are_read_in_pages(desk: Desk) -> None:
    """REC-5: open and provisional runs in key order, from any point on; ended ones never."""

    def fill(conn: Connection) -> None:
        for number in range(10):
            ref = RunRef("acme", "wf", f"run-{number}")
            lifecycle.record_first_step(conn, desk.log, ref, startup={}, entered_at="t")
            if number % 3 == 0:
                lifecycle.record_outcome(conn, desk.log, ref, RunStatus.SUCCEEDED)
            if number % 3 == 1:
                lifecycle.record_not_found(conn, desk.log, ref)

    await desk.database.write(fill)
    seen: list[str] = []
    after = ("", "", "")
    while page := await desk.database.read(lambda conn: views.open_runs(conn, after, 2)):  # noqa: B023
        seen += [run.run_id for run in page]
        after = (page[-1].tenant_id, page[-1].workflow_id, page[-1].run_id)
    assert seen == [f"run-{number}" for number in range(10) if number % 3 != 0]


async def test_a_first_step_reported_after_the_end_adds_nothing(desk: Desk) -> None:
    """I5: a worker that was cut off may report late; the run has ended by then."""
    await _started(desk)
    await _record(desk, lifecycle.record_outcome, REF, RunStatus.FAILED)
    entered_at = "2026-01-01T10:00:00.000000Z"
    await _record(desk, lifecycle.record_first_step, REF, startup={}, entered_at=entered_at)
    assert await desk.events("run", "run-1") == ["WorkflowStarted", "WorkflowFailed"]
    assert (await _run(desk)).started_at is None
