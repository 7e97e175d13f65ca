"""What a job goes through, stage by stage, and which moves between states there are (DOM-3)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from jobsteward.kernel.errors import StageMoveError


class Stage(StrEnum):
    """The stages in their order; each builds on all before it."""

    DISCOVER = "discover"
    ENRICH = "enrich"
    SCORE = "score"
    TAILOR = "tailor"
    COVER = "cover"
    PDF = "pdf"
    APPLY = "apply"

    @property
    def upstream(self) -> tuple["Stage", ...]:
        """The stages that this one builds on."""
        return _ORDER[: _ORDER.index(self)]

    @property
    def downstream(self) -> tuple["Stage", ...]:
        """The stages that build on this one."""
        return _ORDER[_ORDER.index(self) + 1 :]


class StageState(StrEnum):
    """Where a stage of one job stands; a stage that nobody touched is pending."""

    PENDING = "pending"
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    BLOCKED = "blocked"
    SKIPPED = "skipped"
    EXHAUSTED = "exhausted"
    CANCELED = "canceled"
    NEEDS_VERIFICATION = "needs_verification"
    STALE = "stale"


MOST_FAILURES = 3
"""How often a stage may fail in a row before only a reset lets it try again."""

By = Literal["work", "person"]
_ORDER = tuple(Stage)
_READY = frozenset({StageState.SUCCEEDED, StageState.SKIPPED})
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class StageRecord:
    """One stage of one job. ``attempt`` grows with every return to pending, ``failures``
    counts failed attempts since the last success or reset, ``reason`` is the last code."""

    stage: Stage
    state: StageState = StageState.PENDING
    attempt: int = 1
    failures: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class StageMove:
    """A command. ``attempt`` is the one that it is about, so that a repeat is recognised.

    ``reason`` is a code, never free text. ``reset`` forgets earlier failures.
    """

    to: StageState
    attempt: int
    reason: str | None = None
    by: By = "work"
    reset: bool = False


Upstream = Mapping[Stage, StageState]
_Guard = Callable[[StageRecord, StageMove, Upstream], str | None]


def moved(record: StageRecord, move: StageMove, upstream: Upstream) -> StageRecord:
    """The stage after the move. ``upstream`` has the state of each stage before it.

    Raises StageMoveError where there is no such move, its guard does not hold, or it is about
    another attempt. Pure: nothing is stored.
    """
    if move.reason is not None and not _CODE.fullmatch(move.reason):
        raise StageMoveError("a stage's reason is a code of letters, digits and underscores")
    if move.attempt != record.attempt:
        raise StageMoveError("the stage is at another attempt; read it again")
    guard = MOVES.get((record.state, move.to))
    if guard is None:
        raise StageMoveError(f"a stage does not go from {record.state} to {move.to}")
    if refusal := guard(record, move, upstream):
        raise StageMoveError(refusal)
    return replace(
        record,
        state=move.to,
        attempt=record.attempt + (move.to is StageState.PENDING),
        failures=_failures(record, move),
        reason=move.reason,
    )


def is_ready(stage: Stage, upstream: Upstream) -> bool:
    """Whether every stage before it has succeeded or was skipped."""
    return all(upstream.get(earlier) in _READY for earlier in stage.upstream)


def _failures(record: StageRecord, move: StageMove) -> int:
    if move.to is StageState.FAILED:
        return record.failures + 1
    if move.reset or move.to is StageState.SUCCEEDED:
        return 0
    return record.failures


def _free(_record: StageRecord, _move: StageMove, _upstream: Upstream) -> str | None:
    return None


def _ready(record: StageRecord, _move: StageMove, upstream: Upstream) -> str | None:
    return None if is_ready(record.stage, upstream) else "an earlier stage has not succeeded yet"


def _not_ready(record: StageRecord, _move: StageMove, upstream: Upstream) -> str | None:
    return "no earlier stage holds this one up" if is_ready(record.stage, upstream) else None


def _reasoned(_record: StageRecord, move: StageMove, _upstream: Upstream) -> str | None:
    return None if move.reason else "this move needs a reason code"


def _applies(record: StageRecord, _move: StageMove, _upstream: Upstream) -> str | None:
    return None if record.stage is Stage.APPLY else "only an application is ever verified"


def _by_person(_record: StageRecord, move: StageMove, _upstream: Upstream) -> str | None:
    return None if move.by == "person" else "only a person may say how it ended"


def _requeued(record: StageRecord, move: StageMove, upstream: Upstream) -> str | None:
    return _by_person(record, move, upstream) or _reasoned(record, move, upstream)


def _retried(record: StageRecord, move: StageMove, _upstream: Upstream) -> str | None:
    tries_left = move.reset or record.failures < MOST_FAILURES
    return None if tries_left else "its attempts are used up; reset it to try again"


def _used_up(record: StageRecord, _move: StageMove, _upstream: Upstream) -> str | None:
    used = record.failures >= MOST_FAILURES
    return None if used else "it has attempts left; retry it instead"


def _reset(_record: StageRecord, move: StageMove, _upstream: Upstream) -> str | None:
    return None if move.reset else "its attempts are used up; reset it to try again"


_S = StageState
MOVES: Mapping[tuple[StageState, StageState], _Guard] = {
    (_S.PENDING, _S.QUEUED): _ready,
    (_S.PENDING, _S.RUNNING): _ready,
    (_S.PENDING, _S.BLOCKED): _not_ready,
    (_S.PENDING, _S.SKIPPED): _reasoned,
    (_S.QUEUED, _S.RUNNING): _ready,
    (_S.QUEUED, _S.CANCELED): _free,
    (_S.RUNNING, _S.SUCCEEDED): _free,
    (_S.RUNNING, _S.FAILED): _reasoned,
    (_S.RUNNING, _S.CANCELED): _free,
    (_S.RUNNING, _S.NEEDS_VERIFICATION): _applies,
    (_S.FAILED, _S.PENDING): _retried,
    (_S.FAILED, _S.EXHAUSTED): _used_up,
    (_S.BLOCKED, _S.PENDING): _ready,
    (_S.EXHAUSTED, _S.PENDING): _reset,
    (_S.CANCELED, _S.PENDING): _free,
    (_S.NEEDS_VERIFICATION, _S.SUCCEEDED): _by_person,
    (_S.NEEDS_VERIFICATION, _S.FAILED): _requeued,
    (_S.NEEDS_VERIFICATION, _S.PENDING): _requeued,
    (_S.SKIPPED, _S.PENDING): _reasoned,
    (_S.SUCCEEDED, _S.STALE): _reasoned,
    (_S.STALE, _S.PENDING): _free,
}
"""Every move there is, with the guard that says why not, or None."""
