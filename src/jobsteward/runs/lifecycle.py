"""The facts a run leaves on its way, each appended exactly once (ENV-1..4)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from jobsteward.kernel.errors import DuplicateRunError
from jobsteward.kernel.events import NewEvent
from jobsteward.runs import model
from jobsteward.runs.model import EVENT_OF_STATUS, TERMINAL, Run, RunRef, RunStatus
from jobsteward.runs.store import bind
from jobsteward.runs.views import find_run, set_finished
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
        _finish_if_ended(conn, ref)
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
    """The run entered its first business step; from now on it is running (ADM-5)."""
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
) -> RunStatus:
    """The terminal state that stands: this one, or the one that was there first (ENV-6)."""
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL and not run.provisional:
        return run.status
    payload: dict[str, Any] = {"source": source}
    optional = {"code": code, "retryable": retryable, "result": result}
    payload |= {name: value for name, value in optional.items() if value is not None}
    if run is not None and run.provisional:
        log.append(conn, run_event(ref, model.STARTED, "recovered", {"recovery": True}))
    log.append(conn, run_event(ref, EVENT_OF_STATUS[status], "terminal", payload))
    after = find_run(conn, ref)
    return after.status if after else status


def record_not_found(conn: Connection, log: EventLog, ref: RunRef) -> None:
    """Temporal does not know this run: end it provisionally, once (REC-1)."""
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL:
        return
    payload = {"code": model.RECONCILED_NOT_FOUND, "source": "reconciler"}
    log.append(conn, run_event(ref, "WorkflowTerminated", "not-found", payload))


def record_recovered(conn: Connection, log: EventLog, ref: RunRef) -> None:
    """The run reappeared in Temporal: reopen it as a marked recovery (REC-2)."""
    run = find_run(conn, ref)
    if run is not None and run.provisional:
        key = f"recovered-{run.last_event_id}"
        log.append(conn, run_event(ref, model.STARTED, key, {"recovery": True}))


def record_cancellation(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    *,
    evidence: str,
    requester: str,
    source: str,
    reason: str | None = None,
) -> None:
    """One WorkflowCancellationRequested for each kind of evidence (ENV-3)."""
    payload = {"evidence": evidence, "requester": requester, "source": source}
    if reason:
        payload["reason"] = reason
    log.append(conn, run_event(ref, model.CANCELLATION_REQUESTED, f"cancel-{evidence}", payload))


def record_stuck(
    conn: Connection, log: EventLog, run: Run, *, stuck: bool, code: str | None = None
) -> None:
    """The run's workflow task keeps failing, or does so no longer (ADM-5a)."""
    if run.stuck == stuck:
        return
    ref = RunRef(run.tenant_id, run.workflow_id, run.run_id)
    event_type = model.STUCK if stuck else model.UNSTUCK
    key = f"{event_type}-{run.last_event_id}"
    log.append(conn, run_event(ref, event_type, key, {"code": code} if code else {}))


def _finish_if_ended(conn: Connection, ref: RunRef) -> None:
    # The run may have ended before its start was confirmed; its executions end with it.
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL:
        set_finished(conn, run)
