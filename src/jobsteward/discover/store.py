"""Writing what a discovery run saw: jobs, their events, memberships and source outcomes.

Every function runs inside the caller's transaction and may be repeated: a retried batch
changes nothing and appends nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from jobsteward.discover.identity import content_digest
from jobsteward.discover.model import (
    DiscoveryExecutionRef,
    Posting,
    SavedPostings,
    SourceOutcome,
)
from jobsteward.discover.pipeline_state import StageWork, make_stale
from jobsteward.discover.search_text import searchable
from jobsteward.discover.tables import (
    DISCOVERY_EXECUTION_JOBS,
    DISCOVERY_SOURCE_OUTCOMES,
    JOB_DESCRIPTIONS,
    JOBS,
)
from jobsteward.kernel.canonical import digest, digest_text
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.events import NewEvent
from jobsteward.kernel.stages import Stage
from jobsteward.store.engine import insert_or_ignore, lock, upsert
from jobsteward.store.event_log import EventLog

JOB_DISCOVERED = "JobDiscovered"
JOB_UPDATED = "JobUpdated"
SOURCE_READ = "DiscoverySourceRead"

_CHUNK = 200  # keeps IN lists below every database's variable limit
_NEVER_CHANGED = frozenset({"first_seen_at", "version"})
_NO_NEWS = frozenset({"last_seen_at", "updated_at", "content_digest", "search_text", "place_text"})

_OF_JOB = (JOBS.c.tenant_id == bindparam("of_tenant"), JOBS.c.job_id == bindparam("of_job"))

Row = Mapping[str, Any]


def save_postings(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, postings: Sequence[Posting]
) -> SavedPostings:
    """Store the postings as the run's observations and say what changed.

    A new job appends JobDiscovered, new content JobUpdated with the names of the changed
    fields, which makes the work done on it stale; an unchanged one only moves
    ``last_seen_at``. An answer without a text keeps
    the stored one (DIS-9). Each job becomes a member of the run once, promoted from the
    backlog where it was there (DIS-2).
    """
    by_id = {posting.key.job_id: posting for posting in postings}
    lock(conn, f"jobs:{ref.tenant_id}")
    known = _rows(conn, ref.tenant_id, list(by_id))
    now = timestamp(utc_now())
    fresh: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    events: list[NewEvent] = []
    for job_id, posting in by_id.items():
        row, before = _row(ref.tenant_id, posting, now), known.get(job_id)
        if before is None:
            fresh.append(row)
            events.append(_event(ref, JOB_DISCOVERED, row, []))
            continue
        row["description_digest"] = row["description_digest"] or before["description_digest"]
        news = _news(before, row)
        if news:
            row["version"] = before["version"] + 1
            changed.append(row)
            events.append(_event(ref, JOB_UPDATED, row, news))
    unchanged = by_id.keys() - {row["job_id"] for row in (*fresh, *changed)}
    if fresh:
        conn.execute(JOBS.insert(), fresh)
    _update(conn, ref.tenant_id, changed)
    _touch(conn, ref.tenant_id, sorted(unchanged), now)
    _write_descriptions(conn, ref.tenant_id, by_id, [*fresh, *changed])
    _join_run(conn, ref, list(by_id), now)
    log.append_all(conn, events)
    work = StageWork(ref.tenant_id, ref.workflow_id, ref.run_id)
    make_stale(conn, log, work, [row["job_id"] for row in changed], Stage.DISCOVER)
    return SavedPostings(len(fresh), len(changed), len(unchanged))


def save_text(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, posting: Posting
) -> bool:
    """Make the posting's text that of its stored job; say whether that changed anything.

    Only the text: what else a page says stays in its snapshot, so that the next list, which
    does not say it, takes nothing away (DIS-9).
    """
    job_id, text = posting.key.job_id, posting.description
    lock(conn, f"jobs:{ref.tenant_id}")
    before = _rows(conn, ref.tenant_id, [job_id]).get(job_id)
    if before is None or not text or before["description_digest"] == digest_text(text):
        return False
    row = dict(before) | {
        "description_digest": digest_text(text),
        "version": before["version"] + 1,
    }
    _update(conn, ref.tenant_id, [row])
    _write_descriptions(conn, ref.tenant_id, {job_id: posting}, [row])
    log.append(conn, _event(ref, JOB_UPDATED, row, ["description_digest"]))
    return True


def save_outcome(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, outcome: SourceOutcome
) -> None:
    """Keep how a source fared in this run; a later attempt's outcome replaces it (DIS-3)."""
    run = asdict(ref)
    values = asdict(outcome)
    upsert(conn, DISCOVERY_SOURCE_OUTCOMES, [run | values | {"recorded_at": timestamp(utc_now())}])
    log.append(
        conn,
        NewEvent(
            tenant_id=ref.tenant_id,
            entity_kind="source",
            entity_ref=outcome.source,
            event_type=SOURCE_READ,
            idempotency_key=f"source-read:{digest([run, values])}",
            payload={
                "status": outcome.status,
                "httpStatus": outcome.http_status,
                "found": outcome.found,
                "broken": outcome.broken,
                "advertised": outcome.advertised,
                "code": outcome.code,
            },
            workflow_id=ref.workflow_id,
            run_id=ref.run_id,
        ),
    )


