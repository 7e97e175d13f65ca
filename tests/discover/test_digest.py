"""A digest holds what is new since the one before, once; preferences come back as saved."""

import pytest

from jobsteward.discover.digest import Digest, look, make_digest, newest_jobs
from jobsteward.discover.model import DiscoveryExecutionRef
from jobsteward.discover.preferences import (
    LeastPay,
    Preferences,
    read_preferences,
    save_preferences,
)
from jobsteward.discover.store import save_postings
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")


async def find(database: Database, log: EventLog, *numbers: int) -> None:
    found = [posting(number) for number in numbers]
    await database.write(lambda conn: save_postings(conn, log, RUN, found))


async def made(database: Database, tenant: str = "local") -> Digest:
    return await database.write(lambda conn: make_digest(conn, tenant))


def titles(digest: Digest) -> list[str]:
    return [job.title for job in digest.jobs]


async def test_each_new_job_is_in_one_digest(database: Database, log: EventLog) -> None:
    assert (await made(database)).count == 0
    await find(database, log, 1, 2)
    first = await made(database)
    assert (first.count, titles(first)) == (2, ["Engineer 2", "Engineer 1"])
    await find(database, log, 2, 3)
    second = await made(database)
    assert (titles(second), second.since) == (["Engineer 3"], first.made_at)
    assert (await made(database)).count == 0


async def test_a_look_takes_nothing(database: Database, log: EventLog) -> None:
    await find(database, log, 1)
    for _ in range(2):
        seen = await database.read(lambda conn: look(conn, "local"))
        assert (seen.count, seen.made_at) == (1, None)
    assert (await made(database)).count == 1


async def test_another_tenant_has_its_own(database: Database, log: EventLog) -> None:
    await find(database, log, 1)
    assert (await made(database, "another")).count == 0
    assert await database.read(lambda conn: newest_jobs(conn, "another")) == ()
    assert (await made(database)).count == 1


async def test_preferences_come_back_as_they_were_saved(database: Database) -> None:
    """DIS-5."""
    wanted = Preferences(
        ("Weaver",), ("Łódź",), ("yes", "unknown"), LeastPay(60_000, "EUR"), ("unpaid",), ("x",)
    )
    assert await database.read(lambda conn: read_preferences(conn, "local")) == Preferences()
    for kept in (wanted, Preferences(titles=("Potter",)), wanted):
        await database.write(lambda conn, kept=kept: save_preferences(conn, "local", kept))  # type: ignore[misc]
        assert await database.read(lambda conn: read_preferences(conn, "local")) == kept
    assert await database.read(lambda conn: read_preferences(conn, "another")) == Preferences()


def test_a_run_narrows_what_it_names_only() -> None:
    saved = Preferences(titles=("Weaver",), places=("Łódź",), boards=("a",))
    assert saved.narrowed(boards=("b",)) == Preferences(("Weaver",), ("Łódź",), boards=("b",))
