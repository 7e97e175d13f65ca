"""Writing executions: admission, binding to a run, cancellation. Every change with its event.

Locks are taken in one order, so that no two of these transactions can block each other:
admission, workflow id, group, event log (with the append), then rows that stand already.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, and_, bindparam, select, update

from jobsteward.kernel.clock import parse_timestamp, timestamp, utc_now
from jobsteward.kernel.errors import KeyReusedError
from jobsteward.kernel.events import NewEvent
from jobsteward.kernel.ids import new_execution_id
from jobsteward.runs import outbox
from jobsteward.runs.model import (
    ACCEPTED,
    CANCEL_STORED,
    CLOSED,
    OPEN_STATES,
    CancelOutcome,
    Execution,
    ExecutionState,
    RunRef,
    RunStatus,
)
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.runs.views import (
    EXECUTION_FIELDS,
    EXECUTIONS_WITH_RUNS,
    IS_OPEN,
    execution_of,
    find_execution,
    finish_if_ended,
)
from jobsteward.store.engine import lock
from jobsteward.store.event_log import EventLog

REPEAT_WINDOW = timedelta(seconds=10)
"""How long an identical call without a key joins the first one (ADM-3a)."""

_INSERT = EXECUTIONS.insert()


@dataclass(frozen=True, slots=True)
class Admission:
    """A request that passed every check and may become an execution.

    ``workflow_id`` is empty where it derives from the execution id: ``workflow_id_of`` then
    gives it. ``envelope`` is what only the dispatcher may see: frozen configuration and the
    start's arguments (ADM-4).
    """

    tenant_id: str
    workflow: str
    workflow_id: str
    priority: int
    token_id: str
    idempotency_key: str | None
    fingerprint: str
    inputs: Mapping[str, Any]
    envelope: Mapping[str, Any]
    startup: Mapping[str, str]
    claim_token: str | None


@dataclass(frozen=True, slots=True)
class Admitted:
    """The durable receipt. ``dispatch`` says that the caller now holds the envelope's claim."""

    execution: Execution
    replayed: bool
    dispatch: bool


def admit(conn: Connection, log: EventLog, request: Admission) -> Admitted:
    """One execution and its envelope, or the execution that this request repeats (ADM-1, ADM-3).

    Raises KeyReusedError where the key already stands for other arguments.
    """
    lock(conn, f"admit:{request.tenant_id}:{request.workflow}")
    earlier = _same_request(conn, request)
    if earlier:
        return Admitted(earlier, replayed=True, dispatch=False)
    execution_id = new_execution_id()
    workflow_id = request.workflow_id or f"{request.workflow}-{execution_id}"
    place = _place(conn, request, execution_id)
    row = _row(request, execution_id, workflow_id, place)
    conn.execute(_INSERT, row)
    claim_token = None
    if place.group_id == execution_id:
        waiting = place.state is ExecutionState.WAITING
        claim_token = None if waiting else request.claim_token
        outbox.add_start(
            conn,
            request.tenant_id,
            execution_id,
            request.envelope,
            waiting=waiting,
            claim_token=claim_token,
        )
    log.append(conn, _accepted(request, execution_id))
    if place.run_id:
        # The run may have ended between the look at it and this row.
        finish_if_ended(conn, RunRef(request.tenant_id, workflow_id, place.run_id))
    execution = Execution(**{name: row[name] for name in EXECUTION_FIELDS})
    return Admitted(execution, replayed=False, dispatch=claim_token is not None)


@dataclass(frozen=True, slots=True)
class _Place:
    state: ExecutionState
    group_id: str
    created_at: str
    run_id: str | None = None
    waits_for: str | None = None


def _place(conn: Connection, request: Admission, execution_id: str) -> _Place:
    """Start a group of its own, attach to the newest live one, or wait behind it (ADM-13)."""
    live = None
    if request.workflow_id:  # one that derives from the execution is nobody else's
        lock(conn, f"workflow:{request.tenant_id}:{request.workflow_id}")
        live = newest_live(conn, request.tenant_id, request.workflow_id)
    now = timestamp(utc_now())
    if live is None:
        return _Place(ExecutionState.READY, execution_id, now)
    # The queue's order is that of acceptance, even where the clock of the host went back.
    created_at = max(now, timestamp(parse_timestamp(live.created_at) + timedelta(microseconds=1)))
    if live.fingerprint != request.fingerprint or live.cancel_requested_at:
        return _Place(ExecutionState.WAITING, execution_id, created_at, waits_for=live.execution_id)
    # Its run may be bound or promoted in this moment; under the group's lock it cannot.
    lock(conn, f"group:{request.tenant_id}:{live.group_id}")
    live = find_execution(conn, request.tenant_id, live.execution_id) or live
    if live.state is ExecutionState.CLOSED:
        return _Place(ExecutionState.READY, execution_id, created_at)
    state = ExecutionState.BOUND if live.run_id else live.state
    return _Place(state, live.group_id, created_at, live.run_id, live.waits_for)


