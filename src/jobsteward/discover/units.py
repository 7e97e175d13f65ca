"""Search units: what a discovery run reads, piece by piece, and who holds each piece (DIS-5).

A unit is one query at one place on one board. Whoever works on it holds a `Lease`, whose
epoch only grows: a newer attempt takes over by raising it, and from then on nothing of the
older holder is written. What a unit did so far is in its receipts and its checkpoint
(`unit_batches`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import structlog
from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    func,
    select,
    text,
    update,
)

from jobsteward.discover.model import Board, DiscoveryExecutionRef, SourceOutcome
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import NotFoundError, StaleLeaseError
from jobsteward.store.engine import METADATA, insert_or_ignore

UnitState = Literal["pending", "running", "done", "failed", "canceled"]
OPEN: tuple[UnitState, ...] = ("pending", "running")

DISCOVERY_SEARCH_UNITS = Table(
    "discovery_search_units",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("unit_id", String, primary_key=True),
    Column("source_id", String, nullable=False),
    Column("provider", String, nullable=False),
    Column("board", String, nullable=False),
    Column("region", String, nullable=False),
    Column("query", String, nullable=False),
    Column("place", String, nullable=False),
    Column("request_digest", String, nullable=False),
    Column("state", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("owner", String),
    Column("epoch", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("checkpoint", JSON(none_as_null=True)),
    Column("reset_revision", Integer),
    Column("refused_writes", Integer, nullable=False),
    Column("outcome", JSON(none_as_null=True)),
    Column("changed_at", String, nullable=False),
    CheckConstraint(
        "state IN ('pending', 'running', 'done', 'failed', 'canceled')", name="search_unit_state"
    ),
    Index(
        "discovery_search_units_open",
        "changed_at",
        sqlite_where=text("state IN ('pending', 'running')"),
        postgresql_where=text("state IN ('pending', 'running')"),
    ),
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SearchUnit:
    """One query at one place on one board; both are "" where the board is read whole.

    ``attempt`` is the newest one that took it, 0 before the first.
    """

    unit_id: str
    source_id: str
    board: Board
    request_digest: str
    query: str = ""
    place: str = ""
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for a unit, as long as nobody took a greater ``epoch``.

    ``revision`` counts the batches that were acknowledged when it was taken, ``checkpoint``
    is where they ended. A unit that has ended gives its ``outcome`` and no right.
    """

    ref: DiscoveryExecutionRef
    unit: SearchUnit
    owner: str
    epoch: int
    revision: int
    checkpoint: Mapping[str, Any] | None
    reset_waits: bool = False
    outcome: SourceOutcome | None = None


def add_units(conn: Connection, ref: DiscoveryExecutionRef, units: Sequence[SearchUnit]) -> None:
    """Add the run's units; those that stand already stay as they are."""
    now = timestamp(utc_now())
    rows = [
        asdict(ref)
        | {
            "unit_id": unit.unit_id,
            "source_id": unit.source_id,
            "provider": unit.board.provider,
            "board": unit.board.token,
            "region": unit.board.region,
            "query": unit.query,
            "place": unit.place,
            "request_digest": unit.request_digest,
            "state": "pending",
            "attempt": 0,
            "epoch": 0,
            "revision": 0,
            "refused_writes": 0,
            "changed_at": now,
        }
        for unit in units
    ]
    insert_or_ignore(conn, DISCOVERY_SEARCH_UNITS, rows)


def units_of_source(
    conn: Connection, ref: DiscoveryExecutionRef, source_id: str
) -> list[SearchUnit]:
    """The source's units, in the order in which they are read."""
    columns = DISCOVERY_SEARCH_UNITS.c
    rows = conn.execute(
        select(DISCOVERY_SEARCH_UNITS)
        .where(*_of_run(ref), columns.source_id == source_id)
        .order_by(func.length(columns.unit_id), columns.unit_id)
    )
    return [_unit(row) for row in rows]


def claim(
    conn: Connection, ref: DiscoveryExecutionRef, unit_id: str, *, attempt: int, owner: str
) -> Lease:
    """The unit's lease, taken over from whoever had it by raising the epoch.

    A unit that has ended is not taken: its lease carries the outcome. Raises StaleLeaseError
    where a newer attempt holds it, NotFoundError where the plan has no such unit.
    """
    row = conn.execute(_locked(ref, unit_id)).first()
    if row is None:
        raise NotFoundError("this unit is not in the run's plan; start a new discovery")
    if row.state not in OPEN:
        ended = SourceOutcome(**row.outcome) if row.outcome else SourceOutcome(unit_id, "error")
        return _lease(ref, row, row.epoch, row.owner or "", ended)
    if attempt < row.attempt:
        raise StaleLeaseError("a newer attempt works on this unit; leave it alone")
    epoch = row.epoch + 1
    taken = {"state": "running", "attempt": attempt, "owner": owner, "epoch": epoch}
    _set(conn, ref, unit_id, taken)
    return _lease(ref, row, epoch, owner)


