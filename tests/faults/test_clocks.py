"""The host's clock is put forward or back: leases hold, nothing waits for hours (F43)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import pytest

from jobsteward.kernel.clock import utc_now
from jobsteward.library import Library
from jobsteward.runs import outbox, store
from jobsteward.runs.store import Admission, Admitted
from jobsteward.settings import Settings
from tests.support.api import open_api
from tests.support.probe import WITH_PROBE

pytestmark = pytest.mark.anyio

SHIFTS = [timedelta(hours=-3), timedelta(hours=3), timedelta(days=400)]
Clock = Callable[[timedelta], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Moves the clock that admissions and leases read away from now."""

    def move(by: timedelta) -> None:
        def moved() -> datetime:
            return utc_now() + by

        monkeypatch.setattr(outbox, "utc_now", moved)
        monkeypatch.setattr(store, "utc_now", moved)

    return move


async def admit(library: Library, key: str | None = None, claim: str | None = None) -> Admitted:
    """One request, perhaps claimed at once by whoever takes it in."""
    request = Admission(
        tenant_id="local",
        workflow="probe",
        workflow_id="",
        priority=5,
        token_id="tok_test",
        idempotency_key=key,
        fingerprint="same",
        inputs={},
        envelope={},
        startup={},
        claim_token=claim,
    )
    return await library.database.write(lambda conn: store.admit(conn, library.log, request))


async def claimed(library: Library, by: str) -> list[str]:
    """What this process could claim now."""
    due = await library.database.write(lambda conn: outbox.claim_due(conn, by, 10))
    return [envelope.execution_id for envelope in due]


@pytest.mark.parametrize("shift", SHIFTS, ids=str)
async def test_an_envelope_of_another_clock_is_delivered_now(
    shift: timedelta, library: Library, clock: Clock
) -> None:
    """F43, ADM-1: it was taken in, and released once, by a clock that has been put right since."""
    clock(shift)
    [first, second] = [(await admit(library, key)).execution.execution_id for key in ("a", "b")]
    job_id = f"{outbox.EXECUTION_START}:{second}"
    assert sorted(await claimed(library, "earlier")) == sorted([first, second])
    await library.database.write(
        lambda conn: outbox.release(
            conn, job_id, "earlier", error="test", delay=timedelta(seconds=1)
        )
    )
    clock(timedelta(0))
    assert sorted(await claimed(library, "now")) == sorted([first, second])


async def test_a_claim_holds_and_lapses_by_the_same_clock(library: Library, clock: Clock) -> None:
    """F43, ADM-1: within its seconds nobody else takes it, whatever the hour is called."""
    for shift in SHIFTS:
        clock(shift)
        made = await admit(library, str(shift), claim="mine")
        assert await claimed(library, "other") == []
        clock(shift + outbox.CLAIM_FOR + timedelta(seconds=1))
        assert await claimed(library, "other") == [made.execution.execution_id]
        job_id = f"{outbox.EXECUTION_START}:{made.execution.execution_id}"
        await library.database.write(partial(outbox.mark_dispatched, job_id=job_id))


async def test_a_call_without_a_key_joins_nothing_from_the_future(
    library: Library, clock: Clock
) -> None:
    """F43, ADM-3a: seconds are seconds, also after the clock was three hours ahead."""
    clock(timedelta(hours=3))
    ahead = await admit(library)
    clock(timedelta(0))
    now = await admit(library)
    assert not now.replayed
    assert now.execution.execution_id != ahead.execution.execution_id
    assert (await admit(library)).execution.execution_id == now.execution.execution_id


async def test_two_clocks_three_hours_apart_join_one_key(settings: Settings, clock: Clock) -> None:
    """F43, ADM-3: keys know no time."""
    async with open_api(settings, WITH_PROBE) as api, api.agent() as agent:
        first = await agent.execute("probe", {}, idempotency_key="k")
        for shift in SHIFTS:
            clock(shift)
            again = await agent.execute("probe", {}, idempotency_key="k")
            assert again.execution_id == first.execution_id
