"""Discovery: read the job boards a person named, each with an outcome of its own (DIS-3)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

from jobsteward.kernel.ids import id_part
from jobsteward_worker.activities.discover import (
    ATTEMPTS,
    DiscoveryPlanning,
    DiscoverySources,
    SourceReport,
)
from jobsteward_worker.activities.enrich import DiscoveryEnrichment
from jobsteward_worker.envelope import to_the_end
from jobsteward_worker.failures import failure_of, retry_policy
from jobsteward_worker.run_key import RunKey, this_run
from jobsteward_worker.spec import WorkflowSpec, WorkflowStart, work_queue

PARALLEL_SOURCES = 4
PLANNING_TIMEOUT = timedelta(minutes=30)
PLANNING_SILENCE = timedelta(seconds=10)
"""Silence after which a worker that was planning counts as gone; `PLANNING_TIMEOUT` alone would
leave the run waiting for half an hour."""
LONG_TIMEOUT = timedelta(hours=6)
_UNREAD = frozenset({"blocked", "error", "unsupported"})

BoardUrl = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class DiscoverInputs(BaseModel):
    """What to look for and where; what is left out comes from the saved preferences."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    boards: list[BoardUrl] = Field(
        default_factory=list,
        max_length=50,
        description="URLs of job boards, of postings on them, or of careers pages.",
    )
    titles: list[Words] = Field(
        default_factory=list, max_length=50, description="Job titles to look for."
    )
    places: list[Words] = Field(
        default_factory=list, max_length=50, description="Cities, regions or countries."
    )
    remote: list[Literal["yes", "no", "unknown"]] = Field(
        default_factory=list,
        max_length=3,
        description="Kinds of remote work that will do; empty leaves it open.",
    )
    limit: int | None = Field(
        default=None, ge=1, le=100_000, description="How many new jobs are enough."
    )


@dataclass(frozen=True, slots=True)
class DiscoverResult:
    """Each source's outcome, and how many jobs were then read in full.

    ``failed`` is a code where not one of the sources could be read.
    """

    sources: Sequence[SourceReport] = field(default_factory=list)
    enriched: int = 0
    failed: str | None = None


@workflow.defn
class DiscoverWorkflow:
    """Plans the sources once, reads four of them at a time, then the found jobs in full."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> DiscoverResult:
        """The outcome of every source; one that cannot be read never stops the others.

        A cancel closes the open units at once, and ends the run when every source stopped.
        """
        run = this_run(start)
        reading: list[asyncio.Task[SourceReport]] = []
        try:
            planned = await _plan(run)
            free = asyncio.Semaphore(PARALLEL_SOURCES)
            reading += [asyncio.create_task(_read(free, start, run, item)) for item in planned]
            if reading:
                await workflow.wait(reading)
            reports = [task.result() for task in reading]
            failed = _common_failure(reports)
            enriched = 0 if failed else await _enrich(start, run)
        except (asyncio.CancelledError, ActivityError) as error:
            if is_cancelled_exception(error):
                await _stop(run, reading)
            raise
        return DiscoverResult(reports, enriched, failed)


async def _plan(run: RunKey) -> list[str]:
    return await workflow.execute_activity_method(
        DiscoveryPlanning.plan_discovery_sources,
        run,
        start_to_close_timeout=PLANNING_TIMEOUT,
        heartbeat_timeout=PLANNING_SILENCE,
        retry_policy=retry_policy(ATTEMPTS),
    )


async def _enrich(start: WorkflowStart, run: RunKey) -> int:
    report = await workflow.execute_activity_method(
        DiscoveryEnrichment.discovery_enrichment,
        run,
        task_queue=work_queue(start.lane),
        start_to_close_timeout=LONG_TIMEOUT,
        heartbeat_timeout=timedelta(seconds=start.heartbeat_seconds),
        retry_policy=retry_policy(ATTEMPTS),
        cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    )
    return report.read


async def _read(
    free: asyncio.Semaphore, start: WorkflowStart, run: RunKey, source_id: str
) -> SourceReport:
    async with free:
        return await _read_source(start, run, source_id)


async def _stop(run: RunKey, reading: Sequence[asyncio.Task[SourceReport]]) -> None:
    """Close the units first, so that whatever a source still does is not stored."""
    for task in reading:
        task.cancel()
    await to_the_end(lambda: _close_units(run))
    await to_the_end(lambda: asyncio.gather(*reading, return_exceptions=True))


async def _close_units(run: RunKey) -> int:
    return await workflow.execute_activity_method(
        DiscoveryPlanning.close_canceled_units,
        run,
        start_to_close_timeout=PLANNING_TIMEOUT,
        heartbeat_timeout=PLANNING_SILENCE,
        retry_policy=retry_policy(ATTEMPTS),
    )


async def _read_source(start: WorkflowStart, run: RunKey, source_id: str) -> SourceReport:
    try:
        return await workflow.execute_activity_method(
            DiscoverySources.discovery_source_family,
            args=[run, source_id],
            task_queue=work_queue(start.lane),
            start_to_close_timeout=LONG_TIMEOUT,
            heartbeat_timeout=timedelta(seconds=start.heartbeat_seconds),
            retry_policy=retry_policy(ATTEMPTS),
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        )
    except ActivityError as error:
        if is_cancelled_exception(error) or workflow.cancellation_reason() is not None:
            raise  # a source that was being stopped may well fail: its units are closed
        return await workflow.execute_activity_method(
            DiscoveryPlanning.close_failed_source,
            args=[run, source_id, failure_of(error).code],
            start_to_close_timeout=PLANNING_TIMEOUT,
            heartbeat_timeout=PLANNING_SILENCE,
            retry_policy=retry_policy(ATTEMPTS),
        )


def _common_failure(reports: Sequence[SourceReport]) -> str | None:
    if any(report.status not in _UNREAD for report in reports):
        return None
    codes = {report.code for report in reports if report.code}
    return codes.pop() if len(codes) == 1 else "source_unavailable"


def _workflow_id(tenant_id: str, _inputs: BaseModel) -> str:
    return f"discover-{id_part(tenant_id)}"


def _summary(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{name.removesuffix('s')}Count": len(inputs[name])
        for name in ("boards", "titles", "places")
        if inputs.get(name)
    }


DISCOVER = WorkflowSpec(
    name="discover",
    description=(
        "Reads job boards and stores their postings as jobs: the boards that the inputs name, or"
        " else those of the saved preferences. A source that cannot be read is reported and"
        " never stops the others."
    ),
    workflow=DiscoverWorkflow,
    inputs=DiscoverInputs,
    workflow_id=_workflow_id,
    summary=_summary,
    activities=(DiscoveryPlanning, DiscoverySources, DiscoveryEnrichment),
)
