"""Steps of a run as facts: queued, started, completed or failed, in codes and counts (DIS-10)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from jobsteward.kernel.events import Event
from jobsteward.runs.lifecycle import run_event
from jobsteward.runs.model import RunRef
from jobsteward.store.event_log import EventLog, events_after

StepKind = Literal["source_planning", "source_family", "enrichment_pass"]
StepState = Literal["Queued", "Started", "Completed", "Failed"]
Facts = dict[str, str | int]
_ENDS = frozenset({"Completed", "Failed"})
_EVENT = "PipelineStep"
_MOST_EVENTS = 5_000


@dataclass(frozen=True, slots=True)
class PipelineStep:
    """One attempt at one step of a run. ``key`` names the part: an id, never free text."""

    kind: StepKind
    key: str = ""
    attempt: int = 1


def record_step(
    conn: Connection,
    log: EventLog,
    ref: RunRef,
    step: PipelineStep,
    state: StepState,
    facts: Facts,
) -> None:
    """Append the state once; of several ends within an attempt the first one stands.

    ``facts`` are a detailCode, count, durationMs, errorCode or retryable.
    """
    payload: dict[str, Any] = {"step": step.kind, "attempt": step.attempt, **facts}
    if step.key:
        payload["key"] = step.key
    moment = "end" if state in _ENDS else state
    key = f"step-{step.kind}-{step.key}-{step.attempt}-{moment}"
    log.append(conn, run_event(ref, f"{_EVENT}{state}", key, payload))


@dataclass(frozen=True, slots=True)
class StepView:
    """How a step stands: the state of its newest attempt, since ``at`` (RFC 3339 in UTC)."""

    kind: str
    key: str
    attempt: int
    state: StepState
    at: str
    facts: Mapping[str, str | int] = field(default_factory=dict)


def steps_of(conn: Connection, ref: RunRef) -> list[StepView]:
    """The run's steps, in the order in which they were first queued or begun."""
    entity = [("run", ref.run_id)]
    return fold_steps(events_after(conn, ref.tenant_id, entity, 0, _MOST_EVENTS))


def fold_steps(events: Iterable[Event]) -> list[StepView]:
    """The steps that the events leave: a higher attempt replaces a lower one, a late lower one
    changes nothing, and the first end within an attempt stands (DIS-10)."""
    steps: dict[tuple[str, str], StepView] = {}
    for event in events:
        state = _state(event)
        if state is None:
            continue
        told = dict(event.payload)
        kind, key = told.pop("step"), told.pop("key", "")
        view = StepView(kind, key, told.pop("attempt"), state, event.occurred_at, told)
        if _replaces(view, steps.get((kind, key))):
            steps[kind, key] = view
    return list(steps.values())


def _state(event: Event) -> StepState | None:
    name = event.event_type.removeprefix(_EVENT)
    return next((state for state in get_args(StepState) if state == name), None)


def _replaces(new: StepView, old: StepView | None) -> bool:
    if old is None or new.attempt > old.attempt:
        return True
    if new.attempt < old.attempt or old.state in _ENDS:
        return False
    order: tuple[StepState, ...] = get_args(StepState)
    return order.index(new.state) > order.index(old.state)
