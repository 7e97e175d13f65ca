"""The append-only event log: every fact once, in order, folded into its projections."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    func,
    select,
    tuple_,
)

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.events import Event, NewEvent
from jobsteward.store.engine import METADATA, lock
from jobsteward.store.projector import Projector

_CHUNK = 400  # keeps IN lists below every database's variable limit

JOB_EVENTS = Table(
    "job_events",
    METADATA,
    Column(
        "event_id",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("tenant_id", String, nullable=False),
    Column("entity_kind", String, nullable=False),
    Column("entity_ref", String, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("event_type", String, nullable=False),
    Column("idempotency_key", String, nullable=False),
    Column("job_id", String),
    Column("workflow_id", String),
    Column("run_id", String),
    Column("payload", JSON, nullable=False),
    Column("occurred_at", String, nullable=False),
    UniqueConstraint("tenant_id", "idempotency_key", name="job_events_once"),
    UniqueConstraint("tenant_id", "entity_kind", "entity_ref", "seq", name="job_events_order"),
    Index("job_events_by_job", "tenant_id", "job_id", "event_id"),
    sqlite_autoincrement=True,
)


class EventLog:
    """Appends to ``job_events`` and advances the projections in the same transaction."""

    def __init__(self, projector: Projector) -> None:
        self.projector = projector

    def append(self, conn: Connection, event: NewEvent) -> Event | None:
        """The stored event, or None where its idempotency key already stands (ENV-4)."""
        stored = self.append_all(conn, [event])
        return stored[0] if stored else None

    def append_all(self, conn: Connection, events: Sequence[NewEvent]) -> list[Event]:
        """The events that were new, stored in order and folded.

        All events of one call belong to one tenant. Appends of a tenant are serialised, so
        that ``event_id`` order is commit order and a tail by id misses nothing.
        """
        if not events:
            return []
        tenant = events[0].tenant_id
        lock(conn, f"events:{tenant}")
        if len(events) == 1:
            fresh, last = _look_for_one(conn, events[0])
        else:
            fresh = _not_yet_stored(conn, tenant, events)
            last = _last_seqs(conn, tenant, fresh)
        if not fresh:
            return []
        stored = _insert(conn, fresh, last)
        self.projector.fold(conn, stored)
        return stored


def last_event_id(conn: Connection) -> int:
    """The id of the newest event, 0 for an empty log."""
    return conn.scalar(select(func.max(JOB_EVENTS.c.event_id))) or 0


@dataclass(frozen=True, slots=True)
class Touched:
    """Whose event it was, without what it says."""

    event_id: int
    tenant_id: str
    kind: str
    ref: str


def touched_after(conn: Connection, after: int, limit: int) -> list[Touched]:
    """The entities of the events with a greater id, in log order, for a tail that wakes
    whom they concern."""
    columns = JOB_EVENTS.c
    statement = (
        select(columns.event_id, columns.tenant_id, columns.entity_kind, columns.entity_ref)
        .where(columns.event_id > after)
        .order_by(columns.event_id)
        .limit(limit)
    )
    return [Touched(*row) for row in conn.execute(statement)]


def events_after(
    conn: Connection,
    tenant_id: str,
    entities: Sequence[tuple[str, str]],
    after: int,
    limit: int = 500,
) -> list[Event]:
    """Events of the (kind, ref) entities with a greater id, in log order."""
    found: list[Event] = []
    for kind, ref in entities:
        statement = (
            select(JOB_EVENTS)
            .where(
                JOB_EVENTS.c.tenant_id == tenant_id,
                JOB_EVENTS.c.entity_kind == kind,
                JOB_EVENTS.c.entity_ref == ref,
                JOB_EVENTS.c.event_id > after,
            )
            .order_by(JOB_EVENTS.c.seq)
            .limit(limit)
        )
        found += [_event(row) for row in conn.execute(statement)]
    return sorted(found, key=lambda event: event.event_id)[:limit]


def whole_log(conn: Connection, chunk: int = 1000) -> Iterator[list[Event]]:
    """The log from its start, in chunks, for rebuilding projections."""
    after = 0
    while True:
        statement = (
            select(JOB_EVENTS)
            .where(JOB_EVENTS.c.event_id > after)
            .order_by(JOB_EVENTS.c.event_id)
            .limit(chunk)
        )
        events = [_event(row) for row in conn.execute(statement)]
        if not events:
            return
        yield events
        after = events[-1].event_id


# Built once: most appends are of a single event, and building a statement costs more than
# running it.
_ONE = select(
    select(func.count())
    .where(
        JOB_EVENTS.c.tenant_id == bindparam("tenant"),
        JOB_EVENTS.c.idempotency_key == bindparam("key"),
    )
    .scalar_subquery(),
    select(func.max(JOB_EVENTS.c.seq))
    .where(
        JOB_EVENTS.c.tenant_id == bindparam("tenant"),
        JOB_EVENTS.c.entity_kind == bindparam("kind"),
        JOB_EVENTS.c.entity_ref == bindparam("ref"),
    )
    .scalar_subquery(),
)
_INSERT = JOB_EVENTS.insert().returning(JOB_EVENTS.c.event_id, sort_by_parameter_order=True)


def _look_for_one(
    conn: Connection, event: NewEvent
) -> tuple[list[NewEvent], dict[tuple[str, str], int]]:
    """The event where its key is free, and its entity's last seq."""
    look = {
        "tenant": event.tenant_id,
        "key": event.idempotency_key,
        "kind": event.entity_kind,
        "ref": event.entity_ref,
    }
    stored, seq = conn.execute(_ONE, look).one()
    return [] if stored else [event], {(event.entity_kind, event.entity_ref): seq or 0}


