"""What happens around every activity: runtime guard, first-step report, failure mapping."""

import asyncio
import traceback
from pathlib import Path
from typing import Any

import structlog
from temporalio import activity
from temporalio.api.common.v1 import Payload
from temporalio.exceptions import CancelledError
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
)

from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import RuntimeIdentityMismatchError
from jobsteward_worker.activities.control import Control
from jobsteward_worker.envelope import FIRST_STEP_HEADER, FirstStep
from jobsteward_worker.failures import to_application_error
from jobsteward_worker.run_key import RunKey

log = structlog.get_logger()


class Guards(Interceptor):
    """Puts the guard, the first-step report and the failure mapping around activities."""

    def __init__(self, runtime: str, control: Control) -> None:
        self._runtime = runtime
        self._control = control

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """The chain for one activity, outermost first."""
        return FailureMapping(RuntimeGuard(FirstStepReport(next, self._control), self._runtime))


class FailureMapping(ActivityInboundInterceptor):
    """Turns every error into a code before Temporal stores it (ERR-1, ERR-2)."""

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        """The activity's result. Raises ApplicationError with a code, or the cancellation."""
        try:
            return await self.next.execute_activity(input)
        except CancelledError:
            raise
        except Exception as error:
            _log_failure(error)
            raise to_application_error(error) from None


class RuntimeGuard(ActivityInboundInterceptor):
    """Refuses work that is meant for another database or app directory (ACT-4)."""

    def __init__(self, next: ActivityInboundInterceptor, runtime: str) -> None:
        super().__init__(next)
        self._runtime = runtime

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        """Run it here, or raise RuntimeIdentityMismatchError before anything is written."""
        run = input.args[0] if input.args else None
        if isinstance(run, RunKey) and run.runtime == self._runtime:
            return await self.next.execute_activity(input)
        raise RuntimeIdentityMismatchError(
            "this work belongs to another app directory or database; stop the worker that"
            " should not be on this Temporal namespace"
        )


class FirstStepReport(ActivityInboundInterceptor):
    """Reports the entry of a run's first business step while the step already works."""

    def __init__(self, next: ActivityInboundInterceptor, control: Control) -> None:
        super().__init__(next)
        self._control = control

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        """The activity's result, once the entry is stored as well."""
        payload = input.headers.get(FIRST_STEP_HEADER)
        if payload is None:
            return await self._step(input)
        report = asyncio.create_task(self._report(payload, timestamp(utc_now())))
        try:
            return await self._step(input)
        finally:
            await report

    async def _report(self, payload: Payload, entered_at: str) -> None:
        first: FirstStep = activity.payload_converter().from_payload(payload, FirstStep)
        for stage in ("runtime_entry", "first_step"):
            self._control.observe(stage, first.lane, {**first.startup, "first_step": entered_at})
        await self._control.first_step_entered(first.run, first.startup, entered_at)

    async def _step(self, input: ExecuteActivityInput) -> Any:
        if activity.info().is_local:
            return await self.next.execute_activity(input)
        failpoints.reach("step.before")
        result = await self.next.execute_activity(input)
        failpoints.reach("step.after")
        return result


def _log_failure(error: Exception) -> None:
    """Which error it was and where it arose; its text may hold what nobody should read (SEC-6)."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    log.warning(
        "activity_failed",
        kind=activity.info().activity_type,
        attempt=activity.info().attempt,
        error=type(error).__name__,
        where=f"{Path(frame.filename).name}:{frame.lineno}",
    )
