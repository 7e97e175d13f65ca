"""Envelopes are delivered by one process at a time and are never lost (ADM-1)."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import update

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs import outbox
from jobsteward.runs.outbox import CLAIM_FOR, Envelope
from jobsteward.runs.tables import SCHEDULED_JOBS
from tests.support.admissions import Desk

pytestmark = pytest.mark.anyio

Clock = Callable[[timedelta], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Moves the outbox's clock away from now."""

    def move(by: timedelta) -> None:
        def moved() -> datetime:
            return utc_now() + by

        monkeypatch.setattr(outbox, "utc_now", moved)

    return move


async def _claim(desk: Desk, token: str, limit: int = 10) -> list[Envelope]:
    return await desk.database.write(partial(outbox.claim_due, claim_token=token, limit=limit))


async def _admit(desk: Desk, count: int = 1) -> list[str]:
    admitted = [await desk.admit(workflow_id="", idempotency_key=f"k{n}") for n in range(count)]
    return [f"execution_start:{one.execution.execution_id}" for one in admitted]


async def _free(desk: Desk) -> None:
    unclaimed = update(SCHEDULED_JOBS).values(claim_token=None, claimed_until=None)
    await desk.database.write(lambda conn: conn.execute(unclaimed))


async def test_a_claimed_envelope_is_left_alone(desk: Desk) -> None:
    """Whoever admitted it is about to start it."""
    await _admit(desk)
    assert await _claim(desk, "other") == []


async def test_a_lapsed_claim_passes_on(desk: Desk, clock: Clock) -> None:
    """F03: the claim of a process that died lapses, and its envelope is claimed again."""
    [job_id] = await _admit(desk)
    clock(CLAIM_FOR + timedelta(seconds=1))
    [envelope] = await _claim(desk, "other")
    assert (envelope.job_id, envelope.attempts) == (job_id, 0)
    assert envelope.payload == {"config": {"version": 1}}


async def test_a_stale_holder_changes_nothing(desk: Desk, clock: Clock) -> None:
    """Who lost the claim cannot release it."""
    [job_id] = await _admit(desk)
    clock(CLAIM_FOR + timedelta(seconds=1))
    await _claim(desk, "other")
    before = await desk.jobs()
    assert not await _release(desk, job_id, "claim-1", timedelta())
    assert await desk.jobs() == before


async def _release(desk: Desk, job_id: str, token: str, delay: timedelta) -> bool:
    return await desk.database.write(
        partial(outbox.release, job_id=job_id, claim_token=token, error="timeout", delay=delay)
    )


async def test_a_released_envelope_is_due_again_later(desk: Desk, clock: Clock) -> None:
    """A failed attempt is counted, its reason kept as a code, and tried after the delay."""
    [job_id] = await _admit(desk)
    assert await _release(desk, job_id, "claim-1", timedelta(seconds=30))
    assert await _claim(desk, "other") == []
    clock(timedelta(seconds=31))
    [envelope] = await _claim(desk, "other")
    assert envelope.attempts == 1
    [job] = await desk.jobs()
    assert job.last_error == "timeout"


async def test_no_envelope_has_two_holders(desk: Desk) -> None:
    """Ten processes claim at once: each envelope goes to exactly one of them."""
    job_ids = await _admit(desk, 30)
    await _free(desk)
    batches = await asyncio.gather(*(_claim(desk, f"c{n}", limit=5) for n in range(10)))
    claimed = [envelope.job_id for batch in batches for envelope in batch]
    assert len(claimed) == len(set(claimed))
    rest = await _claim(desk, "last", limit=100)
    assert sorted(claimed + [envelope.job_id for envelope in rest]) == sorted(job_ids)


async def test_the_oldest_goes_first(desk: Desk) -> None:
    """Claims come in the order in which envelopes became due."""
    job_ids = await _admit(desk, 5)
    await _free(desk)
    order = [envelope.job_id for envelope in await _claim(desk, "c", limit=3)]
    assert order == job_ids[:3]


async def test_a_dispatched_envelope_is_done(desk: Desk, clock: Clock) -> None:
    """Confirmed twice is confirmed once, and nobody claims it again."""
    [job_id] = await _admit(desk)
    for _ in range(2):
        await desk.database.write(lambda conn: outbox.mark_dispatched(conn, job_id))
    clock(timedelta(days=400))
    assert await _claim(desk, "other") == []
    [job] = await desk.jobs()
    assert (job.status, job.claim_token) == ("dispatched", None)


async def test_the_backlog_counts_what_is_undelivered(desk: Desk) -> None:
    """ADM-1: the metric's count and oldest age are those of pending and waiting envelopes."""
    assert await desk.database.read(outbox.backlog) == outbox.Backlog(0, None)
    [first, _] = await _admit(desk, 2)
    backlog = await desk.database.read(outbox.backlog)
    assert backlog.pending == 2
    assert backlog.oldest is not None and backlog.oldest <= timestamp(utc_now())
    await desk.database.write(lambda conn: outbox.mark_dispatched(conn, first))
    assert (await desk.database.read(outbox.backlog)).pending == 1


async def test_cancels_are_claimed_like_starts(desk: Desk, clock: Clock) -> None:
    """ADM-8: a stored cancel is an envelope of its own, added once."""
    admitted = await desk.admit()
    execution = admitted.execution
    payload: dict[str, Any] = {"requester": "owner"}
    for _ in range(2):
        await desk.database.write(
            lambda conn: outbox.add_cancel(conn, "acme", execution.execution_id, payload)
        )
    [envelope] = await _claim(desk, "c")
    assert (envelope.job_type, envelope.payload) == ("execution_cancel", payload)
