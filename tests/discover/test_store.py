"""What a discovery run leaves behind, on both databases (DIS-2, DIS-3, DIS-8, DIS-9)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import func, select, update

from jobsteward.discover.model import (
    Board,
    DiscoveryExecutionRef,
    Pay,
    Posting,
    SavedPostings,
    SourceOutcome,
)
from jobsteward.discover.store import save_outcome, save_postings
from jobsteward.discover.tables import DISCOVERY_EXECUTION_JOBS
from jobsteward.discover.views import (
    JobFilter,
    get_job,
    known_postings,
    list_jobs,
    source_outcomes,
)
from jobsteward.kernel.errors import InvalidInputError, NotFoundError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
LATER = replace(RUN, run_id="run-2")
JOB = posting(1).key.job_id


async def save(
    database: Database, log: EventLog, postings: Sequence[Posting], ref: DiscoveryExecutionRef = RUN
) -> SavedPostings:
    return await database.write(lambda conn: save_postings(conn, log, ref, postings))


async def events(database: Database) -> list[tuple[str, str | None, dict[str, object]]]:
    columns = JOB_EVENTS.c
    statement = select(columns.event_type, columns.job_id, columns.payload)
    statement = statement.order_by(columns.event_id)
    return await database.read(lambda conn: [tuple(row) for row in conn.execute(statement)])


async def titles(database: Database, only: JobFilter, tenant: str = "local") -> set[str]:
    page = await database.read(lambda conn: list_jobs(conn, tenant, only))
    return {job.title for job in page.jobs}


async def test_new_jobs_are_stored_with_one_event_each(database: Database, log: EventLog) -> None:
    saved = await save(database, log, [posting(1), posting(2), posting(1)])
    assert saved == SavedPostings(discovered=2)
    assert [name for name, _, _ in await events(database)] == ["JobDiscovered"] * 2


async def test_a_retried_batch_changes_nothing(database: Database, log: EventLog) -> None:
    await save(database, log, [posting(1), posting(2)])
    before = await events(database)
    assert await save(database, log, [posting(1), posting(2)]) == SavedPostings(unchanged=2)
    assert await events(database) == before


async def test_changed_content_is_an_update_that_names_its_fields(
    database: Database, log: EventLog
) -> None:
    await save(database, log, [posting(1)])
    changed = posting(1, title="Lead", description="New text")
    assert await save(database, log, [changed], LATER) == SavedPostings(updated=1)
    name, job_id, payload = (await events(database))[-1]
    assert (name, job_id) == ("JobUpdated", JOB)
    assert payload == {
        "provider": "lever",
        "version": 2,
        "changed": ["description_digest", "title"],
    }
    job = await database.read(lambda conn: get_job(conn, "local", JOB))
    assert (job.summary.title, job.description, job.version) == ("Lead", "New text", 2)


async def test_content_that_comes_back_is_an_update_again(
    database: Database, log: EventLog
) -> None:
    for title in ("A", "B", "A", "B"):
        await save(database, log, [posting(1, title=title)])
    assert [payload["version"] for _, _, payload in await events(database)] == [1, 2, 3, 4]


async def test_a_touched_update_time_is_no_change(database: Database, log: EventLog) -> None:
    await save(database, log, [posting(1)])
    touched = posting(1, updated_at="2026-01-01T00:00:00.000000Z")
    assert await save(database, log, [touched]) == SavedPostings(unchanged=1)


async def test_dis9_an_answer_without_text_keeps_the_stored_one(
    database: Database, log: EventLog
) -> None:
    await save(database, log, [posting(1)])
    assert await save(database, log, [posting(1, description=None)]) == SavedPostings(unchanged=1)
    job = await database.read(lambda conn: get_job(conn, "local", JOB))
    assert job.description == "Text 1" and not job.summary.description_missing


async def test_out7_events_hold_no_text_of_the_posting(database: Database, log: EventLog) -> None:
    secret = posting(1, title="CANARY", company="CANARY", locations=("CANARY",),
                     description="CANARY", department="CANARY")  # fmt: skip
    await save(database, log, [secret])
    await save(database, log, [replace(secret, title="CANARY 2")])
    assert "CANARY" not in str(await events(database))


async def test_dis2_memberships_are_one_per_run_and_promoted_only(
    database: Database, log: EventLog
) -> None:
    table = DISCOVERY_EXECUTION_JOBS
    await save(database, log, [posting(1)])
    await save(database, log, [posting(1)], LATER)
    await database.write(lambda conn: conn.execute(
        update(table).values(cohort="existing_backlog", work_plan="planned")))  # fmt: skip
    await save(database, log, [posting(1)], LATER)
    rows = await database.read(
        lambda conn: conn.execute(
            select(table.c.run_id, table.c.cohort, table.c.work_plan).order_by(table.c.run_id)
        ).all()
    )
    assert [tuple(row) for row in rows] == [
        ("run-1", "existing_backlog", "planned"),
        ("run-2", "observed_this_run", "planned"),
    ]


async def test_tenants_do_not_see_each_other(database: Database, log: EventLog) -> None:
    await save(database, log, [posting(1)])
    await save(database, log, [posting(1, title="Theirs")], replace(RUN, tenant_id="other"))
    assert await titles(database, JobFilter()) == {"Engineer 1"}
    assert await titles(database, JobFilter(), "other") == {"Theirs"}
    with pytest.raises(NotFoundError):
        await database.read(lambda conn: get_job(conn, "third", JOB))


async def test_a_job_reads_back_as_it_was_given(database: Database, log: EventLog) -> None:
    given = posting(
        1,
        locations=("Köln", "Remote"),
        remote="yes",
        pay=(Pay(50000.0, None, "EUR", "year"), Pay(1.5, 2.0, "", "hour", True)),
        posted_at="2026-01-02T03:04:05.000000Z",
    )
    await save(database, log, [given])
    job = await database.read(lambda conn: get_job(conn, "local", JOB))
    assert (job.key, job.apply_url, job.description) == (given.key, given.apply_url, "Text 1")
    summary = job.summary
    assert (summary.locations, summary.remote, summary.pay) == (
        given.locations,
        "yes",
        given.pay,
    )
    assert (summary.posted_at, summary.url) == (given.posted_at, given.url)


async def test_filters(database: Database, log: EventLog) -> None:
    await save(database, log, [
        posting(1, title="CTO", remote="yes", locations=("Oslo",)),
        posting(2, title="Director, C++", remote="no", locations=("Berlin", "Oslo")),
        posting(3, title="Analyst 100%", company="Berlin Bakers"),
    ])  # fmt: skip
    await save(database, log, [posting(3, title="Analyst 100%", company="Berlin Bakers")], LATER)
    assert await titles(database, JobFilter(text="cto")) == {"CTO"}
    assert await titles(database, JobFilter(text="c++ berlin")) == {"Director, C++"}
    assert await titles(database, JobFilter(text="berlin")) == {"Director, C++", "Analyst 100%"}
    assert await titles(database, JobFilter(text="%")) == await titles(database, JobFilter())
    assert await titles(database, JobFilter(location="oslo")) == {"CTO", "Director, C++"}
    assert await titles(database, JobFilter(remote=("yes", "unknown"))) == {"CTO", "Analyst 100%"}
    assert await titles(database, JobFilter(provider="ashby")) == set()
    assert await titles(database, JobFilter(seen_by=LATER)) == {"Analyst 100%"}


async def test_pages_hold_every_job_once(database: Database, log: EventLog) -> None:
    for start in (0, 10, 20):
        await save(database, log, [posting(number) for number in range(start, start + 10)])
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        page = await database.read(
            lambda conn, at=cursor: list_jobs(conn, "local", cursor=at, limit=7)  # type: ignore[misc]
        )
        seen += [job.job_id for job in page.jobs]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == 30 == len(set(seen))


@pytest.mark.parametrize("cursor", ["x", "!!!", "YWJj", "w7w="])
async def test_a_foreign_cursor_is_invalid_input(database: Database, cursor: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        await database.read(lambda conn: list_jobs(conn, "local", cursor=cursor))
    assert set(caught.value.fields) == {"cursor"}


async def test_dis3_outcomes_of_a_run_and_a_later_attempt(
    database: Database, log: EventLog
) -> None:
    blocked = SourceOutcome("lever/acme", "blocked", 429, code="blocked")
    read = SourceOutcome("lever/acme", "partial", 200, 3, 1, 5, "broken_postings")
    other = SourceOutcome("ashby/acme", "empty", 200)
    for outcome in (blocked, blocked, read, other):
        await database.write(lambda conn, one=outcome: save_outcome(conn, log, RUN, one))  # type: ignore[misc]
    assert await database.read(lambda conn: source_outcomes(conn, RUN)) == [other, read]
    assert await database.read(lambda conn: source_outcomes(conn, LATER)) == []
    count = select(func.count()).where(JOB_EVENTS.c.event_type == "DiscoverySourceRead")
    assert await database.read(lambda conn: conn.scalar(count)) == 3


async def test_p043_known_postings_name_their_boards(database: Database, log: EventLog) -> None:
    key = replace(posting(1).key, board="eu:acme")
    await save(database, log, [posting(1, key=key)])
    known = await database.read(lambda conn: known_postings(conn, "local", "p1"))
    assert known == [(Board("lever", "acme", "eu"), "p1")]
