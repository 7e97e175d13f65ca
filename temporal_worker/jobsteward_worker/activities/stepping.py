"""Telling how a long step of a run goes: begun, failed with a code, and how long it took."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jobsteward.library import Library
from jobsteward.runs.pipeline import Facts, PipelineStep, StepState, record_step
from jobsteward_worker.beating import beating
from jobsteward_worker.failures import failure_of
from jobsteward_worker.run_key import RunKey


@asynccontextmanager
async def stepping(
    library: Library, run: RunKey, step: PipelineStep
) -> AsyncIterator[Callable[[], int]]:
    """Record that the step began, beat while it works, and record an error that ends it (DIS-10).

    Gives what tells the milliseconds since the start, for the completion, which the step
    records itself, in one commit with its result.
    """

    async def record(state: StepState, facts: Facts) -> None:
        await library.database.write(
            lambda conn: record_step(conn, library.log, run.ref, step, state, facts)
        )

    began = time.monotonic()

    def since() -> int:
        return round((time.monotonic() - began) * 1000)

    await record("Started", {})
    try:
        async with beating():
            yield since
    except Exception as error:
        failure = failure_of(error)
        facts: Facts = {"errorCode": failure.code, "retryable": failure.retryable}
        await record("Failed", facts | {"durationMs": since()})
        raise
