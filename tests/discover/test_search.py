"""Searching by words finds exactly what the words begin, however many jobs there are (P121)."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, select, update

from jobsteward.discover import views
from jobsteward.discover.model import DiscoveryExecutionRef, Posting
from jobsteward.discover.store import save_postings
from jobsteward.discover.tables import JOB_DESCRIPTIONS, JOBS
from jobsteward.discover.views import JobFilter, list_jobs
from jobsteward.settings import Settings
from jobsteward.store.backup import backup
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog
from jobsteward.store.restore import restore
from jobsteward.store.schema import prepare_database
from jobsteward.store.word_index import proposed_jobs
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

REF = DiscoveryExecutionRef("local", "discover-local", "run-1")
POSTINGS = [
    posting(1, title="C++ Engineer", company="Acme", locations=("São Paulo",), remote="yes"),
    posting(2, title="Director of Sales", company="Norden GmbH", locations=("Berlin",)),
    posting(3, title="CTO", company="Zeta & Söhne", locations=("Berlin", "München")),
    posting(4, title="Chief_of_Staff 100%", company="日本の会社", locations=("東京",), remote="no"),
    posting(5, title="C# Developer", company='It\'s "Quoted"', locations=()),
]
QUERIES = [
    JobFilter(text="c++"),
    JobFilter(text="c#"),
    JobFilter(text="c"),
    JobFilter(text="cto"),
    JobFilter(text="ENGINEER"),
    JobFilter(text="acme eng"),
    JobFilter(text="it's quoted"),
    JobFilter(text='"c++" OR words:*'),
    JobFilter(text="chief_of"),
    JobFilter(text="chief of"),
    JobFilter(text="söhne"),
    JobFilter(text="日本"),
    JobFilter(text="nowhere"),
    JobFilter(text="engineer " * 200),
    JobFilter(text="x" * 3000),
    JobFilter(location="berl"),
    JobFilter(location="são"),
    JobFilter(text="cto", location="münchen"),
    JobFilter(text="en", remote=("yes",)),
    JobFilter(location="東京", remote=("yes", "unknown")),
    JobFilter(provider="lever"),
    JobFilter(provider="it's"),
    JobFilter(provider="ashby", text="cto"),
]


@pytest.fixture(params=["few", "many"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both ways to a page: by what the index proposes, and by walking all jobs."""
    if request.param == "many":
        monkeypatch.setattr(views, "_FEW", 0)
    yield


async def _save(database: Database, log: EventLog, postings: list[Posting]) -> None:
    await database.write(lambda conn: save_postings(conn, log, REF, postings))


def _found(conn: Connection, only: JobFilter) -> list[str]:
    return [job.title for job in list_jobs(conn, "local", only).jobs]


def _proposed(conn: Connection, *words: str) -> int:
    return len(proposed_jobs(conn, "local", words=words, most=50))


@pytest.mark.parametrize("only", QUERIES, ids=lambda only: repr(only.text or only.location)[:20])
async def test_both_ways_find_the_same(
    database: Database, log: EventLog, only: JobFilter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index never hides what the words themselves find, and never adds to it."""
    await _save(database, log, POSTINGS)
    by_index = await database.read(lambda conn: _found(conn, only))
    monkeypatch.setattr(views, "_few_jobs", lambda *_: None)
    assert by_index == await database.read(lambda conn: _found(conn, only))


@pytest.mark.usefixtures("_way")
async def test_pages_go_on_where_they_ended(database: Database, log: EventLog) -> None:
    """Every job once, newest first, with text and cursor together."""
    for number in range(7):
        await _save(database, log, [posting(number, title=f"Engineer {number}")])
    only = JobFilter(text="engineer")
    page = await database.read(lambda conn: list_jobs(conn, "local", only, limit=3))
    seen = [job.title for job in page.jobs]
    while page.next_cursor:
        page = await database.read(
            partial(list_jobs, tenant_id="local", only=only, cursor=page.next_cursor, limit=3)
        )
        seen += [job.title for job in page.jobs]
    assert seen == [f"Engineer {number}" for number in reversed(range(7))]


@pytest.mark.usefixtures("_way")
async def test_other_tenants_stay_unseen(database: Database, log: EventLog) -> None:
    """DOM: the same job of another tenant is another job."""
    await _save(database, log, POSTINGS)
    page = await database.read(lambda conn: list_jobs(conn, "other", JobFilter(text="cto")))
    assert page.jobs == ()


async def test_the_index_follows_changes(database: Database, log: EventLog) -> None:
    """New words are found, old ones no longer; a removed job leaves nothing."""
    await _save(database, log, POSTINGS)
    await _save(database, log, [posting(3, title="Head of Sales", locations=("Wien",))])
    assert await database.read(lambda conn: _proposed(conn, "cto")) == 0
    assert await database.read(lambda conn: _found(conn, JobFilter(location="wien"))) == [
        "Head of Sales"
    ]
    await database.write(
        lambda conn: conn.execute(update(JOBS).values(remote="no", search_text=" all alike"))
    )
    assert await database.read(lambda conn: _proposed(conn, "alike")) == len(POSTINGS)

    def remove(conn: Connection) -> None:
        conn.execute(delete(JOB_DESCRIPTIONS))
        conn.execute(delete(JOBS))

    await database.write(remove)
    assert await database.read(lambda conn: _proposed(conn, "alike")) == 0


async def test_a_restored_database_can_be_searched(
    database: Database, log: EventLog, home: Path, tmp_path: Path, store_url: str
) -> None:
    """DOM-1: the index is not in the copy's rows; the target makes its own."""
    await _save(database, log, POSTINGS)
    source = Settings(home=home, database_url=store_url if "postgres" in store_url else None)
    done = await backup(source, tmp_path / "kept")
    target = Settings(home=tmp_path / "other")
    target.home.mkdir(mode=0o700)
    await restore(target, done.path)
    opened = await prepare_database(target.store_url, target.home)
    try:
        assert await opened.read(lambda conn: _found(conn, JobFilter(text="cto"))) == ["CTO"]
        assert await opened.read(lambda conn: _proposed(conn, "cto")) == 1
        await opened.write(lambda conn: conn.execute(update(JOBS).values(search_text=" same")))
        assert await opened.read(lambda conn: _proposed(conn, "same")) == len(POSTINGS)
        ids = await opened.read(lambda conn: list(conn.scalars(select(JOBS.c.job_id))))
        assert len(set(ids)) == len(POSTINGS)
    finally:
        await opened.close()
