"""Steps of discovery: plan the sources, read one of them, close what was left open."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Connection
from temporalio import activity

from jobsteward.discover.enrich import cancel_enrichment
from jobsteward.discover.keys import signing
from jobsteward.discover.model import DiscoveryExecutionRef, SourceOutcome
from jobsteward.discover.plan import Search, plan_sources, planned_search, planned_source
from jobsteward.discover.preferences import read_preferences
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.unit_batches import counts
from jobsteward.discover.unit_ending import close_run, close_source, settle_source
from jobsteward.discover.unit_reader import UnitReader
from jobsteward.discover.units import SearchUnit, claim, finish, units_of_source
from jobsteward.kernel import failpoints
from jobsteward.kernel.errors import (
    FetchTimeoutError,
    JobstewardError,
    MissingInputError,
    SourceUnavailableError,
    StaleLeaseError,
    TransientNetworkError,
)
from jobsteward.runs.pipeline import Facts, PipelineStep, record_step
from jobsteward.runs.views import find_execution
from jobsteward.store.engine import Work
from jobsteward_worker.activities.base import Activities, Pace
from jobsteward_worker.activities.stepping import stepping
from jobsteward_worker.beating import beating
from jobsteward_worker.run_key import RunKey

T = TypeVar("T")

ATTEMPTS = 3
"""How often a step of discovery is tried in all."""
_QUICK_BEAT = 1.0
_PASSING: Mapping[str | None, type[JobstewardError]] = {
    error.code: error
    for error in (SourceUnavailableError, TransientNetworkError, FetchTimeoutError)
}


@dataclass(frozen=True, slots=True)
class SourceReport:
    """How one source fared, in codes and counts. ``new`` and ``changed`` count our jobs,
    ``refused`` the postings that the search's own rules left out."""

    source_id: str
    status: str
    http_status: int | None = None
    found: int = 0
    new: int = 0
    changed: int = 0
    refused: int = 0
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
        return [self.plan_discovery_sources, self.close_failed_source, self.close_canceled_units]

    @activity.defn
    async def plan_discovery_sources(self, run: RunKey) -> list[str]:
        """The ids of the run's sources; the URLs stay in the database.

        Raises MissingInputError where the execution behind the run is gone, or where neither
        it nor the preferences name a board.
        """
        step = PipelineStep("source_planning", attempt=activity.info().attempt)
        log = self.library.log

        def work(conn: Connection) -> list[str]:
            record_step(conn, log, run.ref, step, "Queued", {})
            record_step(conn, log, run.ref, step, "Started", {})
            planned = plan_sources(conn, log, ref_of(run), _search(conn, run))
            for source_id in planned:
                family = PipelineStep("source_family", source_id)
                record_step(conn, log, run.ref, family, "Queued", {})
            record_step(conn, log, run.ref, PipelineStep("enrichment_pass"), "Queued", {})
            record_step(conn, log, run.ref, step, "Completed", {"count": len(planned)})
            return planned

        return await self._write(work)

    @activity.defn
    async def close_failed_source(self, run: RunKey, source_id: str, code: str) -> SourceReport:
        """The outcome of a source whose every attempt failed, with the last error's code.

        What an attempt had read stays and makes the source partial.
        """
        ref, log = ref_of(run), self.library.log

        def work(conn: Connection) -> SourceReport:
            outcome = close_source(conn, log, ref, source_id, code)
            return _report(conn, ref, source_id, outcome)

        return await self._write(work)

    @activity.defn
    async def close_canceled_units(self, run: RunKey) -> int:
        """How many units were still open; from now on none of them is written for (DIS-6).

        Jobs that this run queued to be read in full are free for the next one (DIS-9).
        """
        ref, log = ref_of(run), self.library.log

        def work(conn: Connection) -> int:
            cancel_enrichment(conn, log, ref)
            return close_run(conn, log, ref, "canceled")

        return await self._write(work)

    async def _write(self, work: Work[T]) -> T:
        async with beating(_QUICK_BEAT, first_after=_QUICK_BEAT):
            return await self.library.database.write(work)


