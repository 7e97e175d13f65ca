"""Each invariant on its own: a sound history passes, the smallest damage is named."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.chaos.checker import INVARIANTS, violations
from tests.chaos.history import (
    Accepted,
    CancelTold,
    EventRow,
    ExecutionRow,
    History,
    Refused,
    RunRow,
    Stored,
    TemporalRun,
    Told,
)

ONE, TWO = "exe_1", "exe_2"
Damage = Callable[[History, Stored], Stored]


def sound() -> tuple[History, Stored]:
    """One run that succeeded and one request that was cancelled before it started."""
    history = History(
        accepted=[
            Accepted("acme", "k1", "a", ONE, 1.0, 1.1),
            Accepted("acme", "k1", "a", ONE, 2.0, 2.1),
            Accepted("other", None, "b", TWO, 1.0, 1.1),
            Accepted("other", None, "b", TWO, 1.1, 1.2),
        ],
        refused=[Refused("acme", "k1", "c", ONE)],
        told=[Told(ONE, "running", 3.0, 3.1), Told(ONE, "succeeded", 4.0, 4.1)],
        cancels=[CancelTold(ONE, "already_terminal", 5.0, 5.1)],
        shown={("acme", ONE), ("acme", "run_1"), ("other", TWO)},
    )
    types = ["WorkflowStarted", "WorkflowFirstStepEntered", "WorkflowCompleted"]
    events = [EventRow(1, "acme", "execution", ONE, 1, "ExecutionAccepted")]
    events += [EventRow(n + 2, "acme", "run", "run_1", n + 1, t) for n, t in enumerate(types)]
    events += [EventRow(5, "acme", "run", "run_1", 4, "WorkflowDispatched")]
    closing = ["ExecutionAccepted", "ExecutionCancelStored", "ExecutionClosed"]
    events += [EventRow(n + 6, "other", "execution", TWO, n + 1, t) for n, t in enumerate(closing)]
    stored = Stored(
        executions=[
            ExecutionRow(ONE, "acme", "w-1", ONE, "finished", "k1", "fa", "run_1"),
            ExecutionRow(TWO, "other", "w-2", TWO, "closed", None, "fb", None),
        ],
        events=events,
        runs=[RunRow("acme", "w-1", "run_1", "succeeded")],
        dispatched={ONE},
        temporal=[TemporalRun("w-1", "run_1", ONE, "succeeded")],
    )
    return history, stored


def late(stored: Stored, kind: str, ref: str, event_type: str) -> Stored:
    """The same with one more event at the end."""
    tenant = next(event.tenant for event in stored.events if event.ref == ref)
    seq = sum(event.ref == ref for event in stored.events) + 1
    event = EventRow(len(stored.events) + 1, tenant, kind, ref, seq, event_type)
    return replace(stored, events=[*stored.events, event])


def without_execution(_: History, stored: Stored) -> Stored:
    return replace(stored, executions=stored.executions[1:])


def second_execution_of_the_key(history: History, stored: Stored) -> Stored:
    history.accepted.append(Accepted("acme", "k1", "a", TWO, 6.0, 6.1))
    return stored


def second_twin(history: History, stored: Stored) -> Stored:
    history.accepted.append(Accepted("other", None, "b", ONE, 1.2, 1.3))
    return stored


def other_arguments_taken(history: History, stored: Stored) -> Stored:
    history.accepted.append(Accepted("acme", "k1", "c", ONE, 6.0, 6.1))
    return stored


def second_end(_: History, stored: Stored) -> Stored:
    return late(stored, "run", "run_1", "WorkflowFailed")


def no_end(_: History, stored: Stored) -> Stored:
    events = [replace(e, type="WorkflowUnstuck") if e.event_id == 4 else e for e in stored.events]
    return replace(stored, events=events)


def another_end_in_temporal(_: History, stored: Stored) -> Stored:
    return replace(stored, temporal=[TemporalRun("w-1", "run_1", ONE, "canceled")])


def still_waiting(_: History, stored: Stored) -> Stored:
    rows = [replace(row, state="ready") for row in stored.executions]
    return replace(stored, executions=rows)


def step_after_the_end(_: History, stored: Stored) -> Stored:
    return late(stored, "run", "run_1", "WorkflowFirstStepEntered")


def cancel_after_the_end(_: History, stored: Stored) -> Stored:
    return late(stored, "execution", ONE, "ExecutionCancelStored")


def end_taken_back(history: History, stored: Stored) -> Stored:
    history.told.append(Told(ONE, "canceled", 6.0, 6.1))
    return stored


def cancel_of_an_ended_one_taken(history: History, stored: Stored) -> Stored:
    history.cancels.append(CancelTold(ONE, "cancel_requested", 6.0, 6.1))
    return stored


def event_of_nothing(_: History, stored: Stored) -> Stored:
    return replace(stored, runs=[])


def run_of_nothing(_: History, stored: Stored) -> Stored:
    stray = TemporalRun("w-9", "run_9", "exe_9", "succeeded")
    return replace(stored, temporal=[*stored.temporal, stray])


def foreign_id_shown(history: History, stored: Stored) -> Stored:
    history.shown.add(("other", "run_1"))
    return stored


def started_twice(_: History, stored: Stored) -> Stored:
    again = TemporalRun("w-1", "run_3", ONE, "succeeded")
    return replace(stored, temporal=[*stored.temporal, again])


def never_started(_: History, stored: Stored) -> Stored:
    return replace(stored, dispatched={ONE, TWO})


def gap(_: History, stored: Stored) -> Stored:
    return replace(stored, events=[event for event in stored.events if event.event_id != 3])


DAMAGES: list[tuple[Damage, str]] = [
    (without_execution, "I1"),
    (second_execution_of_the_key, "I2"),
    (second_twin, "I2"),
    (other_arguments_taken, "I3"),
    (second_end, "I4"),
    (no_end, "I4"),
    (another_end_in_temporal, "I4"),
    (still_waiting, "I4"),
    (step_after_the_end, "I5"),
    (cancel_after_the_end, "I5"),
    (end_taken_back, "I5"),
    (cancel_of_an_ended_one_taken, "I5"),
    (event_of_nothing, "I6"),
    (run_of_nothing, "I6"),
    (foreign_id_shown, "I11"),
    (started_twice, "I12"),
    (never_started, "I12"),
    (gap, "I13"),
]


def test_a_sound_history_breaks_nothing() -> None:
    assert violations(*sound()) == []


@pytest.mark.parametrize(
    ("damage", "invariant"), DAMAGES, ids=[f"{name}-{d.__name__}" for d, name in DAMAGES]
)
def test_the_smallest_damage_is_named(damage: Damage, invariant: str) -> None:
    history, stored = sound()
    stored = damage(history, stored)
    assert invariant in {violation.invariant for violation in violations(history, stored)}


def test_every_invariant_has_its_damage() -> None:
    assert {invariant for _, invariant in DAMAGES} == set(INVARIANTS)
