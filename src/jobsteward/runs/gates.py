"""Gates: places where a run waits for a person's decision, each decided at most once (ADM-9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, RowMapping, select, update

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConflictError, NotFoundError
from jobsteward.runs import model
from jobsteward.runs.lifecycle import run_event
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward.runs.tables import GATES, RUN_PROJECTIONS
from jobsteward.store.engine import insert_or_ignore, lock
from jobsteward.store.event_log import EventLog

Verdict = Literal["approve", "reject", "answer"]


@dataclass(frozen=True, slots=True)
class Gate:
    """One question to a person. ``decision`` is None until it is answered."""

    gate_id: str
    tenant_id: str
    workflow_id: str
    run_id: str
    kind: str
    opened_at: str
    decision: str | None
    answers: Mapping[str, Any] | None
    closed_at: str | None

    @property
    def ref(self) -> RunRef:
        """The run that waits behind it."""
        return RunRef(self.tenant_id, self.workflow_id, self.run_id)


def open_gate(conn: Connection, log: EventLog, ref: RunRef, gate_id: str, kind: RunStatus) -> Gate:
    """The gate, opened once; the run counts as parked (ADM-5a)."""
    row = {
        "gate_id": gate_id,
        "tenant_id": ref.tenant_id,
        "workflow_id": ref.workflow_id,
        "run_id": ref.run_id,
        "kind": kind,
        "opened_at": timestamp(utc_now()),
    }
    insert_or_ignore(conn, GATES, [row])
    payload = {"status": kind, "gateId": gate_id}
    log.append(conn, run_event(ref, model.PARKED, f"parked-{gate_id}", payload))
    return find_gate(conn, ref.tenant_id, gate_id)


def find_gate(conn: Connection, tenant_id: str, gate_id: str) -> Gate:
    """The gate. Raises NotFoundError where this tenant has none of that id."""
    columns = GATES.c
    row = conn.execute(
        select(GATES).where(columns.tenant_id == tenant_id, columns.gate_id == gate_id)
    ).first()
    if row is None:
        raise NotFoundError("no such gate; read the run for the gate that is open now")
    return _gate(row._mapping)


def decided_gates(conn: Connection, limit: int = 200) -> list[Gate]:
    """Gates of open runs that were decided, but whose run did not take the decision yet."""
    columns, run = GATES.c, RUN_PROJECTIONS.c
    of_run = (
        (run.tenant_id == columns.tenant_id)
        & (run.workflow_id == columns.workflow_id)
        & (run.run_id == columns.run_id)
    )
    statement = (
        select(GATES)
        .join(RUN_PROJECTIONS, of_run)
        .where(columns.decision.is_not(None), columns.closed_at.is_(None), run.ended_at.is_(None))
        .limit(limit)
    )
    return [_gate(row._mapping) for row in conn.execute(statement)]


def decide(
    conn: Connection,
    gate: Gate,
    verdict: Verdict,
    *,
    decided_by: str,
    answers: Mapping[str, Any] | None = None,
) -> bool:
    """Store the decision; False where the same one already stands (a redelivery).

    Raises ConflictError for a gate that is closed or was decided differently.
    """
    lock(conn, f"gate:{gate.gate_id}")
    current = find_gate(conn, gate.tenant_id, gate.gate_id)
    if current.decision == verdict and current.answers == answers:
        return False
    if current.decision is not None or current.closed_at is not None:
        raise ConflictError("this gate was already decided; read the run for what waits now")
    conn.execute(
        update(GATES)
        .where(GATES.c.gate_id == gate.gate_id)
        .values(
            decision=verdict,
            decided_by=decided_by,
            decided_at=timestamp(utc_now()),
            answers=None if answers is None else dict(answers),
        )
    )
    return True


def close_gate(conn: Connection, log: EventLog, ref: RunRef, gate_id: str) -> Gate:
    """The decided gate, closed once; the run goes on. An undecided gate stays open."""
    gate = find_gate(conn, ref.tenant_id, gate_id)
    if gate.decision is None:
        return gate
    conn.execute(
        update(GATES)
        .where(GATES.c.gate_id == gate_id, GATES.c.closed_at.is_(None))
        .values(closed_at=timestamp(utc_now()))
    )
    payload = {"gateId": gate_id, "decision": gate.decision}
    log.append(conn, run_event(ref, model.RESUMED, f"resumed-{gate_id}", payload))
    return find_gate(conn, ref.tenant_id, gate_id)


def _gate(values: RowMapping) -> Gate:
    return Gate(**{name: values[name] for name in Gate.__dataclass_fields__})
