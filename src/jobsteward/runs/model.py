"""Executions and runs as values: their states, their facts and how facts fold into a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from jobsteward.kernel.events import Event


class RunStatus(StrEnum):
    """Every state an execution or run can show (ADM-5a); the list is closed."""

    PENDING = "pending"
    RUNNING = "running"
    NEEDS_INPUT = "needs_input"
    AWAITING_APPROVAL = "awaiting_approval"
    CANCEL_REQUESTED = "cancel_requested"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"
    TIMED_OUT = "timed_out"
    TERMINATED = "terminated"


TERMINAL = frozenset(
    {
        RunStatus.SUCCEEDED,
        RunStatus.FAILED,
        RunStatus.CANCELED,
        RunStatus.TIMED_OUT,
        RunStatus.TERMINATED,
    }
)


NEEDS_PERSON = frozenset({RunStatus.NEEDS_INPUT, RunStatus.AWAITING_APPROVAL})
"""States in which a run waits for a person and keeps no worker busy."""


class ExecutionState(StrEnum):
    """Where an accepted request stands before and beside its run."""

    READY = "ready"
    """Its envelope may be dispatched."""
    WAITING = "waiting"
    """Its envelope waits behind a live run of the same workflow id (ADM-13)."""
    BOUND = "bound"
    """A run serves it; the run's status is its status."""
    FINISHED = "finished"
    """The run that serves it has ended."""
    CLOSED = "closed"
    """It ended by itself: cancelled before its start, detached, or undispatchable."""


OPEN_STATES = (ExecutionState.READY, ExecutionState.WAITING, ExecutionState.BOUND)
"""States of executions that have not ended."""


class Lane(StrEnum):
    """Capacity that work runs in (LANE-1)."""

    INTERACTIVE = "interactive"
    BACKGROUND = "background"


INTERACTIVE_PRIORITY = 5
"""Requests of at least this priority use the reserved interactive slots."""


def lane_of(priority: int) -> Lane:
    """The lane for a priority from 0 (last) to 9 (first)."""
    return Lane.INTERACTIVE if priority >= INTERACTIVE_PRIORITY else Lane.BACKGROUND


# Facts about a run. The five terminal ones end it; see `TERMINAL_EVENTS`.
DISPATCHED = "WorkflowDispatched"
STARTED = "WorkflowStarted"
FIRST_STEP = "WorkflowFirstStepEntered"
PARKED = "WorkflowParked"
RESUMED = "WorkflowResumed"
CANCELLATION_REQUESTED = "WorkflowCancellationRequested"
STUCK = "WorkflowStuck"
UNSTUCK = "WorkflowUnstuck"
TERMINAL_EVENTS: Mapping[str, RunStatus] = {
    "WorkflowCompleted": RunStatus.SUCCEEDED,
    "WorkflowFailed": RunStatus.FAILED,
    "WorkflowCanceled": RunStatus.CANCELED,
    "WorkflowTimedOut": RunStatus.TIMED_OUT,
    "WorkflowTerminated": RunStatus.TERMINATED,
}
EVENT_OF_STATUS: Mapping[RunStatus, str] = {
    status: event_type for event_type, status in TERMINAL_EVENTS.items()
}
RECONCILED_NOT_FOUND = "reconciled_not_found"
"""Error code of a provisional WorkflowTerminated: Temporal did not know the run (REC-1)."""

# Facts about an execution itself.
ACCEPTED = "ExecutionAccepted"
CANCEL_STORED = "ExecutionCancelStored"
CLOSED = "ExecutionClosed"


@dataclass(frozen=True, slots=True)
class RunRef:
    """One exact Temporal run."""

    tenant_id: str
    workflow_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Run:
    """What is known of one exact run: the fold of its events.

    ``started_at`` is the entry of the first business step (ADM-5), ``marked_at`` the start
    marker's time. ``summary`` is the compact camelCase summary of the inputs (ENV-2).
    ``startup`` maps start-up stages to their times (OBS-2). ``provisional`` marks a terminal
    state that only says "Temporal did not know it".
    """

    tenant_id: str
    workflow_id: str
    run_id: str
    workflow: str = ""
    status: RunStatus = RunStatus.PENDING
    stuck: bool = False
    provisional: bool = False
    marked_at: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    error_code: str | None = None
    error_retryable: bool | None = None
    result: Mapping[str, Any] | None = None
    summary: Mapping[str, Any] = field(default_factory=dict)
    startup: Mapping[str, str] = field(default_factory=dict)
    gate_id: str | None = None
    last_event_id: int = 0

    @property
    def ref(self) -> RunRef:
        """Which run it is."""
        return RunRef(self.tenant_id, self.workflow_id, self.run_id)


def fold(run: Run, event: Event) -> Run:
    """The run after one more of its events (ENV-6).

    The first terminal wins; nothing but a marked recovery reopens an ended run, and only a
    provisional one. Events at or below ``last_event_id`` change nothing.
    """
    if event.event_id <= run.last_event_id:
        return run
    return replace(_apply(run, event), last_event_id=event.event_id)


