"""Ending what a run leaves open: units, their sources' outcomes and steps, in one commit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from sqlalchemy import Connection, select

from jobsteward.discover.model import DiscoveryExecutionRef, SourceOutcome
from jobsteward.discover.store import save_outcome
from jobsteward.discover.unit_batches import counts
from jobsteward.discover.units import (
    DISCOVERY_SEARCH_UNITS,
    OPEN,
    SearchUnit,
    end_open,
    ended_outcomes,
    open_units,
)
from jobsteward.runs.model import RunRef
from jobsteward.runs.pipeline import PipelineStep, record_step
from jobsteward.runs.tables import RUN_PROJECTIONS
from jobsteward.store.event_log import EventLog

_READ = frozenset({"ok", "empty", "partial"})
_SWEEP = 100


def close_source(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, source_id: str, code: str
) -> SourceOutcome:
    """End the source's open units as failed with the code; what they took makes it partial."""
    left = open_units(conn, ref, source_id)
    _end(conn, ref, left, "failed", code)
    return settle_source(conn, log, ref, source_id)


def close_run(conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, code: str) -> int:
    """End every open unit of the run for good; returns how many there were (DIS-6).

    From now on nobody writes for them, whoever still works on one.
    """
    left = open_units(conn, ref)
    _end(conn, ref, left, "canceled", code)
    run = RunRef(ref.tenant_id, ref.workflow_id, ref.run_id)
    for source_id, attempt in sorted(_attempts(left).items()):
        settle_source(conn, log, ref, source_id)
        step = PipelineStep("source_family", source_id, attempt)
        record_step(conn, log, run, step, "Failed", {"errorCode": code, "retryable": False})
    return len(left)


def settle_source(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, source_id: str
) -> SourceOutcome:
    """The source's outcome, stored: what those of its ended units come to together."""
    outcome = together(ended_outcomes(conn, ref, source_id))
    save_outcome(conn, log, ref, outcome)
    return outcome


def has_abandoned(conn: Connection) -> bool:
    """Whether any unit is open whose run has ended; cheap, as few units are ever open."""
    return conn.execute(_ABANDONED.limit(1)).first() is not None


def close_abandoned(conn: Connection, log: EventLog) -> int:
    """End units whose run has ended without them, those of a bounded number of runs (J15)."""
    rows = conn.execute(_ABANDONED.limit(_SWEEP)).all()
    return sum(close_run(conn, log, DiscoveryExecutionRef(*row), "canceled") for row in rows)


_UNITS, _RUNS = DISCOVERY_SEARCH_UNITS.c, RUN_PROJECTIONS.c
_ABANDONED = (
    select(_UNITS.tenant_id, _UNITS.workflow_id, _UNITS.run_id)
    .join(
        RUN_PROJECTIONS,
        (_RUNS.tenant_id == _UNITS.tenant_id)
        & (_RUNS.workflow_id == _UNITS.workflow_id)
        & (_RUNS.run_id == _UNITS.run_id),
    )
    .where(_UNITS.state.in_(OPEN), _RUNS.ended_at.is_not(None), ~_RUNS.provisional)
    .distinct()
)


def together(outcomes: Sequence[SourceOutcome]) -> SourceOutcome:
    """One outcome for several units of a source: partial where not all of them were read."""
    first, *others = outcomes
    if not others:
        return first
    advertised = [item.advertised for item in outcomes if item.advertised is not None]
    whole = replace(
        first,
        found=sum(item.found for item in outcomes),
        broken=sum(item.broken for item in outcomes),
        advertised=sum(advertised) if advertised else None,
    )
    odd = next((item for item in outcomes if item.status not in {"ok", "empty"}), None)
    if odd is None:
        return replace(whole, status="ok" if whole.found else "empty")
    read = any(item.status in _READ for item in outcomes)
    status = "partial" if read else odd.status
    return replace(whole, status=status, code=odd.code, http_status=odd.http_status)


def _end(
    conn: Connection,
    ref: DiscoveryExecutionRef,
    units: Sequence[SearchUnit],
    state: Literal["failed", "canceled"],
    code: str,
) -> None:
    outcomes = {}
    for unit in units:
        found = counts(conn, ref, [unit.unit_id]).total()
        partial = found or state == "canceled"
        name = f"{unit.board.provider}/{unit.board.key}"
        outcomes[unit.unit_id] = SourceOutcome(
            name, "partial" if partial else "error", found=found, code=code
        )
    end_open(conn, ref, state, outcomes)


def _attempts(units: Sequence[SearchUnit]) -> dict[str, int]:
    attempts: dict[str, int] = {}
    for unit in units:
        attempts[unit.source_id] = max(attempts.get(unit.source_id, 1), unit.attempt)
    return attempts
