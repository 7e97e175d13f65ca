"""Cancelling is stored first and reaches a run only from its last holder (ADM-8)."""

import asyncio
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest

from jobsteward.runs import outbox
from jobsteward.runs.model import CancelOutcome, ExecutionState, RunStatus
from tests.support.admissions import Desk

pytestmark = pytest.mark.anyio


async def _job_types(desk: Desk) -> list[tuple[str, str]]:
    return [(job.job_type, job.status) for job in await desk.jobs()]


async def test_before_anything_was_sent(desk: Desk) -> None:
    """A waiting execution ends canceled at once, with no run and no delivery."""
    first = await desk.admit()
    waiting = await desk.admit(fingerprint="f2")
    assert await desk.cancel(waiting.execution, "changed my mind") is CancelOutcome.CANCEL_REQUESTED
    found = await desk.find(waiting.execution)
    assert (found.state, found.status) == (ExecutionState.CLOSED, RunStatus.CANCELED)
    assert found.run_id is None
    assert ("execution_start", "dropped") in await _job_types(desk)
    assert await desk.events("execution", found.execution_id) == [
        "ExecutionAccepted",
        "ExecutionCancelStored",
        "ExecutionClosed",
    ]
    assert (await desk.find(first.execution)).status is RunStatus.PENDING


async def test_while_its_start_may_be_under_way(desk: Desk) -> None:
    """A claimed envelope may have made a run: the request is stored and delivered after it."""
    admitted = await desk.admit()
    assert await desk.cancel(admitted.execution) is CancelOutcome.CANCEL_REQUESTED
    found = await desk.find(admitted.execution)
    assert (found.state, found.status) == (ExecutionState.READY, RunStatus.CANCEL_REQUESTED)
    assert sorted(await _job_types(desk)) == [
        ("execution_cancel", "pending"),
        ("execution_start", "pending"),
    ]


async def test_after_an_uncertain_start(desk: Desk) -> None:
    """An attempt that failed may still have made a run, so its cancel is delivered too."""
    admitted = await desk.admit()
    job_id = f"execution_start:{admitted.execution.execution_id}"
    await desk.database.write(
        lambda conn: outbox.release(
            conn, job_id, "claim-1", error="timeout", delay=timedelta(seconds=1)
        )
    )
    await desk.cancel(admitted.execution)
    assert ("execution_cancel", "pending") in await _job_types(desk)


async def test_while_it_runs(desk: Desk) -> None:
    """A running one shows the request until Temporal answers; asking twice changes nothing."""
    admitted = await desk.admit()
    await desk.start(admitted.execution, "run-1")
    for _ in range(2):
        assert await desk.cancel(admitted.execution) is CancelOutcome.CANCEL_REQUESTED
    assert (await desk.find(admitted.execution)).status is RunStatus.CANCEL_REQUESTED
    assert len(await desk.jobs()) == 2
    await desk.end("run-1", RunStatus.CANCELED)
    assert (await desk.find(admitted.execution)).status is RunStatus.CANCELED


async def test_after_its_end(desk: Desk) -> None:
    """The true state stands, and nothing is stored or sent."""
    admitted = await desk.admit()
    await desk.start(admitted.execution, "run-1")
    await desk.end("run-1", RunStatus.FAILED)
    assert await desk.cancel(admitted.execution) is CancelOutcome.ALREADY_TERMINAL
    assert (await desk.find(admitted.execution)).status is RunStatus.FAILED
    assert len(await desk.jobs()) == 1


async def test_a_completed_run_beats_its_cancel(desk: Desk) -> None:
    """A run that finished anyway is succeeded, whatever was asked."""
    admitted = await desk.admit()
    await desk.start(admitted.execution, "run-1")
    await desk.cancel(admitted.execution)
    await desk.end("run-1", RunStatus.SUCCEEDED)
    assert (await desk.find(admitted.execution)).status is RunStatus.SUCCEEDED


async def test_one_of_two_holders_only_leaves(desk: Desk) -> None:
    """The first to cancel is detached; the run goes on for the other."""
    first = await desk.admit(idempotency_key="a")
    second = await desk.admit(idempotency_key="b")
    await desk.start(first.execution, "run-1")
    assert await desk.cancel(first.execution) is CancelOutcome.DETACHED
    left = await desk.find(first.execution)
    assert (left.status, left.close_code) == (RunStatus.CANCELED, "detached")
    assert (await desk.find(second.execution)).status is RunStatus.PENDING
    assert await desk.cancel(second.execution) is CancelOutcome.CANCEL_REQUESTED
    assert ("execution_cancel", "pending") in await _job_types(desk)


async def test_all_holders_at_once(desk: Desk) -> None:
    """Whichever order they come in, exactly one cancel reaches the run."""
    holders = [await desk.admit(idempotency_key=f"k{n}") for n in range(8)]
    await desk.start(holders[0].execution, "run-1")
    outcomes = await asyncio.gather(*(desk.cancel(holder.execution) for holder in holders))
    assert Counter(outcomes) == {CancelOutcome.DETACHED: 7, CancelOutcome.CANCEL_REQUESTED: 1}


