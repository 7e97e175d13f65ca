"""Discovery: read the job boards a person named, each with an outcome of its own (DIS-3)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

from jobsteward.kernel.ids import id_part
from jobsteward_worker.activities.discover import DiscoveryPlanning, DiscoverySources, SourceReport
from jobsteward_worker.failures import failure_of, retry_policy
from jobsteward_worker.run_key import RunKey, this_run
from jobsteward_worker.spec import WorkflowSpec, WorkflowStart, work_queue

PARALLEL_SOURCES = 4
PLANNING_TIMEOUT = timedelta(minutes=30)
SOURCE_TIMEOUT = timedelta(hours=6)
ATTEMPTS = 3
_UNREAD = frozenset({"blocked", "error", "unsupported"})

BoardUrl = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class DiscoverInputs(BaseModel):
    """The boards to read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    boards: list[BoardUrl] = Field(
        min_length=1,
        max_length=50,
        description="URLs of job boards (Greenhouse, Lever, Ashby) or of postings on them.",
    )


@dataclass(frozen=True, slots=True)
class DiscoverResult:
    """Each source's outcome; ``failed`` is a code where not one of them could be read."""

    sources: Sequence[SourceReport] = field(default_factory=list)
    failed: str | None = None


@workflow.defn
class DiscoverWorkflow:
    """Plans the sources once, then reads four of them at a time."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> DiscoverResult:
        """The outcome of every source; one that cannot be read never stops the others."""
        run = this_run(start)
        planned = await workflow.execute_activity_method(
            DiscoveryPlanning.plan_discovery_sources,
            run,
            start_to_close_timeout=PLANNING_TIMEOUT,
            retry_policy=retry_policy(ATTEMPTS),
        )
        free = asyncio.Semaphore(PARALLEL_SOURCES)

        async def read(source_id: str) -> SourceReport:
            async with free:
                return await _read_source(start, run, source_id)

        reports = await asyncio.gather(*(read(source_id) for source_id in planned))
        return DiscoverResult(reports, _common_failure(reports))


async def _read_source(start: WorkflowStart, run: RunKey, source_id: str) -> SourceReport:
    try:
        return await workflow.execute_activity_method(
            DiscoverySources.discovery_source_family,
            args=[run, source_id],
            task_queue=work_queue(start.lane),
            start_to_close_timeout=SOURCE_TIMEOUT,
            heartbeat_timeout=timedelta(seconds=start.heartbeat_seconds),
            retry_policy=retry_policy(ATTEMPTS),
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        )
    except ActivityError as error:
        if is_cancelled_exception(error):
            raise
        return await workflow.execute_activity_method(
            DiscoveryPlanning.close_failed_source,
            args=[run, source_id, failure_of(error).code],
            start_to_close_timeout=PLANNING_TIMEOUT,
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
    return {"boardCount": len(inputs["boards"])}


DISCOVER = WorkflowSpec(
    name="discover",
    description=(
        "Reads the job boards behind the given URLs and stores their postings as jobs. A source"
        " that cannot be read is reported and never stops the others."
    ),
    workflow=DiscoverWorkflow,
    inputs=DiscoverInputs,
    workflow_id=_workflow_id,
    summary=_summary,
    activities=(DiscoveryPlanning, DiscoverySources),
)
