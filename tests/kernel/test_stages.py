"""A stage goes only where a move leads, and only where its guard holds (DOM-3)."""

from dataclasses import replace
from itertools import product

import pytest

from jobsteward.kernel.errors import StageMoveError
from jobsteward.kernel.stages import (
    MOST_FAILURES,
    MOVES,
    Stage,
    StageMove,
    StageRecord,
    StageState,
    moved,
)

S = StageState
_WRITTEN = {
    S.PENDING: {S.QUEUED, S.RUNNING, S.BLOCKED, S.SKIPPED},
    S.QUEUED: {S.RUNNING, S.CANCELED},
    S.RUNNING: {S.SUCCEEDED, S.FAILED, S.CANCELED, S.NEEDS_VERIFICATION},
    S.FAILED: {S.PENDING, S.EXHAUSTED},
    S.BLOCKED: {S.PENDING},
    S.EXHAUSTED: {S.PENDING},
    S.CANCELED: {S.PENDING},
    S.NEEDS_VERIFICATION: {S.SUCCEEDED, S.FAILED, S.PENDING},
    S.SKIPPED: {S.PENDING},
    S.SUCCEEDED: {S.STALE},
    S.STALE: {S.PENDING},
}
_READY = dict.fromkeys(Stage, S.SUCCEEDED)
_HELD_UP = _READY | {Stage.ENRICH: S.RUNNING}


def _record(state: StageState, stage: Stage = Stage.SCORE, failures: int = 0) -> StageRecord:
    return StageRecord(stage, state, failures=failures)


@pytest.mark.parametrize(("before", "after"), list(product(S, S)))
def test_the_moves_are_those_of_the_rule(before: StageState, after: StageState) -> None:
    """Every pair of states is a move or refused, whatever is offered with it."""
    possible = after in _WRITTEN[before]
    assert ((before, after) in MOVES) == possible
    if possible:
        return
    tries = product((_READY, _HELD_UP), ("work", "person"), (True, False), (0, MOST_FAILURES))
    for upstream, by, reset, failures in tries:
        move = StageMove(after, 1, "because", by, reset)  # type: ignore[arg-type]
        with pytest.raises(StageMoveError):
            moved(_record(before, Stage.APPLY, failures), move, upstream)


@pytest.mark.parametrize(
    ("record", "good", "bad"),
    [
        (_record(S.RUNNING), StageMove(S.FAILED, 1, "fetch_timeout"), StageMove(S.FAILED, 1)),
        (_record(S.PENDING), StageMove(S.SKIPPED, 1, "low_score"), StageMove(S.SKIPPED, 1)),
        (_record(S.SKIPPED), StageMove(S.PENDING, 1, "score_rose"), StageMove(S.PENDING, 1)),
        (_record(S.SUCCEEDED), StageMove(S.STALE, 1, "changed"), StageMove(S.STALE, 1)),
        (_record(S.EXHAUSTED), StageMove(S.PENDING, 1, reset=True), StageMove(S.PENDING, 1)),
        (
            _record(S.FAILED, failures=MOST_FAILURES),
            StageMove(S.PENDING, 1, reset=True),
            StageMove(S.PENDING, 1),
        ),
        (
            _record(S.NEEDS_VERIFICATION, Stage.APPLY),
            StageMove(S.SUCCEEDED, 1, by="person"),
            StageMove(S.SUCCEEDED, 1),
        ),
        (
            _record(S.NEEDS_VERIFICATION, Stage.APPLY),
            StageMove(S.PENDING, 1, "never_arrived", "person"),
            StageMove(S.PENDING, 1, by="person"),
        ),
        (
            _record(S.NEEDS_VERIFICATION, Stage.APPLY),
            StageMove(S.FAILED, 1, "never_arrived", "person"),
            StageMove(S.FAILED, 1, "never_arrived"),
        ),
    ],
    ids=lambda value: f"{value.state}-{value.stage}" if isinstance(value, StageRecord) else "",
)
def test_a_move_needs_its_reason_person_or_reset(
    record: StageRecord, good: StageMove, bad: StageMove
) -> None:
    """The same move without what its guard asks for is refused."""
    assert moved(record, good, _READY).state is good.to
    with pytest.raises(StageMoveError):
        moved(record, bad, _READY)


@pytest.mark.parametrize("to", [S.QUEUED, S.RUNNING])
def test_a_stage_begins_once_all_before_it_are_done(to: StageState) -> None:
    """Succeeded and skipped count as done; anything else blocks."""
    skipped = _READY | {Stage.ENRICH: S.SKIPPED}
    assert moved(_record(S.PENDING), StageMove(to, 1), skipped).state is to
    with pytest.raises(StageMoveError):
        moved(_record(S.PENDING), StageMove(to, 1), _HELD_UP)
    with pytest.raises(StageMoveError):
        moved(_record(S.PENDING), StageMove(to, 1), {})


def test_blocked_means_that_something_holds_it_up() -> None:
    """A stage is blocked while an earlier one is not done, and only then."""
    assert moved(_record(S.PENDING), StageMove(S.BLOCKED, 1), _HELD_UP).state is S.BLOCKED
    with pytest.raises(StageMoveError):
        moved(_record(S.PENDING), StageMove(S.BLOCKED, 1), _READY)
    with pytest.raises(StageMoveError):
        moved(_record(S.BLOCKED), StageMove(S.PENDING, 1), _HELD_UP)


def test_only_an_application_waits_for_verification() -> None:
    """Other stages either succeeded or failed."""
    move = StageMove(S.NEEDS_VERIFICATION, 1)
    assert moved(_record(S.RUNNING, Stage.APPLY), move, {}).state is S.NEEDS_VERIFICATION
    with pytest.raises(StageMoveError):
        moved(_record(S.RUNNING, Stage.PDF), move, {})


def test_attempts_are_used_up_by_failing() -> None:
    """Each return to pending is a new attempt; after the last failure only a reset helps."""
    record = _record(S.PENDING)
    for number in range(1, MOST_FAILURES + 1):
        for move in (StageMove(S.RUNNING, number), StageMove(S.FAILED, number, "transient")):
            record = moved(record, move, _READY)
        if number < MOST_FAILURES:
            with pytest.raises(StageMoveError):
                moved(record, StageMove(S.EXHAUSTED, number), _READY)
            record = moved(record, StageMove(S.PENDING, number), _READY)
    assert (record.attempt, record.failures) == (MOST_FAILURES, MOST_FAILURES)
    record = moved(record, StageMove(S.EXHAUSTED, MOST_FAILURES), _READY)
    record = moved(record, StageMove(S.PENDING, MOST_FAILURES, reset=True), _READY)
    assert (record.attempt, record.failures) == (MOST_FAILURES + 1, 0)


def test_a_command_of_another_attempt_is_refused() -> None:
    """What arrives late must not move an attempt that it knows nothing about (DOM-2)."""
    record = replace(_record(S.RUNNING), attempt=2)
    with pytest.raises(StageMoveError):
        moved(record, StageMove(S.SUCCEEDED, 1), _READY)


@pytest.mark.parametrize("reason", ["two words", "ünclear", "", "x" * 65, "a-b"])
def test_a_reason_is_a_code(reason: str) -> None:
    """Nothing that a person or posting wrote gets into an event (OUT-7)."""
    with pytest.raises(StageMoveError):
        moved(_record(S.RUNNING), StageMove(S.FAILED, 1, reason), _READY)