def _apply(run: Run, event: Event) -> Run:
    if run.status in TERMINAL:
        return _after_end(run, event)
    if event.event_type in TERMINAL_EVENTS:
        return _end(run, event)
    handler = _HANDLERS.get(event.event_type)
    return handler(run, event) if handler else run


def _after_end(run: Run, event: Event) -> Run:
    payload = event.payload
    if event.event_type == STARTED and payload.get("recovery") and run.provisional:
        status = RunStatus.RUNNING if run.started_at else RunStatus.PENDING
        return replace(
            run, status=status, provisional=False, ended_at=None, error_code=None, result=None
        )
    if event.event_type in {DISPATCHED, STARTED}:
        return _described(run, payload)
    return run


def _end(run: Run, event: Event) -> Run:
    payload = event.payload
    code = payload.get("code")
    return replace(
        run,
        status=TERMINAL_EVENTS[event.event_type],
        provisional=code == RECONCILED_NOT_FOUND,
        stuck=False,
        gate_id=None,
        ended_at=payload.get("endedAt") or event.occurred_at,
        error_code=code,
        error_retryable=payload.get("retryable"),
        result=payload.get("result"),
    )


def _marked(run: Run, event: Event) -> Run:
    marked = _described(run, event.payload)
    return replace(
        marked,
        workflow=event.payload.get("workflow", run.workflow),
        marked_at=run.marked_at or event.occurred_at,
    )


def _running(run: Run, event: Event) -> Run:
    keeps = run.status is RunStatus.CANCEL_REQUESTED or run.status in NEEDS_PERSON
    status = run.status if keeps else RunStatus.RUNNING
    started = run.started_at or event.payload.get("enteredAt") or event.occurred_at
    return replace(_described(run, event.payload), status=status, started_at=started)


def _dispatched(run: Run, event: Event) -> Run:
    workflow = event.payload.get("workflow", run.workflow)
    return replace(_described(run, event.payload), workflow=workflow)


def _parked(run: Run, event: Event) -> Run:
    status = RunStatus(event.payload["status"])
    return replace(run, status=status, gate_id=event.payload.get("gateId"))


def _resumed(run: Run, _event: Event) -> Run:
    return replace(run, status=RunStatus.RUNNING, gate_id=None)


def _cancelling(run: Run, _event: Event) -> Run:
    return replace(run, status=RunStatus.CANCEL_REQUESTED)


def _stuck(run: Run, event: Event) -> Run:
    return replace(run, stuck=True, error_code=event.payload.get("code"))


def _unstuck(run: Run, _event: Event) -> Run:
    return replace(run, stuck=False, error_code=None)


def _described(run: Run, payload: Mapping[str, Any]) -> Run:
    """Merge the summary and start-up times; both sides speak of this exact run (ENV-2)."""
    return replace(
        run,
        summary={**payload.get("summary", {}), **run.summary},
        startup={**payload.get("startup", {}), **run.startup},
    )


_HANDLERS: Mapping[str, Callable[[Run, Event], Run]] = {
    DISPATCHED: _dispatched,
    STARTED: _marked,
    FIRST_STEP: _running,
    PARKED: _parked,
    RESUMED: _resumed,
    CANCELLATION_REQUESTED: _cancelling,
    STUCK: _stuck,
    UNSTUCK: _unstuck,
}


class CancelOutcome(StrEnum):
    """What a cancel request came to (ADM-8)."""

    CANCEL_REQUESTED = "cancel_requested"
    """Stored; it reaches the run, or ends what has not started."""
    DETACHED = "detached"
    """This execution ended; the run goes on for the others that hold it."""
    ALREADY_TERMINAL = "already_terminal"
    TOO_LATE = "too_late"


@dataclass(frozen=True, slots=True)
class Execution:
    """One accepted request, with the run that serves it where there is one."""

    execution_id: str
    tenant_id: str
    workflow: str
    workflow_id: str
    group_id: str
    state: ExecutionState
    priority: int
    fingerprint: str
    idempotency_key: str | None
    inputs: Mapping[str, Any]
    created_at: str
    run_id: str | None
    waits_for: str | None
    cancel_requested_at: str | None
    closed_at: str | None
    close_status: str | None
    close_code: str | None
    startup: Mapping[str, str]
    run: Run | None = None

    @property
    def lane(self) -> Lane:
        """The lane that its priority gives."""
        return lane_of(self.priority)

    @property
    def status(self) -> RunStatus:
        """What a caller sees (ADM-5a)."""
        if self.state is ExecutionState.CLOSED:
            return RunStatus(self.close_status or RunStatus.CANCELED)
        status = self.run.status if self.run else RunStatus.PENDING
        if self.cancel_requested_at and status not in TERMINAL:
            return RunStatus.CANCEL_REQUESTED
        return status

    @property
    def is_terminal(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in TERMINAL
