"""What is new: the jobs found since the last digest, and the newest ones for a feed."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    String,
    Table,
    func,
    select,
)

from jobsteward.discover.store import JOB_DISCOVERED
from jobsteward.discover.tables import JOBS
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.store.engine import METADATA, lock
from jobsteward.store.event_log import JOB_EVENTS

DIGESTS = Table(
    "digests",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("digest_id", String, primary_key=True),
    Column("made_at", String, nullable=False),
    Column("through_event", BigInteger, nullable=False),
    Column("job_count", Integer, nullable=False),
    Index("digests_newest", "tenant_id", "through_event"),
)

MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job as a digest shows it; ``first_seen_at`` is RFC 3339 in UTC."""

    job_id: str
    title: str
    company: str
    locations: tuple[str, ...]
    remote: str
    url: str
    first_seen_at: str


@dataclass(frozen=True, slots=True)
class Digest:
    """The jobs found since ``since`` (None: since ever), newest first; ``jobs`` holds the
    newest `MOST_SHOWN`, ``count`` all of them. ``made_at`` is None for one only looked at."""

    since: str | None
    made_at: str | None
    count: int
    jobs: tuple[NewJob, ...]


def look(conn: Connection, tenant_id: str) -> Digest:
    """What a digest would hold now; the next one still does."""
    after, since = _last(conn, tenant_id)
    return _digest(conn, tenant_id, after, since, None)


def make_digest(conn: Connection, tenant_id: str) -> Digest:
    """The digest of now: what it counts is in no later one."""
    lock(conn, f"events:{tenant_id}")  # so that no event with a smaller id is still to come
    after, since = _last(conn, tenant_id)
    made = _digest(conn, tenant_id, after, since, timestamp(utc_now()))
    through = conn.scalar(
        select(func.max(JOB_EVENTS.c.event_id)).where(JOB_EVENTS.c.tenant_id == tenant_id)
    )
    row = {
        "tenant_id": tenant_id,
        "digest_id": "dig_" + secrets.token_hex(8),
        "made_at": made.made_at,
        "through_event": through or 0,
        "job_count": made.count,
    }
    conn.execute(DIGESTS.insert(), row)
    return made


def newest_jobs(conn: Connection, tenant_id: str, limit: int = 100) -> tuple[NewJob, ...]:
    """The tenant's jobs that were found last, newest first."""
    statement = (
        _JOB.where(JOBS.c.tenant_id == tenant_id)
        .order_by(JOBS.c.first_seen_at.desc(), JOBS.c.job_id.desc())
        .limit(limit)
    )
    return tuple(_new_job(row) for row in conn.execute(statement))


_JOB = select(*(JOBS.c[name] for name in NewJob.__dataclass_fields__))


def _digest(
    conn: Connection, tenant_id: str, after: int, since: str | None, made_at: str | None
) -> Digest:
    events = JOB_EVENTS.c
    found = (
        (events.tenant_id == tenant_id)
        & (events.event_id > after)
        & (events.event_type == JOB_DISCOVERED)
    )
    mine = (JOBS.c.tenant_id == events.tenant_id) & (JOBS.c.job_id == events.job_id)
    count = conn.scalar(select(func.count()).select_from(JOB_EVENTS).join(JOBS, mine).where(found))
    rows = conn.execute(
        _JOB.join(JOB_EVENTS, mine).where(found).order_by(events.event_id.desc()).limit(MOST_SHOWN)
    )
    return Digest(since, made_at, count or 0, tuple(_new_job(row) for row in rows))


def _last(conn: Connection, tenant_id: str) -> tuple[int, str | None]:
    row = conn.execute(
        select(DIGESTS.c.through_event, DIGESTS.c.made_at)
        .where(DIGESTS.c.tenant_id == tenant_id)
        .order_by(DIGESTS.c.through_event.desc(), DIGESTS.c.made_at.desc())
        .limit(1)
    ).first()
    return (row.through_event, row.made_at) if row else (0, None)


def _new_job(row: Any) -> NewJob:
    values = row._asdict()
    return NewJob(**values | {"locations": tuple(values["locations"])})
