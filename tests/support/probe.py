"""A workflow made for tests: it does exactly the steps that its inputs name."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from temporalio import activity, workflow

from jobsteward.kernel import errors
from jobsteward.runs.model import RunStatus
from jobsteward.runs.views import find_execution
from jobsteward_worker.activities.base import Activities, Pace
from jobsteward_worker.beating import beating
from jobsteward_worker.blocking import CancelToken
from jobsteward_worker.failures import retry_policy
from jobsteward_worker.parking import Parking
from jobsteward_worker.run_key import RunKey, this_run
from jobsteward_worker.spec import Catalogue, WorkflowSpec, WorkflowStart, work_queue
from jobsteward_worker.workflows import CATALOGUE

_FAILURES: dict[str, type[errors.JobstewardError]] = {
    error.code: error
    for error in (
        errors.ConfigurationError,
        errors.AuthenticationError,
        errors.MissingInputError,
        errors.BudgetExceededError,
        errors.MaterialRejectedError,
        errors.TransientNetworkError,
        errors.BrowserTransientError,
        errors.LlmTransientError,
        errors.SourceUnavailableError,
    )
}


class ProbeInputs(BaseModel):
    """``steps`` are words like ``ok``, ``fail:CODE``, ``bug``, ``sleep:SECONDS``."""

    model_config = ConfigDict(extra="forbid")

    steps: list[str] = []
    attempts: int = 2
    name: str = ""


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """What the first step found in the inputs."""

    steps: list[str]
    attempts: int


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How many steps were done; ``failed`` carries a failure in the value (REC-4)."""

    done: int
    failed: str | None = None


class ProbeFirst(Activities):
    """The quick first step."""

    def steps(self) -> Sequence[Callable[..., Any]]:
        return [self.probe_first_step]

    @activity.defn
    async def probe_first_step(self, run: RunKey) -> ProbePlan:
        """The plan in the inputs."""
        execution = await self.library.database.read(
            lambda conn: find_execution(conn, run.tenant_id, run.execution_id)
        )
        inputs = ProbeInputs.model_validate(execution.inputs if execution else {})
        return ProbePlan(inputs.steps, inputs.attempts)


class ProbeWork(Activities):
    """The long steps."""

    pace: ClassVar[Pace] = "long"

    def steps(self) -> Sequence[Callable[..., Any]]:
        return [self.probe_step]

    @activity.defn
    async def probe_step(self, _run: RunKey, word: str) -> int:
        """Do what the word says; returns the number of this attempt."""
        verb, _, argument = word.partition(":")
        match verb:
            case "fail":
                raise _FAILURES[argument]("a probe failed as asked")
            case "bug":
                raise ValueError("a secret that must not leave this process")
            case "large":
                return len("x" * int(argument))
            case "sleep":
                async with beating(0.2):
                    await asyncio.sleep(float(argument))
            case "hand-back" if activity.info().attempt == 1:
                async with beating(0.2):
                    await asyncio.sleep(float(argument))
            case "block":
                await self.blocking.run_blocking_with_heartbeat(
                    lambda token: _block(token, float(argument))
                )
        return activity.info().attempt


def _block(token: CancelToken, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not token.is_cancelled:
        time.sleep(0.01)


@workflow.defn
class ProbeWorkflow(Parking):
    """Does the steps one after the other."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> ProbeResult:
        run = this_run(start)
        plan = await workflow.execute_activity_method(
            ProbeFirst.probe_first_step,
            run,
            start_to_close_timeout=timedelta(seconds=10),
            retry_policy=retry_policy(3),
        )
        done = 0
        for word in plan.steps:
            verb, _, argument = word.partition(":")
            match verb:
                case "body-bug":
                    raise ValueError("a secret that must not leave this process")
                case "again":
                    if workflow.info().continued_run_id is None:
                        workflow.continue_as_new(start)
                case "park":
                    decision = await self.decided(run, RunStatus(argument))
                    if decision.verdict == "reject":
                        return ProbeResult(done, "rejected")
                case "value":
                    return ProbeResult(done, argument)
                case _:
                    await _step(start, run, word, plan.attempts)
            done += 1
        return ProbeResult(done)


async def _step(start: WorkflowStart, run: RunKey, word: str, attempts: int) -> int:
    return await workflow.execute_activity_method(
        ProbeWork.probe_step,
        args=[run, word],
        task_queue=work_queue(start.lane),
        start_to_close_timeout=timedelta(seconds=60),
        heartbeat_timeout=timedelta(seconds=2),
        retry_policy=retry_policy(attempts),
        cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    )


@workflow.defn
class SpendingProbeWorkflow(ProbeWorkflow):
    """The same, for the check of the spend budget."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> ProbeResult:
        return await super().run(start)


PROBE = Catalogue(
    [
        WorkflowSpec(
            name="probe",
            description="Does the steps that its inputs name.",
            workflow=ProbeWorkflow,
            inputs=ProbeInputs,
            summary=lambda inputs: {"stepCount": len(inputs.get("steps", []))},
            activities=(ProbeFirst, ProbeWork),
        ),
        WorkflowSpec(
            name="spending_probe",
            description="A probe that may spend.",
            workflow=SpendingProbeWorkflow,
            inputs=ProbeInputs,
            spendful=True,
            activities=(ProbeFirst, ProbeWork),
        ),
    ]
)
WITH_PROBE = Catalogue([*CATALOGUE, *PROBE])
"""The product's workflows and the probes."""
