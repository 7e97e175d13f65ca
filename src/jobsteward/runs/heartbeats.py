"""Heartbeat rows of workers: written each round, read back with distrust (OBS-5, ACT-5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs.model import Lane
from jobsteward.runs.tables import HEARTBEATS
from jobsteward.store.engine import upsert

MAX_DETAILS = 20
FRESH_FOR = timedelta(seconds=60)
"""A worker that has been silent for longer does not count as there."""
_KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ActiveDetail:
    """One activity that runs now: its kind, a safe id, and since when."""

    kind: str
    id: str
    since: str


@dataclass(frozen=True, slots=True)
class ActiveWork:
    """How many activities run: an exact total, and up to 20 details, oldest first."""

    total: int
    details: tuple[ActiveDetail, ...] = ()
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Beat:
    """One worker's sign of life for one queue. ``runtime`` names its app directory and database.

    ``abandoned_threads`` and ``reconciled`` (counts by action) are of the whole process, since
    its start.
    """

    worker_id: str
    runtime: str
    lane: Lane
    task_queue: str
    capacity: int
    active: ActiveWork
    abandoned_threads: int = 0
    reconciled: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Capacity:
    """What the workers of one lane's newest queue offer together."""

    lane: Lane
    task_queue: str
    workers: int
    capacity: int
    active: ActiveWork
    beaten_at: str
    abandoned_threads: int
    reconciled: Mapping[str, int]


def record_beats(conn: Connection, beats: Sequence[Beat]) -> None:
    """Store the beats as of now, and drop those that are a day old."""
    now = utc_now()
    rows = [
        {
            "worker_id": beat.worker_id,
            "runtime": beat.runtime,
            "lane": beat.lane,
            "task_queue": beat.task_queue,
            "beaten_at": timestamp(now),
            "body": {
                "capacity": beat.capacity,
                "active": asdict(beat.active),
                "abandonedThreads": beat.abandoned_threads,
                "reconciled": dict(beat.reconciled),
            },
        }
        for beat in beats
    ]
    upsert(conn, HEARTBEATS, rows)
    conn.execute(delete(HEARTBEATS).where(HEARTBEATS.c.beaten_at < timestamp(now - _KEPT_FOR)))


def remove_beats(conn: Connection, worker_ids: Sequence[str]) -> None:
    """Forget workers that ended in good order."""
    conn.execute(delete(HEARTBEATS).where(HEARTBEATS.c.worker_id.in_(worker_ids)))


def capacity_of(conn: Connection, runtime: str) -> list[Capacity]:
    """Each lane's living capacity: all fresh workers on the queue of its newest one.

    Rows of another database or app directory, and rows that do not fit, are left out.
    """
    columns = HEARTBEATS.c
    statement = (
        select(HEARTBEATS)
        .where(columns.runtime == runtime, columns.beaten_at >= timestamp(utc_now() - FRESH_FOR))
        .order_by(columns.beaten_at.desc())
    )
    rows = [(row.beaten_at, beat) for row in conn.execute(statement) if (beat := _beat(row))]
    found: list[Capacity] = []
    for lane in Lane:
        of_lane = [(at, beat) for at, beat in rows if beat.lane is lane]
        if of_lane:
            beaten_at, newest = of_lane[0]
            beats = [beat for _, beat in of_lane if beat.task_queue == newest.task_queue]
            found.append(_together(beats, beaten_at))
    return found


def _together(beats: Sequence[Beat], beaten_at: str) -> Capacity:
    details = sorted(
        (detail for beat in beats for detail in beat.active.details), key=lambda item: item.since
    )
    work = ActiveWork(
        sum(beat.active.total for beat in beats),
        tuple(details[:MAX_DETAILS]),
        len(details) > MAX_DETAILS or any(beat.active.truncated for beat in beats),
    )
    reconciled: Counter[str] = Counter()
    for beat in beats:
        reconciled.update(beat.reconciled)
    return Capacity(
        lane=beats[0].lane,
        task_queue=beats[0].task_queue,
        workers=len(beats),
        capacity=sum(beat.capacity for beat in beats),
        active=work,
        beaten_at=beaten_at,
        abandoned_threads=sum(beat.abandoned_threads for beat in beats),
        reconciled=dict(reconciled),
    )


def _beat(row: Row[Any]) -> Beat | None:
    try:
        body = row.body
        active: Mapping[str, Any] = body["active"]
        work = ActiveWork(
            _count(active["total"]),
            tuple(_detail(item) for item in active["details"][:MAX_DETAILS]),
            bool(active["truncated"]),
        )
        return Beat(
            row.worker_id,
            row.runtime,
            Lane(row.lane),
            row.task_queue,
            _count(body["capacity"]),
            work,
            _count(body["abandonedThreads"]),
            {str(action): _count(count) for action, count in body["reconciled"].items()},
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None  # written by another version, or damaged


def _detail(item: Mapping[str, Any]) -> ActiveDetail:
    return ActiveDetail(*(str(item[name]) for name in ("kind", "id", "since")))


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("not a count")
    return value
