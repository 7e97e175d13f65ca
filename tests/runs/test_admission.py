"""A request becomes one execution with one envelope, or joins the one it repeats (ADM-1..13)."""

import asyncio
from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import func, select

from jobsteward.kernel.clock import utc_now
from jobsteward.kernel.errors import KeyReusedError
from jobsteward.kernel.ids import EXECUTION_PREFIX
from jobsteward.runs import outbox, store
from jobsteward.runs.model import ExecutionState, RunStatus
from jobsteward.runs.tables import EXECUTIONS, SCHEDULED_JOBS
from tests.support.admissions import REQUEST, Desk

pytestmark = pytest.mark.anyio


async def test_one_row_one_envelope_one_event(desk: Desk) -> None:
    """ADM-1, ADM-5: pending, not started, with the envelope claimed by whoever admitted it."""
    admitted = await desk.admit()
    execution = admitted.execution
    assert (admitted.replayed, admitted.dispatch) == (False, True)
    assert execution.execution_id.startswith(EXECUTION_PREFIX)
    assert (execution.state, execution.status) == (ExecutionState.READY, RunStatus.PENDING)
    assert execution.run is None
    [job] = await desk.jobs()
    assert (job.job_type, job.status, job.claim_token) == ("execution_start", "pending", "claim-1")
    assert job.execution_id == execution.execution_id
    assert await desk.events("execution", execution.execution_id) == ["ExecutionAccepted"]


async def test_nothing_is_half_admitted(desk: Desk) -> None:
    """ADM-1, F01: a transaction that fails leaves no row, no envelope and no event."""

    def work(conn: object) -> None:
        store.admit(conn, desk.log, REQUEST)  # type: ignore[arg-type]
        raise ArithmeticError("before the commit")

    with pytest.raises(ArithmeticError):
        await desk.database.write(work)
    assert await desk.jobs() == []
    count = select(func.count()).select_from(EXECUTIONS)
    assert await desk.database.read(lambda conn: conn.scalar(count)) == 0


async def test_the_envelope_freezes_its_configuration(desk: Desk) -> None:
    """ADM-4: what a retry reads is what was admitted; a replay does not change it."""
    first = await desk.admit(idempotency_key="k")
    await desk.admit(idempotency_key="k", envelope={"config": {"version": 2}})
    execution_id = first.execution.execution_id
    found = await desk.database.read(lambda conn: outbox.start_envelope(conn, execution_id))
    assert found == {"config": {"version": 1}}


async def test_a_key_joins_its_execution(desk: Desk) -> None:
    """ADM-3: same key, same fingerprint: the same receipt, however late."""
    first = await desk.admit(idempotency_key="k")
    await desk.backdate(first.execution, "2020-01-01T00:00:00.000000Z")
    again = await desk.admit(idempotency_key="k", token_id="tok_2", priority=1)
    assert again.replayed and not again.dispatch
    assert again.execution.execution_id == first.execution.execution_id
    assert len(await desk.jobs()) == 1


async def test_a_key_joins_after_the_end(desk: Desk) -> None:
    """ADM-3: a key lives as long as its execution, finished or not."""
    first = await desk.admit(idempotency_key="k")
    await desk.start(first.execution, "run-1")
    await desk.end("run-1")
    again = await desk.admit(idempotency_key="k")
    assert again.replayed
    assert again.execution.status is RunStatus.SUCCEEDED


async def test_a_key_refuses_other_arguments(desk: Desk) -> None:
    """ADM-3: changed arguments learn the first execution's id and change nothing (I3)."""
    first = await desk.admit(idempotency_key="k")
    with pytest.raises(KeyReusedError) as caught:
        await desk.admit(idempotency_key="k", fingerprint="f2")
    assert caught.value.execution_id == first.execution.execution_id
    assert len(await desk.jobs()) == 1


