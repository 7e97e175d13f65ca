"""HTTP bodies about workflows, executions and runs."""

import re
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jobsteward.kernel.canonical import canonical_json
from jobsteward.kernel.errors import InvalidInputError
from jobsteward.runs.model import (
    TERMINAL,
    CancelOutcome,
    Execution,
    RunStatus,
)

API = "/api/v1"
M = TypeVar("M", bound=BaseModel)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,39}")


class Wire(BaseModel):
    """A body with exactly the declared members."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExecuteRequest(Wire):
    """A request to run a workflow. Its fingerprint covers all but mode and priority (ADM-3)."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    execution_mode: Literal["async"] = "async"
    inputs: dict[str, Any] = Field(default_factory=dict)
    caller_chain: list[str] = Field(default_factory=list, max_length=16)
    overrides: dict[str, Any] = Field(default_factory=dict)
    priority: int | None = Field(default=None, ge=0, le=9)
    """From 0 (last) to 9 (first); unset takes the workflow's own."""


class Receipt(Wire):
    """Durable acceptance: the work will run, whatever happens to this process (ADM-2)."""

    status: Literal["submitted"] = "submitted"
    execution_id: str
    workflow: str
    replayed: bool = False
    """Whether an earlier, equal request already made this execution."""
    run_path: str
    events_path: str


class RunError(Wire):
    """Why a run ended badly, as a stable code."""

    code: str
    retryable: bool | None = None


class RunMetadata(Wire):
    """Facts beside the status: OBS-2's start-up stages, lane, summary of the inputs."""

    lane: str
    priority: int
    summary: dict[str, Any]
    startup: dict[str, str]
    gate_id: str | None = None
    waits_for: str | None = None
    """The execution that this one waits behind (ADM-13)."""


class RunView(Wire):
    """One execution and the run that serves it (ADM-7)."""

    execution_id: str
    run_id: str | None
    workflow: str
    status: RunStatus
    terminal: bool
    stuck: bool
    created_at: str
    started_at: str | None
    ended_at: str | None
    error: RunError | None
    result: dict[str, Any] | None
    metadata: RunMetadata
    events_path: str
    as_of: str


class RunPage(Wire):
    """Executions, newest first."""

    items: list[RunView]
    next_cursor: str | None = None


class CancelRequest(Wire):
    """Why, in the requester's words (kept in the audit only)."""

    reason: str | None = Field(default=None, max_length=500)


class CancelAnswer(Wire):
    """What the cancel request came to, with the true state."""

    outcome: CancelOutcome
    status: RunStatus


class DecisionRequest(Wire):
    """A person's decision on the gate it names (ADM-9)."""

    gate_id: str = Field(min_length=1, max_length=200)
    decision: Literal["approve", "reject", "answer"]
    answers: dict[str, Any] | None = None


class DecisionAnswer(Wire):
    """Whether this call decided, or an equal earlier one did."""

    gate_id: str
    decision: str
    replayed: bool


class WorkflowEntry(Wire):
    """One workflow of the catalogue, with the JSON Schema of its inputs."""

    name: str
    description: str
    lane: str
    spendful: bool
    input_schema: dict[str, Any]


class WorkflowPage(Wire):
    """The catalogue."""

    items: list[WorkflowEntry]


class EventView(Wire):
    """One event of a run, as the stream sends it (OBS-3)."""

    event_id: int
    seq: int
    type: str
    occurred_at: str
    payload: dict[str, Any]


class StepEntry(Wire):
    """One step of a run as its newest attempt stands; ``key`` names the part of the run."""

    step: str
    key: str
    attempt: int
    state: Literal["queued", "started", "completed", "failed"]
    at: str
    facts: dict[str, str | int]


class StepPage(Wire):
    """The steps of a run, in the order in which they began."""

    items: list[StepEntry]


class Reason(Wire):
    """Why a run waits and what to do next (OBS-5)."""

    execution_id: str
    status: RunStatus
    why: str
    next: str
    code: str


class DrainView(Wire):
    """How far draining has come; ``done`` once no worker has anything left to finish."""

    since: str | None
    running: int
    parked: int
    waiting: int
    done: bool


