"""Schedules: rows that start work at their times, through admission like any request.

Whoever fires a schedule does it in one transaction: look at the row, admit the execution,
set the next time. So any number of processes may try, and each due time is used once; what
was missed while nobody ran is made up for once.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import JSON, Column, Connection, Index, Integer, Row, String, Table, select, update

from jobsteward.kernel.clock import parse_timestamp, timestamp, utc_now
from jobsteward.kernel.errors import ConflictError, JobstewardError, NotFoundError
from jobsteward.kernel.events import NewEvent
from jobsteward.runs import store
from jobsteward.runs.timing import Timing, check_timing, next_after
from jobsteward.runs.views import find_execution
from jobsteward.store.engine import METADATA, lock
from jobsteward.store.event_log import EventLog

SCHEDULES = Table(
    "schedules",
    METADATA,
    Column("schedule_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("name", String, nullable=False),
    Column("workflow", String, nullable=False),
    Column("inputs", JSON, nullable=False),
    Column("timing", JSON, nullable=False),
    Column("created_at", String, nullable=False),
    Column("next_at", String, nullable=False),
    Column("last_at", String),
    Column("last_execution_id", String),
    Column("skipped", Integer, nullable=False),
    Index("schedules_due", "next_at"),
    Index("schedules_tenant", "tenant_id", "created_at"),
)

PRIORITY = 3
"""Scheduled work runs in the background, before fan-out and after what people wait for."""
MOST = 100
"""Schedules of one tenant."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """What to start and when. Times are RFC 3339 in UTC; ``skipped`` counts due times at which
    the run before was still going."""

    schedule_id: str
    tenant_id: str
    name: str
    workflow: str
    inputs: Mapping[str, Any]
    timing: Timing
    created_at: str
    next_at: str
    last_at: str | None = None
    last_execution_id: str | None = None
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Fired:
    """What a due schedule came to. ``code`` says why it could not be started."""

    schedule: Schedule
    outcome: Literal["started", "skipped", "refused"]
    code: str | None = None


ToAdmission = Callable[[Schedule, str], store.Admission]
"""The request that a schedule makes, with this idempotency key; raises what admission would."""


def add_schedule(
    conn: Connection,
    log: EventLog,
    tenant_id: str,
    *,
    name: str,
    workflow: str,
    inputs: Mapping[str, Any],
    timing: Timing,
) -> Schedule:
    """The new schedule. Raises InvalidInputError for a timing that is none, ConflictError
    where the tenant has too many."""
    check_timing(timing)
    lock(conn, f"schedules:{tenant_id}")
    if len(list_schedules(conn, tenant_id)) >= MOST:
        raise ConflictError(f"there are {MOST} schedules already; remove one first")
    now = utc_now()
    schedule = Schedule(
        schedule_id="sch_" + secrets.token_hex(8),
        tenant_id=tenant_id,
        name=name,
        workflow=workflow,
        inputs=dict(inputs),
        timing=timing,
        created_at=timestamp(now),
        next_at=timestamp(next_after(timing, now, now)),
    )
    conn.execute(SCHEDULES.insert(), asdict(schedule))
    _note(conn, log, schedule, "ScheduleAdded", "added", {"workflow": workflow})
    return schedule


def list_schedules(conn: Connection, tenant_id: str) -> list[Schedule]:
    """The tenant's schedules, oldest first."""
    columns = SCHEDULES.c
    rows = conn.execute(
        select(SCHEDULES)
        .where(columns.tenant_id == tenant_id)
        .order_by(columns.created_at, columns.schedule_id)
    )
    return [_schedule(row) for row in rows]


