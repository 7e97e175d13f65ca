"""The plan of a discovery run: fixed once, one place for each distinct board (DIS-5)."""

import pytest

from jobsteward.discover.model import Board, DiscoveryExecutionRef, SourceOutcome
from jobsteward.discover.plan import Search, plan_sources, planned_source
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.views import source_outcomes
from jobsteward.kernel.errors import NotFoundError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
OTHER = DiscoveryExecutionRef("local", "discover-local", "run-2")
LEVER = "https://jobs.lever.co/acme"


async def plan(
    database: Database, log: EventLog, *urls: str, run: DiscoveryExecutionRef = RUN
) -> list[str]:
    search = Search(Preferences(boards=urls))
    return await database.write(lambda conn: plan_sources(conn, log, run, search))


async def test_boards_are_planned_once_in_any_spelling(database: Database, log: EventLog) -> None:
    planned = await plan(database, log, LEVER, "https://jobs.lever.co/ACME", "https://x.example")
    assert planned == ["src_1", "src_2"]
    found = await database.read(lambda conn: planned_source(conn, RUN, "src_1"))
    assert found == Board("lever", "acme")


async def test_a_url_without_a_board_is_unsupported_from_the_start(
    database: Database, log: EventLog
) -> None:
    """DIS-3: it has an outcome of its own, with the reason's code."""
    await plan(database, log, "https://careers.acme.example/", "http://127.0.0.1/jobs")
    first = await database.read(lambda conn: planned_source(conn, RUN, "src_1"))
    assert first == SourceOutcome("src_1", "unsupported", code="unsupported_board")
    outcomes = await database.read(lambda conn: source_outcomes(conn, RUN))
    assert {outcome.source: outcome.status for outcome in outcomes} == {
        "src_1": "unsupported",
        "src_2": "unsupported",
    }


async def test_the_first_plan_stands(database: Database, log: EventLog) -> None:
    """DIS-5: a retry or an edited setting changes the next execution only."""
    first = await plan(database, log, LEVER)
    again = await plan(database, log, "https://jobs.ashbyhq.com/acme", LEVER)
    assert again == first == ["src_1"]
    other = await plan(database, log, "https://jobs.ashbyhq.com/acme", run=OTHER)
    assert other == ["src_1"]
    found = await database.read(lambda conn: planned_source(conn, OTHER, "src_1"))
    assert found == Board("ashby", "acme")


async def test_a_source_outside_the_plan_is_not_found(database: Database, log: EventLog) -> None:
    await plan(database, log, LEVER)
    with pytest.raises(NotFoundError):
        await database.read(lambda conn: planned_source(conn, RUN, "src_9"))