_NEWEST_LIVE = (
    EXECUTIONS_WITH_RUNS.where(
        EXECUTIONS.c.tenant_id == bindparam("tenant"),
        EXECUTIONS.c.workflow_id == bindparam("workflow_id"),
        IS_OPEN,
    )
    .order_by(EXECUTIONS.c.created_at.desc(), EXECUTIONS.c.execution_id.desc())
    .limit(1)
)


def newest_live(conn: Connection, tenant_id: str, workflow_id: str) -> Execution | None:
    """The last accepted execution of this workflow id that has not ended."""
    key = {"tenant": tenant_id, "workflow_id": workflow_id}
    row = conn.execute(_NEWEST_LIVE, key).first()
    return execution_of(row) if row else None


_OF_WORKFLOW = EXECUTIONS_WITH_RUNS.where(
    EXECUTIONS.c.tenant_id == bindparam("tenant"), EXECUTIONS.c.workflow == bindparam("workflow")
)
_WITH_KEY = _OF_WORKFLOW.where(EXECUTIONS.c.idempotency_key == bindparam("key"))
_REPEATED = (
    _OF_WORKFLOW.where(
        EXECUTIONS.c.fingerprint == bindparam("fingerprint"),
        EXECUTIONS.c.token_id == bindparam("token"),
        EXECUTIONS.c.idempotency_key.is_(None),
        # Not from the future either: that was a clock that has been put back since (F43).
        EXECUTIONS.c.created_at.between(bindparam("since"), bindparam("until")),
    )
    .order_by(EXECUTIONS.c.created_at.desc())
    .limit(1)
)


def _same_request(conn: Connection, request: Admission) -> Execution | None:
    """The execution with the same key, or without keys the same call moments ago."""
    of = {"tenant": request.tenant_id, "workflow": request.workflow}
    if request.idempotency_key is None:
        now = utc_now()
        near = {"since": timestamp(now - REPEAT_WINDOW), "until": timestamp(now + REPEAT_WINDOW)}
        same = near | {"fingerprint": request.fingerprint, "token": request.token_id}
        row = conn.execute(_REPEATED, of | same).first()
        return execution_of(row) if row else None
    row = conn.execute(_WITH_KEY, of | {"key": request.idempotency_key}).first()
    if row and row.fingerprint != request.fingerprint:
        raise KeyReusedError(
            "this idempotency key already names an execution with other arguments; "
            "use a new key for a new request",
            row.execution_id,
        )
    return execution_of(row) if row else None


def _row(request: Admission, execution_id: str, workflow_id: str, place: _Place) -> dict[str, Any]:
    return {
        "execution_id": execution_id,
        "tenant_id": request.tenant_id,
        "workflow": request.workflow,
        "workflow_id": workflow_id,
        "group_id": place.group_id,
        "state": place.state,
        "priority": request.priority,
        "token_id": request.token_id,
        "idempotency_key": request.idempotency_key,
        "fingerprint": request.fingerprint,
        "inputs": dict(request.inputs),
        "startup": dict(request.startup),
        "created_at": place.created_at,
        "run_id": place.run_id,
        "waits_for": place.waits_for,
        "cancel_requested_at": None,
        "closed_at": None,
        "close_status": None,
        "close_code": None,
    }


def _accepted(request: Admission, execution_id: str) -> NewEvent:
    payload = {"workflow": request.workflow, "priority": request.priority}
    return _event(request.tenant_id, execution_id, ACCEPTED, "accepted", payload)


def _event(
    tenant_id: str, execution_id: str, event_type: str, key: str, payload: Mapping[str, Any]
) -> NewEvent:
    """An event of this execution; each ``key`` happens to it once."""
    return NewEvent(
        tenant_id=tenant_id,
        entity_kind="execution",
        entity_ref=execution_id,
        event_type=event_type,
        idempotency_key=f"{key}:{execution_id}",
        payload=payload,
    )


