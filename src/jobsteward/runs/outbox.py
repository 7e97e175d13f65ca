"""The outbox: private envelopes that wait to be delivered to Temporal, one process at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, and_, exists, func, or_, select, update

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs.model import OPEN_STATES, ExecutionState
from jobsteward.runs.tables import EXECUTIONS, SCHEDULED_JOBS
from jobsteward.store.engine import insert_or_ignore

EXECUTION_START = "execution_start"
EXECUTION_CANCEL = "execution_cancel"
KINDS = (EXECUTION_START, EXECUTION_CANCEL)
CLAIM_FOR = timedelta(seconds=15)
"""How long a claim holds; longer than one start attempt may take."""
_LONGEST_DELAY = timedelta(minutes=1)
"""No envelope is put off for longer."""

_INSERT = SCHEDULED_JOBS.insert()


@dataclass(frozen=True, slots=True)
class Envelope:
    """One delivery to make; never part of a public answer (ADM-4)."""

    job_id: str
    job_type: str
    tenant_id: str
    execution_id: str
    attempts: int
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many envelopes are undelivered, and since when the oldest could be."""

    pending: int
    oldest: str | None


def add_start(
    conn: Connection,
    tenant_id: str,
    execution_id: str,
    payload: Mapping[str, Any],
    *,
    waiting: bool,
    claim_token: str | None,
) -> None:
    """Add the start of an execution, claimed by whoever is about to make it, if anybody.

    A waiting one stays behind a live run until `promote_waiting` frees it.
    """
    row = _row(tenant_id, execution_id, EXECUTION_START, payload)
    if waiting:
        row["status"] = "waiting"
    elif claim_token is not None:
        row |= {"claim_token": claim_token, "claimed_until": timestamp(utc_now() + CLAIM_FOR)}
    conn.execute(_INSERT, row)


def add_cancel(
    conn: Connection, tenant_id: str, execution_id: str, payload: Mapping[str, Any]
) -> None:
    """Add the delivery of a stored cancel request; a second one changes nothing."""
    row = _row(tenant_id, execution_id, EXECUTION_CANCEL, payload)
    insert_or_ignore(conn, SCHEDULED_JOBS, [row])


def _row(
    tenant_id: str, execution_id: str, job_type: str, payload: Mapping[str, Any]
) -> dict[str, Any]:
    now = timestamp(utc_now())
    return {
        "job_id": f"{job_type}:{execution_id}",
        "tenant_id": tenant_id,
        "job_type": job_type,
        "execution_id": execution_id,
        "status": "pending",
        "execute_at": now,
        "created_at": now,
        "claim_token": None,
        "claimed_until": None,
        "attempts": 0,
        "payload": dict(payload),
    }