def _row(tenant_id: str, posting: Posting, now: str) -> dict[str, Any]:
    text = posting.description
    return {
        "tenant_id": tenant_id,
        "job_id": posting.key.job_id,
        "provider": posting.key.provider,
        "board": posting.key.board,
        "posting_id": posting.key.posting_id,
        "url": posting.url,
        "apply_url": posting.apply_url,
        "title": posting.title,
        "company": posting.company,
        "locations": list(posting.locations),
        "remote": posting.remote,
        "workplace": posting.workplace,
        "employment_type": posting.employment_type,
        "department": posting.department,
        "pay": [asdict(pay) for pay in posting.pay],
        "posted_at": posting.posted_at,
        "updated_at": posting.updated_at,
        "first_seen_at": now,
        "last_seen_at": now,
        "version": 1,
        "content_digest": content_digest(posting),
        "description_digest": digest_text(text) if text else None,
        "search_text": searchable(
            posting.title, posting.company, posting.department, posting.employment_type,
            *posting.locations,
        ),
        "place_text": searchable(*posting.locations),
    }  # fmt: skip


def _rows(conn: Connection, tenant_id: str, job_ids: list[str]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for start in range(0, len(job_ids), _CHUNK):
        part = job_ids[start : start + _CHUNK]
        statement = select(JOBS).where(JOBS.c.tenant_id == tenant_id, JOBS.c.job_id.in_(part))
        found |= {row.job_id: row._asdict() for row in conn.execute(statement)}
    return found


def _news(before: Row, row: Row) -> list[str]:
    quiet = _NEVER_CHANGED | _NO_NEWS
    return sorted(name for name in row if name not in quiet and row[name] != before[name])


def _event(ref: DiscoveryExecutionRef, event_type: str, row: Row, changed: list[str]) -> NewEvent:
    version = row["version"]
    payload = {"provider": row["provider"], "version": version}
    return NewEvent(
        tenant_id=ref.tenant_id,
        entity_kind="job",
        entity_ref=row["job_id"],
        event_type=event_type,
        idempotency_key=f"job-content:{row['job_id']}:{version}",
        payload=payload | {"changed": changed} if changed else payload,
        job_id=row["job_id"],
        workflow_id=ref.workflow_id,
        run_id=ref.run_id,
    )


def _update(conn: Connection, tenant_id: str, rows: list[dict[str, Any]]) -> None:
    if not rows:
        return
    names = [name for name in rows[0] if name not in {"tenant_id", "job_id", "first_seen_at"}]
    statement = update(JOBS).where(*_OF_JOB).values({name: bindparam(name) for name in names})
    conn.execute(
        statement,
        [
            {"of_tenant": tenant_id, "of_job": row["job_id"]} | {name: row[name] for name in names}
            for row in rows
        ],
    )


def _touch(conn: Connection, tenant_id: str, job_ids: list[str], now: str) -> None:
    for start in range(0, len(job_ids), _CHUNK):
        part = job_ids[start : start + _CHUNK]
        conn.execute(
            update(JOBS)
            .where(JOBS.c.tenant_id == tenant_id, JOBS.c.job_id.in_(part))
            .values(last_seen_at=now)
        )


def _write_descriptions(
    conn: Connection, tenant_id: str, by_id: Mapping[str, Posting], rows: Sequence[Row]
) -> None:
    texts = [
        {"tenant_id": tenant_id, "job_id": row["job_id"], "description": text}
        for row in rows
        if (text := by_id[row["job_id"]].description)
    ]
    upsert(conn, JOB_DESCRIPTIONS, texts)


def _join_run(conn: Connection, ref: DiscoveryExecutionRef, job_ids: list[str], now: str) -> None:
    table = DISCOVERY_EXECUTION_JOBS
    rows = [
        asdict(ref)
        | {
            "job_id": job_id,
            "cohort": "observed_this_run",
            "work_plan": "pending",
            "added_at": now,
        }
        for job_id in job_ids
    ]
    insert_or_ignore(conn, table, rows)
    for start in range(0, len(job_ids), _CHUNK):
        conn.execute(
            update(table)
            .where(
                table.c.tenant_id == ref.tenant_id,
                table.c.workflow_id == ref.workflow_id,
                table.c.run_id == ref.run_id,
                table.c.job_id.in_(job_ids[start : start + _CHUNK]),
                table.c.cohort == "existing_backlog",
            )
            .values(cohort="observed_this_run")
        )