class UploadView(Wire):
    """A stored file, as inputs name it; ``size`` is in bytes."""

    upload_id: str
    sha256: str
    size: int


class TokenRequest(Wire):
    """A token to create. ``expires_in`` is in seconds; unset means it does not expire."""

    name: str = Field(min_length=1, max_length=100)
    scopes: list[Literal["read", "run", "approve", "admin"]] = Field(min_length=1)
    expires_in: int | None = Field(default=None, ge=1, le=10 * 365 * 86400)


class TokenView(Wire):
    """A token without its secret."""

    token_id: str
    name: str
    prefix: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None


class NewTokenView(TokenView):
    """A token just made, with the secret that is shown once."""

    secret: str


class TokenPage(Wire):
    """The tenant's tokens, oldest first."""

    items: list[TokenView]


class TimingView(Wire):
    """Times of day (``HH:MM``) on days (empty: all) in a zone, or every so many minutes."""

    at: list[str] = Field(default_factory=list, max_length=24)
    days: list[str] = Field(default_factory=list, max_length=7)
    zone: str = Field(default="UTC", max_length=64)
    every_minutes: int | None = Field(default=None, le=366 * 1440)


class ScheduleRequest(Wire):
    """A workflow to start again and again."""

    name: str = Field(min_length=1, max_length=100)
    workflow: str = Field(default="discover", min_length=1, max_length=100)
    inputs: dict[str, Any] = Field(default_factory=dict)
    timing: TimingView


class ScheduleView(Wire):
    """A schedule; times are in UTC. ``skipped`` counts due times that were left out because
    the run before was still going."""

    schedule_id: str
    name: str
    workflow: str
    inputs: dict[str, Any]
    timing: TimingView
    created_at: str
    next_at: str
    last_at: str | None
    last_execution_id: str | None
    skipped: int


class SchedulePage(Wire):
    """The tenant's schedules, oldest first."""

    items: list[ScheduleView]


def parse(model: type[M], value: Any, *, what: str, at: tuple[str, ...] = ()) -> M:
    """The value as the model. Raises InvalidInputError with each bad field and what it must
    be, never what it was; ``at`` is put before the fields' paths."""
    try:
        return model.model_validate_json(canonical_json(value), strict=True)
    except ValidationError as error:
        raise InvalidInputError(f"{what} does not fit", bad_fields(error, at)) from None


def bad_fields(error: ValidationError, at: tuple[str, ...] = ()) -> dict[str, str]:
    """Each bad field's path with what it must be."""
    return {
        ".".join((*at, *(safe_name(part) for part in item["loc"]))): item["msg"]
        for item in error.errors(include_input=False, include_url=False, include_context=False)
    }


def safe_name(part: object) -> str:
    """A part of a field's path as it may be repeated: a caller chose the names of unknown
    members, so one that does not look like a name is ``?`` (ADM-10)."""
    return str(part) if isinstance(part, int) or _NAME.fullmatch(str(part)) else "?"


def run_path(execution_id: str) -> str:
    """Where the execution is read."""
    return f"{API}/workflow-runs/{execution_id}"


def view_of(execution: Execution, as_of: str) -> RunView:
    """The execution as a caller sees it."""
    run = execution.run
    closed = execution.close_status is not None
    code = execution.close_code if closed else (run.error_code if run else None)
    retryable = run.error_retryable if run and not closed else None
    startup = dict(execution.startup) | (dict(run.startup) if run else {})
    return RunView(
        execution_id=execution.execution_id,
        run_id=execution.run_id,
        workflow=execution.workflow,
        status=execution.status,
        terminal=execution.status in TERMINAL,
        stuck=bool(run and run.stuck),
        created_at=execution.created_at,
        started_at=run.started_at if run else None,
        ended_at=execution.closed_at or (run.ended_at if run else None),
        error=RunError(code=code, retryable=retryable) if code else None,
        result=dict(run.result) if run and run.result is not None else None,
        metadata=RunMetadata(
            lane=execution.lane,
            priority=execution.priority,
            summary=dict(run.summary) if run else {},
            startup=startup,
            gate_id=run.gate_id if run else None,
            waits_for=execution.waits_for,
        ),
        events_path=f"{run_path(execution.execution_id)}/events",
        as_of=as_of,
    )
