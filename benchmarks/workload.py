"""Workflows made for measuring: one quick step, or one step that holds a slot for a while."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from temporalio import activity, workflow

from benchmarks.marks import Marker, now
from jobsteward_worker.activities.base import Activities, Pace, Workbench
from jobsteward_worker.failures import retry_policy
from jobsteward_worker.run_key import RunKey, this_run
from jobsteward_worker.spec import Catalogue, WorkflowSpec, WorkflowStart, work_queue
from jobsteward_worker.workflows import CATALOGUE

HOLD_SECONDS = 0.35
"""How long a background step works, without using the processor."""


class NoInputs(BaseModel):
    """Nothing but a number that makes requests differ."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = 0


class MarkedStep(Activities):
    """The quick step: it notes the moment of its entry."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._marker = Marker()

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register."""
        return [self.marked_step]

    @activity.defn
    async def marked_step(self, run: RunKey) -> None:
        """Entered; nothing else."""
        self._marker.send(run.execution_id, now())


class HoldingStep(Activities):
    """The long step: it holds its slot."""

    pace: ClassVar[Pace] = "long"

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self._marker = Marker()

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register."""
        return [self.holding_step]

    @activity.defn
    async def holding_step(self, run: RunKey) -> None:
        """Entered, then quiet for 350 ms."""
        self._marker.send(run.execution_id, now())
        await asyncio.sleep(HOLD_SECONDS)


@workflow.defn
class MeasuredWorkflow:
    """One quick step."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> None:
        """Enter the step."""
        await workflow.execute_activity_method(
            MarkedStep.marked_step,
            this_run(start),
            start_to_close_timeout=timedelta(seconds=30),
            retry_policy=retry_policy(3),
        )


@workflow.defn
class HoldingWorkflow:
    """One long step."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> None:
        """Hold a slot of the lane."""
        await workflow.execute_activity_method(
            HoldingStep.holding_step,
            this_run(start),
            task_queue=work_queue(start.lane),
            start_to_close_timeout=timedelta(seconds=30),
            retry_policy=retry_policy(3),
        )


MEASURED = WorkflowSpec(
    name="measured",
    description="One quick step that notes its entry; made for benchmarks.",
    workflow=MeasuredWorkflow,
    inputs=NoInputs,
    activities=(MarkedStep,),
)
HOLDING = WorkflowSpec(
    name="holding",
    description="One step that holds a slot for 350 ms; made for benchmarks.",
    workflow=HoldingWorkflow,
    inputs=NoInputs,
    activities=(HoldingStep,),
)
WITH_WORKLOAD = Catalogue([*CATALOGUE, MEASURED, HOLDING])
