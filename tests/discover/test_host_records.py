"""What is remembered of hosts holds for all processes and restarts (DIS-11, P095)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest

from jobsteward.discover.host_records import StoredHostRecords, host_state
from jobsteward.kernel.errors import HostCoolingError
from jobsteward.net import Fetched, HostState, Manners, Pace
from jobsteward.net.hosts import Turn, Verdict, ask, note
from jobsteward.store.engine import Database
from jobsteward.store.schema import prepare_database

pytestmark = pytest.mark.anyio
HOST = "acme.example"
NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)
PACE = Pace(gap=60.0, burst=4, daily=None)
FULL = HostState(
    day="2026-03-02",
    asked=17,
    paid_until=NOON,
    resting_until=NOON + timedelta(seconds=1),
    cooling_until=NOON + timedelta(seconds=2),
    probing_until=NOON + timedelta(seconds=3),
    refusals=2,
    strikes=3,
)


async def test_every_field_comes_back(database: Database) -> None:
    records = StoredHostRecords(database)
    assert await records.change(HOST, lambda state: (state, FULL)) == HostState()
    assert await database.read(lambda conn: host_state(conn, HOST)) == FULL
    assert await records.change("other.example", lambda state: (state, state)) == HostState()


async def test_a_failing_step_changes_nothing(database: Database) -> None:
    def fail(state: HostState) -> tuple[None, HostState]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await StoredHostRecords(database).change(HOST, fail)
    assert await database.read(lambda conn: host_state(conn, HOST)) == HostState()


async def test_two_processes_share_one_pace(database: Database, store_url: str, home: Path) -> None:
    other = await prepare_database(store_url, home)
    turns: list[Turn] = []

    async def race(records: StoredHostRecords) -> None:
        for _ in range(10):
            turns.append(await records.change(HOST, lambda state: ask(state, PACE, NOON)))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for opened in (database, other, database, other):
                tasks.start_soon(race, StoredHostRecords(opened))
    await other.close()
    assert len(turns) == 40
    assert [turn.verdict for turn in turns].count(Verdict.GO) == PACE.burst


async def test_p095_an_open_breaker_outlives_the_process(
    database: Database, store_url: str, home: Path
) -> None:
    refusal = Fetched(429, f"https://{HOST}/", {}, b"")
    await StoredHostRecords(database).change(HOST, lambda state: (None, note(state, refusal, NOON)))
    await database.close()
    later = await prepare_database(store_url, home)
    manners = Manners(StoredHostRecords(later), now=lambda: NOON + timedelta(seconds=200))
    with anyio.fail_after(10), pytest.raises(HostCoolingError):
        async with manners.visit(HOST, PACE):
            raise AssertionError
    await later.close()
