"""What was decided on each posting, and what a person decided instead (DIS-7).

A refused posting leaves its decision, title and URL here and nothing anywhere else. Every
function runs inside the caller's transaction and may be repeated.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    String,
    Table,
    select,
)

from jobsteward.discover.admit import ADMITTED, Check, Decision, Reason
from jobsteward.discover.model import DiscoveryExecutionRef, Posting
from jobsteward.discover.tables import JOBS
from jobsteward.discover.understand.evidence import Span
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import NotFoundError
from jobsteward.kernel.events import NewEvent
from jobsteward.store.engine import METADATA, lock, upsert
from jobsteward.store.event_log import EventLog

JOB_ADMISSIONS = Table(
    "job_admissions",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("reason", String),
    Column("checks", JSON, nullable=False),
    Column("basis", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("by_person", Boolean, nullable=False),
    Column("title", String, nullable=False),
    Column("url", String, nullable=False),
    Column("decided_at", String, nullable=False),
)

JOB_ADMITTED = "JobAdmitted"
JOB_REFUSED = "JobRefused"
_CHUNK = 200
_BY_PERSON: Reason = "refused_by_person"


@dataclass(frozen=True, slots=True)
class Admission:
    """The standing decision on a posting. ``revision`` counts how often it changed, from 1.

    ``by_person`` decisions stand whatever the rules say. ``basis`` tells which preferences
    it rests on.
    """

    job_id: str
    decision: Decision
    by_person: bool
    basis: str
    revision: int
    title: str
    url: str
    decided_at: str


def record_decisions(
    conn: Connection,
    log: EventLog,
    ref: DiscoveryExecutionRef,
    decided: Sequence[tuple[Posting, Decision]],
    basis: str,
) -> dict[str, Decision]:
    """Keep the decisions and say which ones stand, by job id (P010, J12).

    A person's own decision stands against the rules. A posting that comes back after a
    refusal, or is refused after it was let in, appends JobAdmitted or JobRefused; being seen
    again without a change writes nothing.
    """
    lock(conn, f"jobs:{ref.tenant_id}")
    by_id = {posting.key.job_id: (posting, decision) for posting, decision in decided}
    known = _known(conn, ref.tenant_id, list(by_id))
    rows: list[dict[str, Any]] = []
    events: list[NewEvent] = []
    standing: dict[str, Decision] = {}
    for job_id, (posting, decision) in by_id.items():
        before = known.get(job_id)
        if before and before.by_person:
            standing[job_id] = before.decision
            continue
        standing[job_id] = decision
        if before and (before.decision, before.basis) == (decision, basis):
            continue
        if before is None and decision == ADMITTED:
            continue  # no rule was asked: there is nothing to explain
        turned = before is not None and before.decision.admitted != decision.admitted
        row = _row(ref.tenant_id, job_id, decision, before, turned)
        rows.append(row | {"basis": basis, "title": posting.title, "url": posting.url})
        if turned:
            events.append(_event(ref.tenant_id, job_id, decision, row["revision"], ref))
    upsert(conn, JOB_ADMISSIONS, rows)
    log.append_all(conn, events)
    return standing


def find_admission(conn: Connection, tenant_id: str, job_id: str) -> Admission | None:
    """The standing decision on a posting, None where none was ever taken."""
    return _known(conn, tenant_id, [job_id]).get(job_id)


def refuse_job(conn: Connection, log: EventLog, tenant_id: str, job_id: str) -> Admission:
    """Leave a job out because a person says so; no later sighting brings it back (J12).

    Raises NotFoundError for a job that was never seen.
    """
    return _by_hand(conn, log, tenant_id, job_id, Decision(_BY_PERSON))


def readmit_job(conn: Connection, log: EventLog, tenant_id: str, job_id: str) -> Admission:
    """Let a job in because a person says so; it is stored when it is next seen.

    Raises NotFoundError for a job that was never seen.
    """
    return _by_hand(conn, log, tenant_id, job_id, Decision())


def not_refused() -> ColumnElement[bool]:
    """A condition on `JOBS`: no standing decision leaves the job out."""
    columns = JOB_ADMISSIONS.c
    return ~(
        select(columns.job_id)
        .where(
            columns.tenant_id == JOBS.c.tenant_id,
            columns.job_id == JOBS.c.job_id,
            columns.reason.is_not(None),
        )
        .exists()
    )


def _by_hand(
    conn: Connection, log: EventLog, tenant_id: str, job_id: str, decision: Decision
) -> Admission:
    lock(conn, f"jobs:{tenant_id}")
    before = find_admission(conn, tenant_id, job_id)
    if before and before.by_person and before.decision == decision:
        return before
    title, url = (before.title, before.url) if before else _of_job(conn, tenant_id, job_id)
    basis = before.basis if before else ""
    row = _row(tenant_id, job_id, decision, before, turned=True)
    row |= {"by_person": True, "basis": basis, "title": title, "url": url}
    upsert(conn, JOB_ADMISSIONS, [row])
    log.append(conn, _event(tenant_id, job_id, decision, row["revision"]))
    return _admission(row)


def _of_job(conn: Connection, tenant_id: str, job_id: str) -> tuple[str, str]:
    row = conn.execute(
        select(JOBS.c.title, JOBS.c.url).where(
            JOBS.c.tenant_id == tenant_id, JOBS.c.job_id == job_id
        )
    ).first()
    if row is None:
        raise NotFoundError("there is no such job; search_jobs lists those there are")
    return row.title, row.url


def _known(conn: Connection, tenant_id: str, job_ids: list[str]) -> dict[str, Admission]:
    columns = JOB_ADMISSIONS.c
    found: dict[str, Admission] = {}
    for start in range(0, len(job_ids), _CHUNK):
        part = job_ids[start : start + _CHUNK]
        statement = select(JOB_ADMISSIONS).where(
            columns.tenant_id == tenant_id, columns.job_id.in_(part)
        )
        found |= {row.job_id: _admission(row._mapping) for row in conn.execute(statement)}
    return found


def _row(
    tenant_id: str, job_id: str, decision: Decision, before: Admission | None, turned: bool
) -> dict[str, Any]:
    return {
        "tenant_id": tenant_id,
        "job_id": job_id,
        "reason": decision.reason,
        "checks": [asdict(check) for check in decision.checks],
        "revision": before.revision + turned if before else 1,
        "by_person": False,
        "decided_at": timestamp(utc_now()),
    }


def _admission(row: Mapping[Any, Any]) -> Admission:
    checks = tuple(
        Check(
            check["rule"],
            check["answer"],
            tuple(Span(**span) for span in check["spans"]),
            check["term"],
        )
        for check in row["checks"]
    )
    return Admission(
        job_id=row["job_id"],
        decision=Decision(row["reason"], checks),
        by_person=row["by_person"],
        basis=row["basis"],
        revision=row["revision"],
        title=row["title"],
        url=row["url"],
        decided_at=row["decided_at"],
    )


def _event(
    tenant_id: str,
    job_id: str,
    decision: Decision,
    revision: int,
    ref: DiscoveryExecutionRef | None = None,
) -> NewEvent:
    return NewEvent(
        tenant_id=tenant_id,
        entity_kind="job",
        entity_ref=job_id,
        event_type=JOB_ADMITTED if decision.admitted else JOB_REFUSED,
        idempotency_key=f"job-admission:{job_id}:{revision}",
        payload={"reason": decision.reason, "revision": revision, "byPerson": ref is None},
        job_id=job_id,
        workflow_id=ref.workflow_id if ref else None,
        run_id=ref.run_id if ref else None,
    )
