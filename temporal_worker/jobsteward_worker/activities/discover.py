"""Steps of discovery: plan the sources, read one of them, close one that failed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection
from temporalio import activity

from jobsteward.discover.model import (
    Board,
    DiscoveryExecutionRef,
    Posting,
    SavedPostings,
    SourceOutcome,
)
from jobsteward.discover.plan import plan_sources, planned_source
from jobsteward.discover.service import discover_board
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.store import save_outcome, save_postings
from jobsteward.kernel.errors import MissingInputError
from jobsteward.runs.pipeline import Facts, PipelineStep, StepState, record_step
from jobsteward.runs.views import find_execution
from jobsteward_worker.activities.base import Activities, Pace
from jobsteward_worker.beating import beating
from jobsteward_worker.failures import failure_of
from jobsteward_worker.run_key import RunKey


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source fared, in codes and counts. ``new`` and ``changed`` count our jobs."""

    source_id: str
    status: str
    http_status: int | None = None
    found: int = 0
    new: int = 0
    changed: int = 0
    broken: int = 0
    advertised: int | None = None
    code: str | None = None


def ref_of(run: RunKey) -> DiscoveryExecutionRef:
    """The run as discovery names it, the same in every step (DIS-1)."""
    return DiscoveryExecutionRef(run.tenant_id, run.workflow_id, run.run_id)


class DiscoveryPlanning(Activities):
    """Quick steps: they touch the database only."""

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register."""
        return [self.plan_discovery_sources, self.close_failed_source]

    @activity.defn
    async def plan_discovery_sources(self, run: RunKey) -> list[str]:
        """The ids of the run's sources; the URLs stay in the database.

        Raises MissingInputError where the execution behind the run is gone.
        """
        step = PipelineStep("source_planning", attempt=activity.info().attempt)
        log = self.library.log

        def work(conn: Connection) -> list[str]:
            execution = find_execution(conn, run.tenant_id, run.execution_id)
            if execution is None:
                raise MissingInputError("the request behind this run is gone; send it again")
            record_step(conn, log, run.ref, step, "Started", {})
            planned = plan_sources(conn, log, ref_of(run), execution.inputs["boards"])
            record_step(conn, log, run.ref, step, "Completed", {"count": len(planned)})
            return planned

        return await self.library.database.write(work)

    @activity.defn
    async def close_failed_source(self, run: RunKey, source_id: str, code: str) -> SourceReport:
        """The outcome of a source whose every attempt failed, stored with the last error's code."""
        log = self.library.log

        def work(conn: Connection) -> None:
            planned = planned_source(conn, ref_of(run), source_id)
            name = f"{planned.provider}/{planned.key}" if isinstance(planned, Board) else source_id
            save_outcome(conn, log, ref_of(run), SourceOutcome(name, "error", code=code))

        await self.library.database.write(work)
        return SourceReport(source_id, "error", code=code)


class DiscoverySources(Activities):
    """Long steps: they read boards on the web."""

    pace: ClassVar[Pace] = "long"

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register."""
        return [self.discovery_source_family]

    @activity.defn
    async def discovery_source_family(self, run: RunKey, source_id: str) -> SourceReport:
        """How reading one source went, after its postings were stored batch by batch.

        Raises SourceUnavailableError and TransientNetworkError, both worth another attempt.
        """
        planned = await self.library.database.read(
            lambda conn: planned_source(conn, ref_of(run), source_id)
        )
        if isinstance(planned, SourceOutcome):
            return SourceReport(source_id, planned.status, code=planned.code)
        step = PipelineStep("source_family", source_id, activity.info().attempt)
        await self._record(run, step, "Started", {})
        began = time.monotonic()
        try:
            async with beating():
                report = await self._read(run, source_id, planned)
        except Exception as error:
            failure = failure_of(error)
            bad: Facts = {"errorCode": failure.code, "retryable": failure.retryable}
            await self._record(run, step, "Failed", bad | {"durationMs": _since(began)})
            raise
        good: Facts = {"detailCode": report.status, "count": report.found}
        await self._record(run, step, "Completed", good | {"durationMs": _since(began)})
        return report

    async def _read(self, run: RunKey, source_id: str, board: Board) -> SourceReport:
        saved = SavedPostings()

        async def keep(postings: list[Posting]) -> None:
            nonlocal saved
            batch = await self.library.database.write(
                lambda conn: save_postings(conn, self.library.log, ref_of(run), postings)
            )
            saved = SavedPostings(
                saved.discovered + batch.discovered,
                saved.updated + batch.updated,
                saved.unchanged + batch.unchanged,
            )

        outcome = await discover_board(self.outbound, SOURCES[board.provider], board, keep)
        await self.library.database.write(
            lambda conn: save_outcome(conn, self.library.log, ref_of(run), outcome)
        )
        return _report(source_id, outcome, saved)

    async def _record(
        self, run: RunKey, step: PipelineStep, state: StepState, facts: Facts
    ) -> None:
        await self.library.database.write(
            lambda conn: record_step(conn, self.library.log, run.ref, step, state, facts)
        )


def _report(source_id: str, outcome: SourceOutcome, saved: SavedPostings) -> SourceReport:
    return SourceReport(
        source_id,
        outcome.status,
        outcome.http_status,
        outcome.found,
        saved.discovered,
        saved.updated,
        outcome.broken,
        outcome.advertised,
        outcome.code,
    )


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)