_IN_GROUP = and_(
    EXECUTIONS.c.tenant_id == bindparam("of_tenant"), EXECUTIONS.c.group_id == bindparam("of_group")
)
_BOUND = select(EXECUTIONS.c.run_id).where(_IN_GROUP, EXECUTIONS.c.run_id.is_not(None)).limit(1)
_BIND = (
    update(EXECUTIONS)
    .where(_IN_GROUP, EXECUTIONS.c.state.in_((ExecutionState.READY, ExecutionState.WAITING)))
    .values(run_id=bindparam("to_run"), state=ExecutionState.BOUND, waits_for=None)
)


def bind(conn: Connection, tenant_id: str, group_id: str, run_id: str) -> str:
    """Let the group's executions follow this run; returns the run id they follow.

    The first binding stands: a later one, by a duplicate start, learns the winner. "" where
    every execution of the group was cancelled before any run served it.
    """
    lock(conn, f"group:{tenant_id}:{group_id}")
    group = {"of_tenant": tenant_id, "of_group": group_id}
    bound: str | None = conn.scalar(_BOUND, group)
    if bound is not None:
        return bound
    served = conn.execute(_BIND, group | {"to_run": run_id})
    return run_id if served.rowcount else ""


def request_cancel(
    conn: Connection, log: EventLog, execution: Execution, *, requester: str, reason: str | None
) -> CancelOutcome:
    """Store the request before anything is delivered, so that it survives every crash."""
    lock(conn, f"workflow:{execution.tenant_id}:{execution.workflow_id}")
    lock(conn, f"group:{execution.tenant_id}:{execution.group_id}")
    fresh = find_execution(conn, execution.tenant_id, execution.execution_id)
    assert fresh is not None
    if fresh.is_terminal:
        return CancelOutcome.ALREADY_TERMINAL
    if fresh.cancel_requested_at:
        return CancelOutcome.CANCEL_REQUESTED
    heir = _other_holder(conn, fresh)
    if heir:
        _hand_over(conn, fresh, heir)
        close(conn, log, fresh, RunStatus.CANCELED, "detached")
        return CancelOutcome.DETACHED
    told = {"requester": requester, "hasReason": reason is not None}
    log.append(
        conn, _event(fresh.tenant_id, fresh.execution_id, CANCEL_STORED, "cancel-stored", told)
    )
    conn.execute(
        update(EXECUTIONS)
        .where(EXECUTIONS.c.execution_id == fresh.execution_id)
        .values(cancel_requested_at=timestamp(utc_now()), cancel_reason=reason)
    )
    if outbox.never_sent(conn, fresh.group_id):
        outbox.drop_start(conn, fresh.group_id)
        _hand_over(conn, fresh, fresh.waits_for)
        close(conn, log, fresh, RunStatus.CANCELED, None)
    else:
        outbox.add_cancel(conn, fresh.tenant_id, fresh.execution_id, {"requester": requester})
    return CancelOutcome.CANCEL_REQUESTED


def close(
    conn: Connection, log: EventLog, execution: Execution, status: RunStatus, code: str | None
) -> None:
    """End an execution by itself, whatever its run does."""
    end = {"status": status, "code": code}
    log.append(conn, _event(execution.tenant_id, execution.execution_id, CLOSED, "closed", end))
    conn.execute(
        update(EXECUTIONS)
        .where(EXECUTIONS.c.execution_id == execution.execution_id)
        .values(
            state=ExecutionState.CLOSED,
            closed_at=timestamp(utc_now()),
            close_status=status,
            close_code=code,
        )
    )


def _other_holder(conn: Connection, execution: Execution) -> str | None:
    columns = EXECUTIONS.c
    holder: str | None = conn.scalar(
        select(columns.execution_id)
        .where(
            columns.tenant_id == execution.tenant_id,
            columns.group_id == execution.group_id,
            columns.execution_id != execution.execution_id,
            columns.state.in_(OPEN_STATES),
            columns.cancel_requested_at.is_(None),
        )
        .order_by(columns.created_at)
        .limit(1)
    )
    return holder


def _hand_over(conn: Connection, execution: Execution, heir: str | None) -> None:
    """Requests that waited behind this one wait behind ``heir``, if behind anybody."""
    columns = EXECUTIONS.c
    conn.execute(
        update(EXECUTIONS)
        .where(
            columns.tenant_id == execution.tenant_id, columns.waits_for == execution.execution_id
        )
        .values(waits_for=heir)
    )
