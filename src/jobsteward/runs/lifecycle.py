"""The facts a run leaves on its way, each appended exactly once (ENV-1..4)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from jobsteward.kernel.errors import DuplicateRunError
from jobsteward.kernel.events import NewEvent
from jobsteward.runs import model
from jobsteward.runs.model import EVENT_OF_STATUS, TERMINAL, RunRef, RunStatus
from jobsteward.runs.store import bind
from jobsteward.runs.views import find_run, finish_if_ended
from jobsteward.store.engine import lock
from jobsteward.store.event_log import EventLog


def run_event(
    ref: RunRef, event_type: str, key: str, payload: Mapping[str, Any] | None = None
) -> NewEvent:
    """An event of this exact run; ``key`` need only be unique within the run."""
    return NewEvent(
        tenant_id=ref.tenant_id,
        entity_kind="run",
        entity_ref=ref.run_id,
        event_type=event_type,
        idempotency_key=f"{key}:{ref.run_id}",
        payload=payload or {},
        workflow_id=ref.workflow_id,
        run_id=ref.run_id,
    )


def record_dispatched(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    *,
    group_id: str,
    workflow: str,
    startup: Mapping[str, str],
) -> str:
    """The run that serves the group, after Temporal confirmed a start (ENV-2)."""
    bound = bind(conn, ref.tenant_id, group_id, ref.run_id)
    if bound == ref.run_id:
        payload = {"workflow": workflow, "startup": dict(startup)}
        log.append(conn, run_event(ref, model.DISPATCHED, "dispatched", payload))
        # The run may have ended before its start was confirmed; its executions end with it.
        finish_if_ended(conn, ref)
    return bound


def record_started(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    *,
    workflow: str,
    group_id: str | None,
    summary: Mapping[str, Any],
    startup: Mapping[str, str],
) -> None:
    """The start marker. Raises DuplicateRunError where another run serves the execution."""
    if group_id and bind(conn, ref.tenant_id, group_id, ref.run_id) != ref.run_id:
        raise DuplicateRunError("another run already serves this execution")
    payload = {"workflow": workflow, "summary": dict(summary), "startup": dict(startup)}
    log.append(conn, run_event(ref, model.STARTED, "started", payload))


def record_first_step(
    conn: Connection, log: EventLog, ref: RunRef, *, startup: Mapping[str, str], entered_at: str
) -> None:
    """The run entered its first business step; from now on it is running (ADM-5).

    A report that comes after the run's end, by a worker that was cut off, adds nothing (I5).
    """
    # The log's own lock comes first, so that no end is appended between the look and the event.
    lock(conn, f"events:{ref.tenant_id}")
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL:
        return
    payload = {"startup": dict(startup), "enteredAt": entered_at}
    log.append(conn, run_event(ref, model.FIRST_STEP, "first-step", payload))


def record_outcome(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    status: RunStatus,
    *,
    code: str | None = None,
    retryable: bool | None = None,
    result: Mapping[str, Any] | None = None,
    source: str = "workflow",
    ended_at: str | None = None,
) -> RunStatus:
    """The terminal state that stands: this one, or the one that was there first (ENV-6).

    ``ended_at`` is Temporal's closing time where the end is learned later than it happened.
    """
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL and not run.provisional:
        return run.status
    payload: dict[str, Any] = {"source": source}
    optional = {"code": code, "retryable": retryable, "result": result, "endedAt": ended_at}
    payload |= {name: value for name, value in optional.items() if value is not None}
    if run is not None and run.provisional:
        record_recovered(conn, log, ref)
    log.append(conn, run_event(ref, EVENT_OF_STATUS[status], "terminal", payload))
    after = find_run(conn, ref)
    return after.status if after else status


def record_not_found(conn: Connection, log: EventLog, ref: RunRef) -> bool:
    """Temporal does not know this run: end it provisionally; False where it has ended (REC-1)."""
    run = find_run(conn, ref)
    if run is None or run.status in TERMINAL:
        return False
    payload = {"code": model.RECONCILED_NOT_FOUND, "source": "reconciler"}
    ended = EVENT_OF_STATUS[RunStatus.TERMINATED]
    event = run_event(ref, ended, f"not-found-{run.last_event_id}", payload)
    return log.append(conn, event) is not None


def record_recovered(conn: Connection, log: EventLog, ref: RunRef) -> bool:
    """The run reappeared in Temporal: reopen it as a marked recovery (REC-2)."""
    run = find_run(conn, ref)
    if run is None or not run.provisional:
        return False
    event = run_event(ref, model.STARTED, f"recovered-{run.last_event_id}", {"recovery": True})
    return log.append(conn, event) is not None


def record_cancellation(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    *,
    evidence: str,
    requester: str,
    source: str,
    reason: str | None = None,
) -> bool:
    """One WorkflowCancellationRequested for each kind of evidence (ENV-3)."""
    payload = {"evidence": evidence, "requester": requester, "source": source}
    if reason:
        payload["reason"] = reason
    event = run_event(ref, model.CANCELLATION_REQUESTED, f"cancel-{evidence}", payload)
    return log.append(conn, event) is not None


def record_stuck(
    conn: Connection, log: EventLog, ref: RunRef, *, stuck: bool, code: str | None = None
) -> bool:
    """The run's workflow task keeps failing, or does so no longer (ADM-5a)."""
    run = find_run(conn, ref)
    if run is None or run.stuck == stuck or run.status in TERMINAL:
        return False
    event_type = model.STUCK if stuck else model.UNSTUCK
    payload = {"code": code} if code else {}
    key = f"{event_type}-{run.last_event_id}"
    return log.append(conn, run_event(ref, event_type, key, payload)) is not None
