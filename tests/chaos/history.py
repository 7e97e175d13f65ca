"""What a storm leaves to judge: what clients were told, and what is stored once it is quiet."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accepted:
    """An acknowledged request. ``arguments`` is any text that differs where they differ.

    Times here and below are seconds of one monotonic clock, at the call and at its answer.
    """

    tenant: str
    key: str | None
    arguments: str
    execution_id: str
    asked: float
    answered: float


@dataclass(frozen=True, slots=True)
class Refused:
    """A 409 for a key that stands for other arguments, with the execution it named."""

    tenant: str
    key: str
    arguments: str
    named: str


@dataclass(frozen=True, slots=True)
class Told:
    """A status that an answer gave for an execution."""

    execution_id: str
    status: str
    asked: float
    answered: float


@dataclass(frozen=True, slots=True)
class CancelTold:
    """What a cancel request was said to have come to."""

    execution_id: str
    outcome: str
    asked: float
    answered: float


@dataclass
class History:
    """Everything that answers said. ``shown`` pairs a tenant with each id in its answers."""

    accepted: list[Accepted] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    cancels: list[CancelTold] = field(default_factory=list)
    shown: set[tuple[str, str]] = field(default_factory=set)
    unanswered: int = 0


@dataclass(frozen=True, slots=True)
class ExecutionRow:
    """A stored execution."""

    execution_id: str
    tenant: str
    workflow_id: str
    group_id: str
    state: str
    key: str | None
    fingerprint: str
    run_id: str | None


@dataclass(frozen=True, slots=True)
class EventRow:
    """A stored event; ``code`` is the failure code in its payload."""

    event_id: int
    tenant: str
    kind: str
    ref: str
    seq: int
    type: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A stored run."""

    tenant: str
    workflow_id: str
    run_id: str
    status: str


@dataclass(frozen=True, slots=True)
class TemporalRun:
    """The first run of a chain, by Temporal's account; ``status`` is None while it is open."""

    workflow_id: str
    run_id: str
    execution_id: str
    status: str | None


@dataclass(frozen=True)
class Stored:
    """All that is stored. ``dispatched`` holds the executions whose start was confirmed."""

    executions: list[ExecutionRow]
    events: list[EventRow]
    runs: list[RunRow]
    dispatched: set[str]
    temporal: list[TemporalRun]