async def test_the_first_of_a_waiting_group_leaves(desk: Desk) -> None:
    """Who joined a waiting request still runs after the first of the group is cancelled."""
    ahead = await desk.admit()
    owner = await desk.admit(fingerprint="f2", idempotency_key="a")
    joined = await desk.admit(fingerprint="f2", idempotency_key="b")
    assert await desk.cancel(owner.execution) is CancelOutcome.DETACHED
    await desk.start(ahead.execution, "run-1")
    await desk.end("run-1")
    assert await desk.promote() == 1
    assert (await desk.find(joined.execution)).state is ExecutionState.READY
    await desk.start(joined.execution, "run-2")
    found = await desk.find(joined.execution)
    assert (found.run_id, found.status) == ("run-2", RunStatus.PENDING)
    assert (await desk.find(owner.execution)).status is RunStatus.CANCELED


async def test_who_waited_for_a_leaver_waits_on(desk: Desk) -> None:
    """A detached holder hands those behind it to another holder of the same run."""
    first = await desk.admit(idempotency_key="a")
    second = await desk.admit(idempotency_key="b")
    await desk.start(first.execution, "run-1")
    behind = await desk.admit(fingerprint="f2")
    assert behind.execution.waits_for == second.execution.execution_id
    await desk.cancel(second.execution)
    assert (await desk.find(behind.execution)).waits_for == first.execution.execution_id
    assert await desk.promote() == 0
    await desk.end("run-1")
    assert await desk.promote() == 1


async def test_nobody_waits_for_a_cancelled_waiter(desk: Desk) -> None:
    """A cancelled link of the queue lets the next one wait for what is still alive."""
    first = await desk.admit()
    second = await desk.admit(fingerprint="f2")
    third = await desk.admit(fingerprint="f3")
    await desk.cancel(second.execution)
    assert await desk.promote() == 0
    await desk.start(first.execution, "run-1")
    await desk.end("run-1")
    assert await desk.promote() == 1
    assert (await desk.find(third.execution)).state is ExecutionState.READY


async def test_nobody_joins_what_is_being_cancelled(desk: Desk) -> None:
    """ADM-13: a run that was asked to stop takes no new holder; the new request waits."""
    first = await desk.admit(idempotency_key="a")
    await desk.start(first.execution, "run-1")
    await desk.cancel(first.execution)
    second = await desk.admit(idempotency_key="b")
    assert second.execution.state is ExecutionState.WAITING


async def test_joining_races_with_cancelling(desk: Desk) -> None:
    """Whoever attached before the cancel was stored keeps the run alive."""
    for number in range(20):
        workflow_id, run_id = f"wf-{number}", f"run-{number}"
        first = await desk.admit(idempotency_key=f"a{number}", workflow_id=workflow_id)
        await desk.start(first.execution, run_id)
        outcome, second = await asyncio.gather(
            desk.cancel(first.execution),
            desk.admit(idempotency_key=f"b{number}", workflow_id=workflow_id),
        )
        joined = second.execution.group_id == first.execution.execution_id
        assert (outcome is CancelOutcome.DETACHED) == joined


async def test_cancel_races_with_a_claim(desk: Desk) -> None:
    """Either the start is never made, or its cancel is delivered after it; never neither."""
    executions = []
    for number in range(20):
        ahead = await desk.admit(workflow_id=f"wf-{number}", idempotency_key=f"a{number}")
        admitted = await desk.admit(
            workflow_id=f"wf-{number}", idempotency_key=f"b{number}", fingerprint="f2"
        )
        await desk.start(ahead.execution, f"run-{number}")
        await desk.end(f"run-{number}", workflow_id=f"wf-{number}")
        executions.append(admitted.execution)
    assert await desk.promote() == 20
    claims = [
        desk.database.write(partial(outbox.claim_due, claim_token=f"c{number}", limit=1))
        for number in range(20)
    ]
    cancels = [desk.cancel(execution) for execution in executions]
    batches, _ = await asyncio.gather(asyncio.gather(*claims), asyncio.gather(*cancels))
    claimed = {envelope.execution_id for batch in batches for envelope in batch}
    jobs = {job.job_id: job.status for job in await desk.jobs()}
    for execution in executions:
        dropped = jobs[f"execution_start:{execution.execution_id}"] == "dropped"
        to_deliver = f"execution_cancel:{execution.execution_id}" in jobs
        assert dropped != to_deliver
        assert not (dropped and execution.execution_id in claimed)


async def test_cancel_races_with_the_end(desk: Desk) -> None:
    """F30: one terminal state for each run, told truthfully, and nobody waits for a deadlock."""
    executions = []
    for number in range(40):
        admitted = await desk.admit(workflow_id=f"wf-{number}", idempotency_key=f"k{number}")
        await desk.start(admitted.execution, f"run-{number}")
        executions.append(admitted.execution)
    steps = [desk.cancel(execution) for execution in executions]
    ends = [desk.end(f"run-{number}", workflow_id=f"wf-{number}") for number in range(40)]
    outcomes = await asyncio.wait_for(asyncio.gather(*steps, *ends), 20)
    for execution, outcome in zip(executions, outcomes, strict=False):
        found = await desk.find(execution)
        assert found.status is RunStatus.SUCCEEDED
        stored = found.cancel_requested_at is not None
        assert (outcome is CancelOutcome.CANCEL_REQUESTED) == stored