@pytest.mark.parametrize("change", [{"tenant_id": "globex"}, {"workflow": "ApplyWorkflow"}])
async def test_keys_belong_to_tenant_and_workflow(desk: Desk, change: dict[str, str]) -> None:
    """ADM-3, I11: the same key elsewhere is another request."""
    await desk.admit(idempotency_key="k", workflow_id="")
    other = await desk.admit(idempotency_key="k", workflow_id="", fingerprint="f2", **change)
    assert not other.replayed


async def test_a_repeat_without_a_key_joins(desk: Desk) -> None:
    """ADM-3a, F28: an identical call within ten seconds is the same request."""
    first = await desk.admit()
    again = await desk.admit()
    assert again.replayed
    assert again.execution.execution_id == first.execution.execution_id


@pytest.mark.parametrize(
    "change",
    [{"token_id": "tok_2"}, {"fingerprint": "f2"}, {"idempotency_key": "k"}, {"tenant_id": "x"}],
    ids=lambda change: next(iter(change)),
)
async def test_a_different_call_is_no_repeat(desk: Desk, change: dict[str, str]) -> None:
    """ADM-3a: token, arguments, tenant and the absence of a key must all agree."""
    first = await desk.admit(workflow_id="")
    other = await desk.admit(workflow_id="", **change)
    assert not other.replayed
    assert other.execution.execution_id != first.execution.execution_id


async def test_after_the_window_it_is_new(desk: Desk) -> None:
    """ADM-3a: later than ten seconds, the same call is a new request."""
    first = await desk.admit(workflow_id="")
    await desk.backdate(first.execution, "2026-01-01T00:00:00.000000Z")
    assert not (await desk.admit(workflow_id="")).replayed


@pytest.mark.parametrize("key", ["k", None], ids=["with a key", "without"])
async def test_a_hundred_at_once_are_one(desk: Desk, key: str | None) -> None:
    """ADM-3, F25: one execution, one envelope; everybody gets its receipt, one dispatches."""
    answers = await asyncio.gather(
        *(desk.admit(idempotency_key=key, claim_token=f"c{n}") for n in range(100))
    )
    assert len({answer.execution.execution_id for answer in answers}) == 1
    assert Counter(answer.dispatch for answer in answers) == {False: 99, True: 1}
    assert len(await desk.jobs()) == 1


async def test_an_id_of_its_own(desk: Desk) -> None:
    """WID: without a deterministic id, the receipt makes it, so that a re-dispatch attaches."""
    execution = (await desk.admit(workflow_id="")).execution
    assert execution.workflow_id == f"DiscoverWorkflow-{execution.execution_id}"


async def test_an_equal_request_attaches(desk: Desk) -> None:
    """ADM-13: same live id, same fingerprint: one run serves both, with one envelope."""
    first = await desk.admit(idempotency_key="a")
    second = await desk.admit(idempotency_key="b")
    assert not second.replayed and not second.dispatch
    assert second.execution.group_id == first.execution.execution_id
    assert len(await desk.jobs()) == 1
    await desk.start(first.execution, "run-1")
    third = await desk.admit(idempotency_key="c")
    assert third.execution.run_id == "run-1"
    await desk.end("run-1")
    for admitted in (first, second, third):
        found = await desk.find(admitted.execution)
        assert (found.state, found.status) == (ExecutionState.FINISHED, RunStatus.SUCCEEDED)


async def test_another_request_waits(desk: Desk) -> None:
    """ADM-13: other arguments wait behind the live run and say behind which."""
    first = await desk.admit()
    second = await desk.admit(fingerprint="f2", claim_token="claim-2")
    assert not second.dispatch
    assert second.execution.state is ExecutionState.WAITING
    assert second.execution.waits_for == first.execution.execution_id
    await desk.start(first.execution, "run-1")
    assert await desk.promote() == 0
    claimed = await desk.database.write(lambda conn: outbox.claim_due(conn, "x", 10))
    assert claimed == []
    await desk.end("run-1")
    assert await desk.promote() == 1
    found = await desk.find(second.execution)
    assert (found.state, found.waits_for) == (ExecutionState.READY, None)
    [envelope] = await desk.database.write(lambda conn: outbox.claim_due(conn, "x", 10))
    assert envelope.execution_id == second.execution.execution_id