def remove_schedule(conn: Connection, log: EventLog, tenant_id: str, schedule_id: str) -> Schedule:
    """The schedule, gone; what it started goes on. Raises NotFoundError."""
    columns = SCHEDULES.c
    mine = (columns.tenant_id == tenant_id, columns.schedule_id == schedule_id)
    row = conn.execute(select(SCHEDULES).where(*mine)).first()
    if row is None:
        raise NotFoundError("no such schedule; list yours with: jobsteward schedule list")
    conn.execute(SCHEDULES.delete().where(*mine))
    schedule = _schedule(row)
    _note(conn, log, schedule, "ScheduleRemoved", "removed", {})
    return schedule


def has_due(conn: Connection) -> bool:
    """Whether any schedule is due; cheap enough to ask each second."""
    due = select(SCHEDULES.c.schedule_id).where(SCHEDULES.c.next_at <= timestamp(utc_now()))
    return conn.scalar(due.limit(1)) is not None


def fire_next(conn: Connection, log: EventLog, to_admission: ToAdmission) -> Fired | None:
    """Start the schedule that has been due longest; None where none is.

    While the execution that it started before has not ended, the due time is skipped.
    """
    now = utc_now()
    columns = SCHEDULES.c
    row = conn.execute(
        select(SCHEDULES)
        .where(columns.next_at <= timestamp(now))
        .order_by(columns.next_at, columns.schedule_id)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    if row is None:
        return None
    schedule = _schedule(row)
    _set_next(conn, schedule, now)
    if _still_going(conn, schedule):
        conn.execute(
            update(SCHEDULES)
            .where(columns.schedule_id == schedule.schedule_id)
            .values(skipped=columns.skipped + 1)
        )
        _note(conn, log, schedule, "ScheduleSkipped", schedule.next_at, {})
        return Fired(schedule, "skipped")
    return _start(conn, log, schedule, to_admission)


def _start(conn: Connection, log: EventLog, schedule: Schedule, to_admission: ToAdmission) -> Fired:
    key = f"{schedule.schedule_id}:{schedule.next_at}"
    try:
        request = to_admission(schedule, key)
    except JobstewardError as error:
        # Its workflow or inputs no longer fit this version; a person has to look.
        _note(conn, log, schedule, "ScheduleRefused", schedule.next_at, {"code": error.code})
        return Fired(schedule, "refused", error.code)
    execution_id = store.admit(conn, log, request).execution.execution_id
    conn.execute(
        update(SCHEDULES)
        .where(SCHEDULES.c.schedule_id == schedule.schedule_id)
        .values(last_at=schedule.next_at, last_execution_id=execution_id)
    )
    fired = {"executionId": execution_id}
    _note(conn, log, schedule, "ScheduleFired", schedule.next_at, fired)
    return Fired(schedule, "started")


def _set_next(conn: Connection, schedule: Schedule, now: datetime) -> None:
    following = next_after(schedule.timing, parse_timestamp(schedule.next_at), now)
    conn.execute(
        update(SCHEDULES)
        .where(SCHEDULES.c.schedule_id == schedule.schedule_id)
        .values(next_at=timestamp(following))
    )


def _still_going(conn: Connection, schedule: Schedule) -> bool:
    if schedule.last_execution_id is None:
        return False
    before = find_execution(conn, schedule.tenant_id, schedule.last_execution_id)
    return before is not None and not before.is_terminal


def _note(
    conn: Connection,
    log: EventLog,
    schedule: Schedule,
    event_type: str,
    moment: str,
    payload: Mapping[str, Any],
) -> None:
    log.append(
        conn,
        NewEvent(
            tenant_id=schedule.tenant_id,
            entity_kind="schedule",
            entity_ref=schedule.schedule_id,
            event_type=event_type,
            idempotency_key=f"schedule:{schedule.schedule_id}:{moment}",
            payload=payload,
        ),
    )


def _schedule(row: Row[Any]) -> Schedule:
    values = row._asdict()
    timing = values.pop("timing")
    days, at = tuple(timing["days"]), tuple(timing["at"])
    return Schedule(**values, timing=Timing(at, days, timing["zone"], timing["every_minutes"]))
