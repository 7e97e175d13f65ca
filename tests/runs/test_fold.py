"""How facts become a run: the first terminal stands, and only a provisional one reopens (ENV-6)."""

from collections.abc import Mapping
from typing import Any

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jobsteward.kernel.events import Event
from jobsteward.runs.model import TERMINAL, TERMINAL_EVENTS, Run, RunStatus, fold

_LIVE_EVENTS = (
    "WorkflowDispatched",
    "WorkflowStarted",
    "WorkflowFirstStepEntered",
    "WorkflowParked",
    "WorkflowResumed",
    "WorkflowCancellationRequested",
    "WorkflowStuck",
    "WorkflowUnstuck",
)
_FRESH = Run("acme", "wf", "run-1")


def event(event_id: int, event_type: str, payload: Mapping[str, Any] | None = None) -> Event:
    """An event of the one run."""
    return Event(
        event_id=event_id,
        seq=event_id,
        tenant_id="acme",
        entity_kind="run",
        entity_ref="run-1",
        event_type=event_type,
        payload=payload or {},
        occurred_at=f"t{event_id:04}",
        job_id=None,
        workflow_id="wf",
        run_id="run-1",
    )


def folded(*steps: tuple[str, Mapping[str, Any]]) -> Run:
    """The run after these facts."""
    run = _FRESH
    for number, (event_type, payload) in enumerate(steps, start=1):
        run = fold(run, event(number, event_type, payload))
    return run


class RunFold(RuleBasedStateMachine):
    """Events in any order and any number, beside a model that remembers only the rules."""

    @initialize()
    def fresh(self) -> None:
        """Nothing has happened."""
        self.run = _FRESH
        self.events: list[Event] = []
        self.end: RunStatus | None = None
        self.provisional = False
        self.entered: str | None = None

    def _append(self, event_type: str, payload: Mapping[str, Any]) -> Event:
        self.events.append(event(len(self.events) + 1, event_type, payload))
        self.run = fold(self.run, self.events[-1])
        return self.events[-1]

    @rule(
        event_type=st.sampled_from(_LIVE_EVENTS),
        parked=st.sampled_from(["needs_input", "awaiting_approval"]),
        summary=st.dictionaries(st.sampled_from("abc"), st.integers(0, 2)),
    )
    def something_happens(self, event_type: str, parked: str, summary: dict[str, int]) -> None:
        """A fact that ends nothing."""
        payload = {"status": parked, "gateId": "g", "code": "c", "summary": summary}
        appended = self._append(event_type, payload)
        if event_type == "WorkflowFirstStepEntered" and self.end is None:
            self.entered = self.entered or appended.occurred_at

    @rule(event_type=st.sampled_from(sorted(TERMINAL_EVENTS)))
    def it_ends(self, event_type: str) -> None:
        """A true terminal; it counts only where none stands."""
        self._append(event_type, {"code": "failed", "result": {"n": 1}})
        self.end = self.end or TERMINAL_EVENTS[event_type]

    @rule()
    def temporal_does_not_know_it(self) -> None:
        """A provisional terminal; it counts only where none stands."""
        self._append("WorkflowTerminated", {"code": "reconciled_not_found"})
        if self.end is None:
            self.end, self.provisional = RunStatus.TERMINATED, True

    @rule()
    def it_reappears(self) -> None:
        """A marked recovery reopens a provisional end and nothing else."""
        self._append("WorkflowStarted", {"recovery": True})
        if self.provisional:
            self.end, self.provisional = None, False

    @precondition(lambda self: self.events)
    @rule(data=st.data())
    def an_old_event_comes_again(self, data: st.DataObject) -> None:
        """A redelivery changes nothing."""
        before = self.run
        assert fold(before, data.draw(st.sampled_from(self.events))) == before

    @invariant()
    def it_agrees_with_the_model(self) -> None:
        """Terminal state, provisional mark and start are what the rules say."""
        assert (self.run.status if self.run.status in TERMINAL else None) == self.end
        assert self.run.provisional == self.provisional
        assert (self.run.ended_at is not None) == (self.end is not None)
        assert self.run.started_at == self.entered

    @invariant()
    def it_is_a_function_of_the_log(self) -> None:
        """Folding everything again from nothing gives the same run."""
        run = _FRESH
        for appended in self.events:
            run = fold(run, appended)
        assert run == self.run

    @invariant()
    def an_ended_run_waits_for_nobody(self) -> None:
        """Neither a gate nor the stuck mark outlives the run."""
        if self.end is not None:
            assert (self.run.gate_id, self.run.stuck) == (None, False)


TestRunFold = RunFold.TestCase
TestRunFold.settings = hypothesis_settings(
    max_examples=60, stateful_step_count=30, deadline=None, derandomize=True
)


def test_set_up_does_not_start_it() -> None:
    """ADM-5: dispatch and start marker leave it pending; the first business step starts it."""
    steps: list[tuple[str, Mapping[str, Any]]] = [
        ("WorkflowDispatched", {"workflow": "D"}),
        ("WorkflowStarted", {"workflow": "D", "startup": {"marker": "t"}}),
    ]
    assert folded(*steps).status is RunStatus.PENDING
    assert folded(*steps).started_at is None
    run = folded(*steps, ("WorkflowFirstStepEntered", {"enteredAt": "now"}))
    assert (run.status, run.started_at, run.marked_at) == (RunStatus.RUNNING, "now", "t0002")


def test_marker_and_dispatch_come_in_either_order() -> None:
    """ENV-2: summaries and start-up times merge to the same run, whichever came first."""
    dispatched = ("WorkflowDispatched", {"workflow": "D", "startup": {"dispatched": "a"}})
    started = ("WorkflowStarted", {"workflow": "D", "summary": {"b": 1}, "startup": {"ready": "b"}})
    one, other = folded(dispatched, started), folded(started, dispatched)
    assert one.startup == other.startup == {"dispatched": "a", "ready": "b"}
    assert one.summary == other.summary == {"b": 1}


def test_a_late_marker_still_describes_an_ended_run() -> None:
    """ENV-2: the summary arrives after the end and is kept; the end stands."""
    run = folded(
        ("WorkflowCompleted", {"result": {"jobs": 3}}), ("WorkflowStarted", {"summary": {"b": 1}})
    )
    assert (run.status, run.summary, run.result) == (RunStatus.SUCCEEDED, {"b": 1}, {"jobs": 3})


def test_a_parked_run_keeps_its_gate_through_the_first_step() -> None:
    """ADM-5a: entering a step late does not hide that a person is asked."""
    run = folded(
        ("WorkflowParked", {"status": "needs_input", "gateId": "g1"}),
        ("WorkflowFirstStepEntered", {}),
    )
    assert (run.status, run.gate_id) == (RunStatus.NEEDS_INPUT, "g1")


def test_a_recovered_run_goes_on_where_it_was() -> None:
    """REC-2: reopened as running if it had started, with no trace of the provisional end."""
    run = folded(
        ("WorkflowFirstStepEntered", {}),
        ("WorkflowTerminated", {"code": "reconciled_not_found"}),
        ("WorkflowStarted", {"recovery": True}),
    )
    assert (run.status, run.error_code, run.ended_at) == (RunStatus.RUNNING, None, None)
