"""Brings our record of runs in line with what Temporal says, one bounded pass at a time (REC)."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

import structlog
from sqlalchemy import Connection
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from jobsteward.discover.unit_ending import close_abandoned, has_abandoned
from jobsteward.kernel.errors import JobstewardError
from jobsteward.library import Library
from jobsteward.runs import lifecycle
from jobsteward.runs.gates import Gate, decided_gates
from jobsteward.runs.model import Run, RunRef
from jobsteward.runs.views import open_runs
from jobsteward_worker.observed import (
    POISON,
    POISON_REASON,
    Closed,
    Observed,
    Open,
    TemporalRuns,
)
from jobsteward_worker.parking import Parking

PARALLEL = 20
URGENT_LOOKS = 2000
RUNNING_LOOKS = 200
"""Runs that the list calls running are looked at in turns, this many a pass."""
STUCK_ATTEMPT = 3
_PAGE = 500
_START = ("", "", "")

log = structlog.get_logger()


class Reconciler:
    """Looks at every open run. ``actions`` counts what was corrected, for the metric."""

    def __init__(self, client: Client, library: Library) -> None:
        self._client = client
        self._library = library
        self._temporal = TemporalRuns(client)
        self._passes = 0
        self.actions: Counter[str] = Counter()

    async def run_once(self) -> None:
        """One pass over all open and provisional runs.

        A row that cannot be read or written is skipped and comes again in the next pass
        (REC-5). Raises StorageError or RPCError where nothing at all can be done.
        """
        runs = await self._open_runs()
        if runs:
            running = await self._temporal.running()
            chosen = self._choose(runs, running)
            slots = asyncio.Semaphore(PARALLEL)
            await asyncio.gather(*(self._look(run, slots) for run in chosen))
        await self._close_abandoned()
        await self._wake_decided()

    async def _open_runs(self) -> list[Run]:
        found: list[Run] = []
        after = _START
        while True:
            page = await self._library.database.read(
                lambda conn, after=after: open_runs(conn, after, _PAGE)  # type: ignore[misc]
            )
            found += page
            if len(page) < _PAGE:
                return found
            after = (page[-1].tenant_id, page[-1].workflow_id, page[-1].run_id)

    def _choose(self, runs: Sequence[Run], running: set[str]) -> list[Run]:
        """All that the list does not call running or that look odd, and a share of the rest.

        Both are bounded; what is left out has its turn in the next passes.
        """
        urgent = [run for run in runs if run.run_id not in running or _is_odd(run)]
        calm = [run for run in runs if run.run_id in running and not _is_odd(run)]
        self._passes += 1
        return _share(urgent, self._passes, URGENT_LOOKS) + _share(
            calm, self._passes, RUNNING_LOOKS
        )

    async def _look(self, run: Run, slots: asyncio.Semaphore) -> None:
        async with slots:
            try:
                await self._settle(run)
            except (RPCError, JobstewardError) as error:
                log.warning("reconcile_skipped", error=type(error).__name__)

    async def _settle(self, run: Run) -> None:
        ref = run.ref
        observed = await self._temporal.observe(ref)
        if observed is None:
            if not run.provisional:
                await self._write("not_found", lambda conn: self._not_found(conn, ref))
            return
        await self._note_cancellation(run, ref, observed)
        match observed:
            case Closed():
                await self._write(observed.status, lambda conn: self._end(conn, ref, observed))
            case Open():
                await self._keep_open(run, ref, observed)

    async def _keep_open(self, run: Run, ref: RunRef, observed: Open) -> None:
        log_ = self._library.log
        if run.provisional:
            await self._write("recovered", lambda conn: lifecycle.record_recovered(conn, log_, ref))
        failing = observed.task_attempt >= STUCK_ATTEMPT
        code = await self._temporal.task_failure(ref) if failing else None
        if code == POISON:
            await self._end_poisoned(ref)
        elif failing != run.stuck:
            action = "stuck" if failing else "unstuck"
            await self._write(
                action,
                lambda conn: lifecycle.record_stuck(conn, log_, ref, stuck=failing, code=code),
            )

    async def _end_poisoned(self, ref: RunRef) -> None:
        # Terminated first: a crash in between leaves a closed run that tells its reason.
        handle = self._client.get_workflow_handle(ref.workflow_id, run_id=ref.run_id)
        try:
            await handle.terminate(reason=POISON_REASON)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
        observed = await self._temporal.observe(ref)
        if isinstance(observed, Closed):
            await self._write(POISON, lambda conn: self._end(conn, ref, observed))

    async def _note_cancellation(self, run: Run, ref: RunRef, observed: Observed) -> None:
        """A cancel that Temporal knows of is a fact of its own, once (ENV-3)."""
        if not observed.cancel_requested:
            return
        evidence = "recovered_temporal_history" if run.provisional else "temporal_history"
        await self._write(
            "cancellation",
            lambda conn: lifecycle.record_cancellation(
                conn,
                self._library.log,
                ref,
                evidence=evidence,
                requester="unknown",
                source="reconciler",
            ),
        )

    def _not_found(self, conn: Connection, ref: RunRef) -> bool:
        return lifecycle.record_not_found(conn, self._library.log, ref)

    def _end(self, conn: Connection, ref: RunRef, closed: Closed) -> bool:
        stands = lifecycle.record_outcome(
            conn,
            self._library.log,
            ref,
            closed.status,
            code=closed.code,
            retryable=closed.retryable,
            result=closed.result,
            source="reconciler",
            ended_at=closed.ended_at,
        )
        return stands is closed.status

    async def _write(self, action: str, work: Callable[[Connection], bool]) -> None:
        if await self._library.database.write(work):
            self.actions[action] += 1

    async def _close_abandoned(self) -> None:
        """End search units of runs that ended without them, by a termination above all (J15)."""
        database, log_ = self._library.database, self._library.log
        if await database.read(has_abandoned):
            closed = await database.write(lambda conn: close_abandoned(conn, log_))
            self.actions["abandoned_units"] += closed

    async def _wake_decided(self) -> None:
        """Wake runs whose gate was decided but who did not hear of it (ADM-9)."""
        gates = await self._library.database.read(decided_gates)
        await asyncio.gather(*(self._wake(gate) for gate in gates))

    async def _wake(self, gate: Gate) -> None:
        handle = self._client.get_workflow_handle(gate.workflow_id)
        try:
            await handle.signal(Parking.wake)
        except RPCError as error:
            log.info("wake_skipped", error=error.status.name)


def _share(runs: Sequence[Run], turn: int, size: int) -> list[Run]:
    """The turn's part of the runs, all of them where they are few."""
    start = (turn * size) % len(runs) if len(runs) > size else 0
    return [*runs[start:], *runs[:start]][:size]


def _is_odd(run: Run) -> bool:
    """Provisional, stuck, or not marked yet: worth a look in every pass."""
    return run.provisional or run.stuck or run.marked_at is None
