"""Steps of a run as facts: queued, started, completed or failed, in codes and counts (DIS-10)."""

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection

from jobsteward.runs.lifecycle import run_event
from jobsteward.runs.model import RunRef
from jobsteward.store.event_log import EventLog

StepKind = Literal["source_planning", "source_family"]
StepState = Literal["Queued", "Started", "Completed", "Failed"]
Facts = dict[str, str | int]
_ENDS = frozenset({"Completed", "Failed"})


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
    log.append(conn, run_event(ref, f"PipelineStep{state}", key, payload))