def _not_yet_stored(conn: Connection, tenant: str, events: Sequence[NewEvent]) -> list[NewEvent]:
    by_key = {event.idempotency_key: event for event in reversed(events)}
    keys = list(by_key)
    for start in range(0, len(keys), _CHUNK):
        statement = select(JOB_EVENTS.c.idempotency_key).where(
            JOB_EVENTS.c.tenant_id == tenant,
            JOB_EVENTS.c.idempotency_key.in_(keys[start : start + _CHUNK]),
        )
        for key in conn.scalars(statement):
            del by_key[key]
    return [event for event in events if by_key.get(event.idempotency_key) is event]


def _last_seqs(
    conn: Connection, tenant: str, events: Sequence[NewEvent]
) -> dict[tuple[str, str], int]:
    entities = list({(event.entity_kind, event.entity_ref) for event in events})
    last: dict[tuple[str, str], int] = {}
    for start in range(0, len(entities), _CHUNK):
        part = entities[start : start + _CHUNK]
        statement = (
            select(JOB_EVENTS.c.entity_kind, JOB_EVENTS.c.entity_ref, func.max(JOB_EVENTS.c.seq))
            .where(
                JOB_EVENTS.c.tenant_id == tenant,
                tuple_(JOB_EVENTS.c.entity_kind, JOB_EVENTS.c.entity_ref).in_(part),
            )
            .group_by(JOB_EVENTS.c.entity_kind, JOB_EVENTS.c.entity_ref)
        )
        last |= {(kind, ref): seq for kind, ref, seq in conn.execute(statement)}
    return last


def _insert(
    conn: Connection, events: Sequence[NewEvent], last: dict[tuple[str, str], int]
) -> list[Event]:
    now = timestamp(utc_now())
    rows: list[dict[str, Any]] = []
    for event in events:
        entity = (event.entity_kind, event.entity_ref)
        last[entity] = last.get(entity, 0) + 1
        rows.append(
            {
                "tenant_id": event.tenant_id,
                "entity_kind": event.entity_kind,
                "entity_ref": event.entity_ref,
                "seq": last[entity],
                "event_type": event.event_type,
                "idempotency_key": event.idempotency_key,
                "job_id": event.job_id,
                "workflow_id": event.workflow_id,
                "run_id": event.run_id,
                "payload": dict(event.payload),
                "occurred_at": now,
            }
        )
    ids = list(conn.scalars(_INSERT, rows))
    return [
        Event(event_id, **{name: row[name] for name in _EVENT_COLUMNS})
        for event_id, row in zip(ids, rows, strict=True)
    ]


_EVENT_COLUMNS = tuple(name for name in Event.__dataclass_fields__ if name != "event_id")


def _event(row: Row[Any]) -> Event:
    values = row._mapping
    return Event(**{name: values[name] for name in Event.__dataclass_fields__})
