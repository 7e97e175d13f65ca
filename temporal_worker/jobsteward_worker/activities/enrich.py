"""The step of discovery that reads the run's jobs in full (DIS-3, DIS-9)."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection
from temporalio import activity

from jobsteward.discover.enrich import Cohort, enrich_job, queue_enrichment
from jobsteward.discover.model import DiscoveryExecutionRef
from jobsteward.kernel import failpoints
from jobsteward.kernel.stages import StageState
from jobsteward.runs.pipeline import Facts, PipelineStep, record_step
from jobsteward_worker.activities.base import Activities, Pace
from jobsteward_worker.activities.stepping import stepping
from jobsteward_worker.run_key import RunKey

PARALLEL_JOBS = 4


@dataclass(frozen=True, slots=True)
class EnrichmentReport:
    """How many jobs were read in full by this attempt, and how many could not be for now."""

    read: int = 0
    failed: int = 0


class DiscoveryEnrichment(Activities):
    """A long step: it reads postings on the web."""

    pace: ClassVar[Pace] = "long"

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The step to register."""
        return [self.discovery_enrichment]

    @activity.defn
    async def discovery_enrichment(self, run: RunKey) -> EnrichmentReport:
        """How reading the run's jobs went, batch after batch; one that fails stops no other.

        Jobs that are read already are left alone, so another attempt goes on with the rest.
        """
        ref = DiscoveryExecutionRef(run.tenant_id, run.workflow_id, run.run_id)
        step = PipelineStep("enrichment_pass", attempt=activity.info().attempt)
        database, log = self.library.database, self.library.log
        async with stepping(self.library, run, step) as since:
            states = await self._read_all(ref)
            report = EnrichmentReport(
                states[StageState.SUCCEEDED],
                states[StageState.FAILED] + states[StageState.EXHAUSTED],
            )
            facts: Facts = {"count": report.read, "durationMs": since()}
            await database.write(
                lambda conn: record_step(conn, log, run.ref, step, "Completed", facts)
            )
        return report

    async def _read_all(self, ref: DiscoveryExecutionRef) -> Counter[StageState]:
        states = Counter[StageState]()
        after: str | None = ""
        while after is not None:
            cohort = await self._queue(ref, after)
            states.update(await self._read(ref, cohort.job_ids))
            after = cohort.last
        return states

    async def _queue(self, ref: DiscoveryExecutionRef, after: str) -> Cohort:
        def work(conn: Connection) -> Cohort:
            return queue_enrichment(conn, self.library.log, ref, after)

        return await self.library.database.write(work)

    async def _read(self, ref: DiscoveryExecutionRef, job_ids: Sequence[str]) -> list[StageState]:
        free = asyncio.Semaphore(PARALLEL_JOBS)
        library = self.library

        async def read(job_id: str) -> StageState:
            async with free:
                found = await enrich_job(library.database, library.log, self.outbound, ref, job_id)
            failpoints.reach("enrich.read")
            return found.state

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(read(job_id)) for job_id in job_ids]
        except ExceptionGroup as several:
            raise several.exceptions[0] from None  # its code decides about another attempt
        return [task.result() for task in tasks]
