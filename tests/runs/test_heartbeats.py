"""Heartbeat rows: ours only, validated, added up for the newest queue of a lane (OBS-5)."""

import pytest
from sqlalchemy import update

from jobsteward.runs.heartbeats import (
    MAX_DETAILS,
    ActiveDetail,
    ActiveWork,
    Beat,
    capacity_of,
    record_beats,
    remove_beats,
)
from jobsteward.runs.model import Lane
from jobsteward.runs.tables import HEARTBEATS
from jobsteward.store.engine import Database

pytestmark = pytest.mark.anyio


def beat(worker: str, runtime: str = "ours", queue: str = "work", total: int = 1) -> Beat:
    details = tuple(
        ActiveDetail("discovery_source_family", f"discover-{worker}", f"2026-01-01T00:00:{n:02d}Z")
        for n in range(min(total, MAX_DETAILS))
    )
    work = ActiveWork(total, details, truncated=total > MAX_DETAILS)
    return Beat(worker, runtime, Lane.BACKGROUND, queue, 4, work, 1, {"stuck": 2})


async def test_workers_of_one_queue_add_up(database: Database) -> None:
    await database.write(lambda conn: record_beats(conn, [beat("a"), beat("b", total=30)]))
    (found,) = await database.read(lambda conn: capacity_of(conn, "ours"))
    assert (found.workers, found.capacity, found.active.total) == (2, 8, 31)
    assert (len(found.active.details), found.active.truncated) == (MAX_DETAILS, True)
    assert (found.abandoned_threads, found.reconciled) == (2, {"stuck": 4})


async def test_foreign_stale_and_damaged_rows_do_not_count(database: Database) -> None:
    beats = [beat("a"), beat("b", runtime="other"), beat("stale"), beat("bad"), beat("odd")]
    await database.write(lambda conn: record_beats(conn, beats))
    changes: dict[str, dict[str, object]] = {
        "stale": {"beaten_at": "2020-01-01T00:00:00.000000Z"},
        "bad": {"body": {"capacity": -4}},
        "odd": {"lane": "express"},
    }
    for worker, values in changes.items():
        statement = update(HEARTBEATS).where(HEARTBEATS.c.worker_id == worker).values(values)
        await database.write(lambda conn, statement=statement: conn.execute(statement))  # type: ignore[misc]
    (found,) = await database.read(lambda conn: capacity_of(conn, "ours"))
    assert found.workers == 1


async def test_the_newest_workers_queue_decides(database: Database) -> None:
    """A queue that was renamed by an upgrade does not add to the new one."""
    await database.write(lambda conn: record_beats(conn, [beat("a", queue="before")]))
    await database.write(lambda conn: record_beats(conn, [beat("b", queue="after")]))
    (found,) = await database.read(lambda conn: capacity_of(conn, "ours"))
    assert (found.task_queue, found.workers) == ("after", 1)


async def test_a_worker_that_ended_is_gone(database: Database) -> None:
    await database.write(lambda conn: record_beats(conn, [beat("a")]))
    await database.write(lambda conn: remove_beats(conn, ["a"]))
    assert await database.read(lambda conn: capacity_of(conn, "ours")) == []