class DiscoverySources(Activities):
    """Long steps: they read boards on the web."""

    pace: ClassVar[Pace] = "long"

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register."""
        return [self.discovery_source_family]

    @activity.defn
    async def discovery_source_family(self, run: RunKey, source_id: str) -> SourceReport:
        """How reading one source went, after its units were stored batch by batch.

        An attempt goes on where the last acknowledgement of the one before left off. Raises
        SourceUnavailableError and TransientNetworkError, both worth another attempt, and
        StaleLeaseError where a newer attempt took over.
        """
        ref = ref_of(run)
        planned = await self.library.database.read(
            lambda conn: planned_source(conn, ref, source_id)
        )
        if isinstance(planned, SourceOutcome):
            return SourceReport(source_id, planned.status, code=planned.code)
        step = PipelineStep("source_family", source_id, activity.info().attempt)
        log = self.library.log
        async with stepping(self.library, run, step) as since:
            await self._read(ref, source_id)

            def settle(conn: Connection) -> SourceReport:
                outcome = settle_source(conn, log, ref, source_id)
                facts: Facts = {"detailCode": outcome.status, "count": outcome.found}
                facts |= {"durationMs": since()}
                record_step(conn, log, run.ref, step, "Completed", facts)
                return _report(conn, ref, source_id, outcome)

            return await self.library.database.write(settle)

    async def _read(self, ref: DiscoveryExecutionRef, source_id: str) -> None:
        database = self.library.database
        search = await database.read(lambda conn: planned_search(conn, ref))
        for unit in await database.read(lambda conn: units_of_source(conn, ref, source_id)):
            await self._read_unit(ref, unit, search)

    async def _read_unit(
        self, ref: DiscoveryExecutionRef, unit: SearchUnit, search: Search
    ) -> None:
        library, attempt, owner = self.library, activity.info().attempt, secrets.token_hex(8)
        lease = await library.database.write(
            lambda conn: claim(conn, ref, unit.unit_id, attempt=attempt, owner=owner)
        )
        if lease.outcome is not None:
            return
        failpoints.reach("unit.claimed")
        fetching = signing(self.outbound, SOURCES[unit.board.provider], library.settings)
        reader = UnitReader(library.database, library.log, fetching, lease, search)
        outcome = await reader.read()
        passing = _PASSING.get(outcome.code)
        if passing and attempt < ATTEMPTS:
            raise passing("a page of the list could not be read; the next attempt goes on there")
        failpoints.reach("unit.read")
        if not await library.database.write(lambda conn: finish(conn, lease, outcome)):
            raise StaleLeaseError("somebody newer works on this unit; this attempt wrote nothing")
        failpoints.reach("unit.finished")


def _search(conn: Connection, run: RunKey) -> Search:
    execution = find_execution(conn, run.tenant_id, run.execution_id)
    if execution is None:
        raise MissingInputError("the request behind this run is gone; send it again")
    inputs = execution.inputs
    wanted = read_preferences(conn, run.tenant_id).narrowed(
        titles=tuple(inputs.get("titles", ())),
        places=tuple(inputs.get("places", ())),
        remote=tuple(inputs.get("remote", ())),
        boards=tuple(inputs.get("boards", ())),
    )
    if not wanted.boards:
        raise MissingInputError("name boards to read, or save some with: jobsteward setup")
    return Search(wanted, inputs.get("limit"))


def _report(
    conn: Connection, ref: DiscoveryExecutionRef, source_id: str, outcome: SourceOutcome
) -> SourceReport:
    units = units_of_source(conn, ref, source_id)
    taken = counts(conn, ref, [unit.unit_id for unit in units])
    return SourceReport(
        source_id,
        outcome.status,
        outcome.http_status,
        outcome.found,
        taken["discovered"],
        taken["updated"],
        taken["refused"],
        outcome.broken,
        outcome.advertised,
        outcome.code,
    )