def claim_due(
    conn: Connection, claim_token: str, limit: int, kinds: Sequence[str] = KINDS
) -> list[Envelope]:
    """Claim envelopes of these kinds that are due and that nobody holds, oldest first."""
    columns = SCHEDULED_JOBS.c
    now = utc_now()
    due = (
        select(SCHEDULED_JOBS)
        .where(
            columns.status == "pending",
            columns.job_type.in_(kinds),
            _outside(columns.execute_at, now, _LONGEST_DELAY),
            _unheld(now),
        )
        .order_by(columns.execute_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    rows = conn.execute(due).all()
    if rows:
        conn.execute(
            update(SCHEDULED_JOBS)
            .where(columns.job_id.in_([row.job_id for row in rows]))
            .values(claim_token=claim_token, claimed_until=timestamp(utc_now() + CLAIM_FOR))
        )
    return [
        Envelope(
            row.job_id, row.job_type, row.tenant_id, row.execution_id, row.attempts, row.payload
        )
        for row in rows
    ]


def _unheld(now: datetime) -> ColumnElement[bool]:
    columns = SCHEDULED_JOBS.c
    return or_(columns.claim_token.is_(None), _outside(columns.claimed_until, now, CLAIM_FOR))


def _outside(moment: Column[str], now: datetime, longest: timedelta) -> ColumnElement[bool]:
    """Whether the moment has passed, or was written by a clock that was put back since (F43)."""
    return or_(moment <= timestamp(now), moment > timestamp(now + longest))


def release(
    conn: Connection, job_id: str, claim_token: str, *, error: str, delay: timedelta
) -> bool:
    """Give the claim back after a failed or uncertain attempt; due again after ``delay``."""
    return _if_held(
        conn,
        job_id,
        claim_token,
        claim_token=None,
        claimed_until=None,
        attempts=SCHEDULED_JOBS.c.attempts + 1,
        last_error=error,
        execute_at=timestamp(utc_now() + delay),
    )


def mark_dispatched(conn: Connection, job_id: str) -> None:
    """Record the confirmed delivery; whoever confirms it last changes nothing."""
    conn.execute(
        update(SCHEDULED_JOBS)
        .where(SCHEDULED_JOBS.c.job_id == job_id, SCHEDULED_JOBS.c.status != "dispatched")
        .values(
            status="dispatched",
            dispatched_at=timestamp(utc_now()),
            claim_token=None,
            claimed_until=None,
            last_error=None,
        )
    )


def _if_held(conn: Connection, job_id: str, holder: str, **values: Any) -> bool:
    columns = SCHEDULED_JOBS.c
    statement = update(SCHEDULED_JOBS).where(
        columns.job_id == job_id, columns.claim_token == holder
    )
    return conn.execute(statement.values(values)).rowcount == 1


def never_sent(conn: Connection, execution_id: str) -> bool:
    """Whether no start of this execution was ever tried, so that no run can exist."""
    columns = SCHEDULED_JOBS.c
    untouched = and_(
        columns.status == "pending", columns.attempts == 0, columns.claim_token.is_(None)
    )
    statement = select(columns.job_id).where(
        columns.job_id == f"{EXECUTION_START}:{execution_id}",
        or_(columns.status == "waiting", untouched),
    )
    return conn.scalar(statement.with_for_update()) is not None


def drop_start(conn: Connection, execution_id: str) -> None:
    """Never start this execution."""
    conn.execute(
        update(SCHEDULED_JOBS)
        .where(
            SCHEDULED_JOBS.c.job_id == f"{EXECUTION_START}:{execution_id}",
            SCHEDULED_JOBS.c.status.in_(("pending", "waiting")),
        )
        .values(status="dropped", claim_token=None, claimed_until=None)
    )


def promote_waiting(conn: Connection) -> int:
    """Free the envelopes whose workflow id no earlier live execution holds any more."""
    own, earlier = EXECUTIONS.alias("own"), EXECUTIONS.alias("earlier")
    held = exists().where(
        earlier.c.tenant_id == own.c.tenant_id,
        earlier.c.workflow_id == own.c.workflow_id,
        earlier.c.group_id != own.c.group_id,
        earlier.c.state.in_(OPEN_STATES),
        or_(
            earlier.c.created_at < own.c.created_at,
            and_(
                earlier.c.created_at == own.c.created_at,
                earlier.c.execution_id < own.c.execution_id,
            ),
        ),
    )
    jobs = SCHEDULED_JOBS.c
    # A group waits as long as one of its executions does; the first may have left it.
    free = conn.scalars(
        select(own.c.group_id)
        .join(SCHEDULED_JOBS, jobs.execution_id == own.c.group_id)
        .where(jobs.status == "waiting", own.c.state == ExecutionState.WAITING, ~held)
        .distinct()
        .limit(200)
    ).all()
    if not free:
        return 0
    conn.execute(
        update(SCHEDULED_JOBS)
        .where(jobs.execution_id.in_(free), jobs.status == "waiting")
        .values(status="pending", execute_at=timestamp(utc_now()))
    )
    conn.execute(
        update(EXECUTIONS)
        .where(EXECUTIONS.c.group_id.in_(free), EXECUTIONS.c.state == ExecutionState.WAITING)
        .values(state=ExecutionState.READY, waits_for=None)
    )
    return len(free)


def has_work(conn: Connection) -> bool:
    """Whether anything is undelivered; cheap enough to ask each second."""
    undelivered = SCHEDULED_JOBS.c.status.in_(("pending", "waiting"))
    return conn.scalar(select(SCHEDULED_JOBS.c.job_id).where(undelivered).limit(1)) is not None


def drop_unclaimed_start(conn: Connection, execution_id: str) -> bool:
    """Drop a start that nobody is making now; False while somebody may be.

    An attempt that failed may still have reached Temporal, but its run then finds its
    execution closed at the start marker and ends without any effect.
    """
    columns = SCHEDULED_JOBS.c
    statement = (
        update(SCHEDULED_JOBS)
        .where(
            columns.job_id == f"{EXECUTION_START}:{execution_id}",
            columns.status.in_(("pending", "waiting")),
            _unheld(utc_now()),
        )
        .values(status="dropped", claim_token=None, claimed_until=None)
    )
    return conn.execute(statement).rowcount == 1


def start_envelope(conn: Connection, execution_id: str) -> Mapping[str, Any] | None:
    """The frozen configuration and arguments an execution was admitted with (ADM-4)."""
    return conn.scalar(
        select(SCHEDULED_JOBS.c.payload).where(
            SCHEDULED_JOBS.c.job_id == f"{EXECUTION_START}:{execution_id}"
        )
    )


def backlog(conn: Connection) -> Backlog:
    """Undelivered envelopes of all tenants, for the metric (ADM-1)."""
    columns = SCHEDULED_JOBS.c
    count, oldest = conn.execute(
        select(func.count(), func.min(columns.created_at)).where(
            columns.status.in_(("pending", "waiting"))
        )
    ).one()
    return Backlog(count, oldest)
