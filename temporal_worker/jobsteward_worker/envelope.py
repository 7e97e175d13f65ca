"""The envelope around every workflow: one start marker, one terminal event, on every path.

The finalizer is a regular activity awaited behind a shield in a loop. With any other shape
a cancel that lands while it runs turns a run that the database calls succeeded into one
that Temporal calls canceled.
"""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from pydantic import BaseModel
from temporalio import workflow
from temporalio.exceptions import ActivityError
from temporalio.worker import (
    ExecuteWorkflowInput,
    Interceptor,
    StartActivityInput,
    StartChildWorkflowInput,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs.model import Lane, RunStatus
from jobsteward_worker.activities.control import Control, Marked, Outcome
from jobsteward_worker.failures import Ending, Failure, ending_of, retry_policy
from jobsteward_worker.run_key import RunKey, this_run
from jobsteward_worker.spec import CONTROL_QUEUE, Catalogue, WorkflowStart

T = TypeVar("T")

FIRST_STEP_HEADER = "jobsteward-first-step"
CONTROL_TIMEOUT = timedelta(seconds=30)
CONTROL_ATTEMPTS = 5
OUTCOME_HEARTBEAT = timedelta(seconds=10)
"""Silence after which a worker that was recording an outcome counts as gone. Without it a run
would stay open for all of ``CONTROL_TIMEOUT`` after a crash."""
_WALL_CLOCK = "jobsteward_wall_clock"


def _wall_clock() -> str:
    return timestamp(utc_now())


@dataclass(frozen=True, slots=True)
class FirstStep:
    """Travels in the header of a run's first business step, which reports its entry."""

    run: RunKey
    lane: Lane
    startup: Mapping[str, str]


class Envelope(Interceptor):
    """Puts every workflow of the catalogue into the envelope (ENV-1)."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._spendful = frozenset(s.workflow.__name__ for s in catalogue if s.spendful)

    def workflow_interceptor_class(
        self, input: WorkflowInterceptorClassInput
    ) -> type[WorkflowInboundInterceptor]:
        """The interceptor of one workflow run."""
        input.unsafe_extern_functions[_WALL_CLOCK] = _wall_clock

        class Enveloped(EnvelopeInbound):
            spendful = self._spendful

        return Enveloped


class EnvelopeInbound(WorkflowInboundInterceptor):
    """Marks the start, runs the body, records the outcome."""

    spendful: frozenset[str] = frozenset()

    def init(self, outbound: WorkflowOutboundInterceptor) -> None:
        """Put the watcher for the first business step before the outbound chain."""
        self._first_step = FirstStepWatch(outbound)
        super().init(self._first_step)

    async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:
        """The body's result or error, after the outcome is recorded.

        A run that continues as new has not ended and records nothing.
        """
        start: WorkflowStart = input.args[0]
        run = this_run(start)
        result: Any = None
        try:
            await self._open(run, start.lane)
            result = await self.next.execute_workflow(input)
            ending = _ending_of_result(result)
        except workflow.NondeterminismError:
            raise
        except (Exception, asyncio.CancelledError) as error:
            ending = ending_of(error)
        await self._record(run, ending, result)
        if ending.error is not None:
            raise ending.error from None
        return result

    async def _open(self, run: RunKey, lane: Lane) -> None:
        marked = await to_the_end(lambda: _mark_started(run, lane))
        if workflow.info().workflow_type in self.spendful:
            await to_the_end(lambda: _check_budget(run))
        if workflow.cancellation_reason() is not None:
            raise asyncio.CancelledError
        # The workflow's own clock stands still since its task began. The true time goes into
        # a header only, which no decision reads and no replay compares.
        entered = {"runtime_entry": workflow.extern_functions()[_WALL_CLOCK]()}
        self._first_step.expect(FirstStep(run, lane, {**marked.startup, **entered}))

    async def _record(self, run: RunKey, ending: Ending, result: Any) -> None:
        failure = ending.failure
        outcome = Outcome(
            ending.status,
            code=failure.code if failure else None,
            retryable=failure.retryable if failure else None,
            result=_as_dict(result),
            cancel_seen=workflow.cancellation_reason() is not None,
        )
        try:
            await to_the_end(lambda: _record_outcome(run, outcome))
        except ActivityError:
            # Storage was away for all five attempts: the reconciler writes the outcome later.
            workflow.logger.warning("the outcome could not be recorded yet")


class FirstStepWatch(WorkflowOutboundInterceptor):
    """Marks the run's first business step, so that its activity reports when it was entered."""

    _expected: FirstStep | None = None

    def expect(self, first: FirstStep) -> None:
        """The body begins now."""
        self._expected = first

    def start_activity(self, input: StartActivityInput) -> workflow.ActivityHandle[Any]:
        """Start it; the first one outside the control queue carries the mark."""
        if self._expected is not None and input.task_queue != CONTROL_QUEUE:
            payload = workflow.payload_converter().to_payload(self._expected)
            input.headers = {**input.headers, FIRST_STEP_HEADER: payload}
            self._expected = None
        return super().start_activity(input)

    async def start_child_workflow(
        self, input: StartChildWorkflowInput
    ) -> workflow.ChildWorkflowHandle[Any, Any]:
        """Start it; where a child is the first step, the entry is recorded before it."""
        if self._expected is not None:
            first, self._expected = self._expected, None
            await workflow.execute_local_activity_method(
                Control.record_first_step,
                args=[first.run, first.lane, dict(first.startup)],
                start_to_close_timeout=CONTROL_TIMEOUT,
                retry_policy=retry_policy(CONTROL_ATTEMPTS),
            )
        return await super().start_child_workflow(input)


async def to_the_end(start: Callable[[], Awaitable[T]]) -> T:
    """The step's result, whatever cancels arrive meanwhile; Temporal remembers those.

    A shield alone lets the first cancel through, so the wait is taken up again.
    """
    step = asyncio.ensure_future(start())
    while True:
        try:
            return await asyncio.shield(step)
        except asyncio.CancelledError:
            if step.done():
                return step.result()


async def _mark_started(run: RunKey, lane: Lane) -> Marked:
    return await workflow.execute_local_activity_method(
        Control.record_workflow_started,
        args=[run, lane],
        start_to_close_timeout=CONTROL_TIMEOUT,
        retry_policy=retry_policy(CONTROL_ATTEMPTS),
    )


async def _check_budget(run: RunKey) -> None:
    await workflow.execute_local_activity_method(
        Control.check_spend_budget,
        run,
        start_to_close_timeout=CONTROL_TIMEOUT,
        retry_policy=retry_policy(1),
    )


async def _record_outcome(run: RunKey, outcome: Outcome) -> RunStatus:
    return await workflow.execute_activity_method(
        Control.record_workflow_outcome,
        args=[run, outcome],
        task_queue=CONTROL_QUEUE,
        start_to_close_timeout=CONTROL_TIMEOUT,
        heartbeat_timeout=OUTCOME_HEARTBEAT,
        retry_policy=retry_policy(CONTROL_ATTEMPTS),
        cancellation_type=workflow.ActivityCancellationType.ABANDON,
    )


def _ending_of_result(result: Any) -> Ending:
    code = getattr(result, "failed", None)
    if code:
        return Ending(RunStatus.FAILED, Failure(str(code), False))
    return Ending(RunStatus.SUCCEEDED)


def _as_dict(result: Any) -> dict[str, Any] | None:
    if result is None:
        return None
    if isinstance(result, BaseModel):
        return result.model_dump(mode="json")
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    return dict(result) if isinstance(result, Mapping) else None