def held(conn: Connection, lease: Lease) -> Row[Any] | None:
    """The unit's row, locked, where the lease still gives the right to write.

    Call first in every transaction that writes for a unit. None, once counted and logged,
    where a newer holder took over or the unit ended; then write nothing.
    """
    unit_id = lease.unit.unit_id
    row = conn.execute(_locked(lease.ref, unit_id)).first()
    assert row is not None, "units are never deleted while their run may write"
    if (row.epoch, row.owner, row.state) == (lease.epoch, lease.owner, "running"):
        return row
    refused = {"refused_writes": row.refused_writes + 1}
    _set(conn, lease.ref, unit_id, refused)
    log.warning("stale_write_refused", unit=unit_id, epoch=lease.epoch, newest=row.epoch)
    return None


def move(conn: Connection, lease: Lease, values: Mapping[str, Any]) -> None:
    """Change the row of a unit whose lease `held` found good in this transaction."""
    _set(conn, lease.ref, lease.unit.unit_id, values)


def finish(conn: Connection, lease: Lease, outcome: SourceOutcome) -> bool:
    """End the unit with its outcome; False where the lease is stale."""
    if held(conn, lease) is None:
        return False
    state = "failed" if outcome.status == "error" else "done"
    move(conn, lease, {"state": state, "outcome": asdict(outcome)})
    return True


def end_open(
    conn: Connection,
    ref: DiscoveryExecutionRef,
    state: Literal["failed", "canceled"],
    outcome_of: Mapping[str, SourceOutcome],
) -> None:
    """End those of the units in ``outcome_of`` that are open, for good, whoever holds them."""
    for unit_id, outcome in outcome_of.items():
        conn.execute(
            update(DISCOVERY_SEARCH_UNITS)
            .where(*_of_unit(ref, unit_id), DISCOVERY_SEARCH_UNITS.c.state.in_(OPEN))
            .values(state=state, outcome=asdict(outcome), changed_at=timestamp(utc_now()))
        )


def open_units(
    conn: Connection, ref: DiscoveryExecutionRef, source_id: str | None = None
) -> list[SearchUnit]:
    """The run's units that have not ended, all of them or one source's; their rows are locked."""
    columns = DISCOVERY_SEARCH_UNITS.c
    chosen = (columns.source_id == source_id,) if source_id else ()
    rows = conn.execute(
        select(DISCOVERY_SEARCH_UNITS)
        .where(*_of_run(ref), columns.state.in_(OPEN), *chosen)
        .order_by(columns.unit_id)
        .with_for_update()
    )
    return [_unit(row) for row in rows]


def ended_outcomes(
    conn: Connection, ref: DiscoveryExecutionRef, source_id: str
) -> list[SourceOutcome]:
    """The outcomes of the source's units that have ended, in the order of reading."""
    columns = DISCOVERY_SEARCH_UNITS.c
    rows = conn.scalars(
        select(columns.outcome)
        .where(*_of_run(ref), columns.source_id == source_id, columns.state.not_in(OPEN))
        .order_by(func.length(columns.unit_id), columns.unit_id)
    )
    return [SourceOutcome(**outcome) for outcome in rows]


def _unit(row: Row[Any]) -> SearchUnit:
    board = Board(row.provider, row.board, row.region)
    return SearchUnit(
        row.unit_id,
        row.source_id,
        board,
        row.request_digest,
        row.query,
        row.place,
        row.attempt,
    )


def _lease(
    ref: DiscoveryExecutionRef,
    row: Row[Any],
    epoch: int,
    owner: str,
    outcome: SourceOutcome | None = None,
) -> Lease:
    waits = row.reset_revision is not None
    unit = _unit(row)
    return Lease(ref, unit, owner, epoch, row.revision, row.checkpoint, waits, outcome)


def _locked(ref: DiscoveryExecutionRef, unit_id: str) -> Any:
    return select(DISCOVERY_SEARCH_UNITS).where(*_of_unit(ref, unit_id)).with_for_update()


def _set(
    conn: Connection, ref: DiscoveryExecutionRef, unit_id: str, values: Mapping[str, Any]
) -> None:
    conn.execute(
        update(DISCOVERY_SEARCH_UNITS)
        .where(*_of_unit(ref, unit_id))
        .values(**values, changed_at=timestamp(utc_now()))
    )


def _of_run(ref: DiscoveryExecutionRef) -> tuple[ColumnElement[bool], ...]:
    columns = DISCOVERY_SEARCH_UNITS.c
    return (
        columns.tenant_id == ref.tenant_id,
        columns.workflow_id == ref.workflow_id,
        columns.run_id == ref.run_id,
    )


def _of_unit(ref: DiscoveryExecutionRef, unit_id: str) -> tuple[ColumnElement[bool], ...]:
    return (*_of_run(ref), DISCOVERY_SEARCH_UNITS.c.unit_id == unit_id)
