"""A decision answers the gate that it names, once (ADM-9)."""

import asyncio
from collections import Counter

import pytest

from jobsteward.kernel.errors import ConflictError, NotFoundError
from jobsteward.runs import gates, views
from jobsteward.runs.gates import Gate, Verdict
from jobsteward.runs.model import RunRef, RunStatus
from tests.support.admissions import Desk

pytestmark = pytest.mark.anyio

REF = RunRef("acme", "apply-acme-1", "run-1")


async def _open(desk: Desk, gate_id: str = "g1", ref: RunRef = REF) -> Gate:
    kind = RunStatus.AWAITING_APPROVAL
    return await desk.database.write(
        lambda conn: gates.open_gate(conn, desk.log, ref, gate_id, kind)
    )


async def _decide(
    desk: Desk, gate: Gate, verdict: Verdict, answers: dict[str, str] | None = None
) -> bool:
    return await desk.database.write(
        lambda conn: gates.decide(conn, gate, verdict, decided_by="owner", answers=answers)
    )


async def _close(desk: Desk, gate_id: str = "g1") -> Gate:
    return await desk.database.write(lambda conn: gates.close_gate(conn, desk.log, REF, gate_id))


async def _status(desk: Desk) -> tuple[RunStatus, str | None]:
    run = await desk.database.read(lambda conn: views.find_run(conn, REF))
    assert run is not None
    return run.status, run.gate_id


async def test_an_open_gate_parks_the_run(desk: Desk) -> None:
    """ADM-5a: the run shows which gate it waits behind; opening it again changes nothing."""
    gate = await _open(desk)
    assert await _open(desk) == gate
    assert await _status(desk) == (RunStatus.AWAITING_APPROVAL, "g1")
    assert await desk.events("run", "run-1") == ["WorkflowParked"]


async def test_a_decided_gate_lets_it_go_on(desk: Desk) -> None:
    """The decision stands; closing the gate resumes the run once."""
    gate = await _open(desk)
    assert await _decide(desk, gate, "answer", {"q1": "yes"})
    closed = await _close(desk)
    assert await _close(desk) == closed
    assert (closed.decision, closed.answers) == ("answer", {"q1": "yes"})
    assert closed.closed_at is not None
    assert await _status(desk) == (RunStatus.RUNNING, None)


async def test_an_undecided_gate_stays_open(desk: Desk) -> None:
    """MCP-10: waking the run is no approval."""
    await _open(desk)
    assert (await _close(desk)).closed_at is None
    assert await _status(desk) == (RunStatus.AWAITING_APPROVAL, "g1")


async def test_a_redelivered_decision_is_a_replay(desk: Desk) -> None:
    """The same decision again, before or after the gate closed, changes nothing."""
    gate = await _open(desk)
    assert await _decide(desk, gate, "approve")
    assert not await _decide(desk, gate, "approve")
    await _close(desk)
    assert not await _decide(desk, gate, "approve")


@pytest.mark.parametrize("closed", [False, True])
async def test_another_decision_is_refused(desk: Desk, closed: bool) -> None:
    """What was decided stays decided."""
    gate = await _open(desk)
    await _decide(desk, gate, "answer", {"q1": "yes"})
    if closed:
        await _close(desk)
    with pytest.raises(ConflictError, match="already decided"):
        await _decide(desk, gate, "reject")
    with pytest.raises(ConflictError):
        await _decide(desk, gate, "answer", {"q1": "no"})
    found = await desk.database.read(lambda conn: gates.find_gate(conn, "acme", "g1"))
    assert found.answers == {"q1": "yes"}


async def test_a_decision_never_reaches_a_later_gate(desk: Desk) -> None:
    """ADM-9: a redelivery for the first gate leaves the second one open."""
    first = await _open(desk)
    await _decide(desk, first, "approve")
    await _close(desk)
    await _open(desk, "g2")
    assert not await _decide(desk, first, "approve")
    assert (await _close(desk, "g2")).decision is None
    assert await _status(desk) == (RunStatus.AWAITING_APPROVAL, "g2")


async def test_contrary_decisions_at_once(desk: Desk) -> None:
    """Of many concurrent decisions one stands; equal ones are replays, others are refused."""
    gate = await _open(desk)
    verdicts: list[Verdict] = ["approve", "reject"] * 10
    results = await asyncio.gather(
        *(_decide(desk, gate, verdict) for verdict in verdicts), return_exceptions=True
    )
    kinds = Counter(result if isinstance(result, bool) else type(result) for result in results)
    assert kinds == {True: 1, False: 9, ConflictError: 10}


async def test_another_tenants_gate_does_not_exist(desk: Desk) -> None:
    """I11: a foreign gate looks like an unknown one."""
    await _open(desk)
    with pytest.raises(NotFoundError):
        await desk.database.read(lambda conn: gates.find_gate(conn, "globex", "g1"))


async def test_a_gate_is_never_shared(desk: Desk) -> None:
    """I11: an id that another tenant holds opens nothing; ids carry their run's id."""
    await _open(desk)
    with pytest.raises(NotFoundError):
        await _open(desk, ref=RunRef("globex", "apply-globex-1", "run-9"))
    assert await desk.database.read(lambda conn: views.find_run(conn, REF)) is not None