async def test_waiting_requests_go_one_at_a_time(desk: Desk) -> None:
    """ADM-13: a queue of requests for one id runs in the order of acceptance."""
    queue = [(await desk.admit(fingerprint=f"f{n}")).execution for n in range(5)]
    for number, execution in enumerate(queue):
        states = [(await desk.find(waiting)).state for waiting in queue[number:]]
        assert states == [ExecutionState.READY] + [ExecutionState.WAITING] * (4 - number)
        await desk.start(execution, f"run-{number}")
        assert await desk.promote() == 0
        await desk.end(f"run-{number}")
        assert await desk.promote() == (1 if number < 4 else 0)


async def test_an_equal_request_attaches_to_a_waiting_one(desk: Desk) -> None:
    """ADM-13: who joins a waiting request runs with it."""
    first = await desk.admit()
    second = await desk.admit(fingerprint="f2", idempotency_key="a")
    third = await desk.admit(fingerprint="f2", idempotency_key="b")
    assert third.execution.group_id == second.execution.execution_id
    await desk.start(first.execution, "run-1")
    await desk.end("run-1")
    assert await desk.promote() == 1
    await desk.start(second.execution, "run-2")
    assert (await desk.find(third.execution)).run_id == "run-2"


async def test_a_clock_that_goes_back_changes_no_order(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F43, ADM-13: three hours back on the host, and the queue is still that of acceptance."""
    queue = [(await desk.admit(fingerprint=f"f{n}")).execution for n in range(2)]
    monkeypatch.setattr(store, "utc_now", lambda: utc_now() - timedelta(hours=3))
    queue += [(await desk.admit(fingerprint=f"f{n}")).execution for n in range(2, 4)]
    for before, execution in pairwise(queue):
        assert execution.waits_for == before.execution_id
    for number, execution in enumerate(queue):
        assert (await desk.find(execution)).state is ExecutionState.READY
        await desk.start(execution, f"run-{number}")
        await desk.end(f"run-{number}")
        assert await desk.promote() == (1 if number < 3 else 0)


async def test_joining_races_with_the_start(desk: Desk) -> None:
    """ADM-13: whoever attaches while the run is being bound follows that run."""
    for number in range(20):
        workflow_id, run_id = f"wf-{number}", f"run-{number}"
        first = await desk.admit(idempotency_key=f"a{number}", workflow_id=workflow_id)
        _, second = await asyncio.gather(
            desk.start(first.execution, run_id),
            desk.admit(idempotency_key=f"b{number}", workflow_id=workflow_id),
        )
        assert (await desk.find(second.execution)).run_id == run_id


async def test_joining_races_with_the_end(desk: Desk) -> None:
    """ADM-13: whoever attaches while the run ends holds nobody up afterwards."""
    for number in range(20):
        workflow_id, run_id = f"wf-{number}", f"run-{number}"
        first = await desk.admit(idempotency_key=f"a{number}", workflow_id=workflow_id)
        await desk.start(first.execution, run_id)
        await asyncio.gather(
            desk.end(run_id, workflow_id=workflow_id),
            desk.admit(idempotency_key=f"b{number}", workflow_id=workflow_id),
        )
        after = await desk.admit(idempotency_key=f"c{number}", workflow_id=workflow_id)
        if after.execution.state is ExecutionState.READY:
            continue  # the second one ended with the run, so this one starts anew
        # The second one came after the end and is the live one now.
        assert after.execution.run_id is None


async def test_many_different_requests_at_once(desk: Desk) -> None:
    """ADM-13: of thirty concurrent requests for one id, one is ready and the others wait."""
    answers = await asyncio.gather(*(desk.admit(fingerprint=f"f{n}") for n in range(30)))
    states = Counter(answer.execution.state for answer in answers)
    assert states == {ExecutionState.READY: 1, ExecutionState.WAITING: 29}
    pending = select(func.count()).where(SCHEDULED_JOBS.c.status == "pending")
    assert await desk.database.read(lambda conn: conn.scalar(pending)) == 1
