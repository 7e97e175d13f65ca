"""The worker's steady round: a heartbeat row for each lane, then the reconciler (OBS-5, REC)."""

import asyncio
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress

import structlog
from temporalio.service import RPCError

from jobsteward.kernel.errors import JobstewardError, StorageError
from jobsteward.library import Library
from jobsteward.runs.heartbeats import Beat, record_beats, remove_beats
from jobsteward.runs.model import Lane
from jobsteward_worker.pool import WorkerPool, slots
from jobsteward_worker.reconciler import Reconciler
from jobsteward_worker.spec import work_queue

INTERVAL_SECONDS = 15.0

log = structlog.get_logger()


class Pulse:
    """Beats for this process and reconciles, every ``interval`` seconds."""

    def __init__(
        self,
        library: Library,
        pool: WorkerPool,
        lanes: Sequence[Lane],
        reconciler: Reconciler,
        interval: float = INTERVAL_SECONDS,
    ) -> None:
        self._library = library
        self._pool = pool
        self._reconciler = reconciler
        self._interval = interval
        process = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._ids = {lane: f"{process}-{lane}" for lane in lanes}

    async def beat_forever(self) -> None:
        """Go on until cancelled, whatever Temporal or the database do meanwhile."""
        while True:
            try:
                await self.beat_once()
            except (RPCError, JobstewardError) as error:
                log.warning("round_failed", error=type(error).__name__)
            await asyncio.sleep(self._interval)

    async def beat_once(self) -> None:
        """One round. Raises StorageError or RPCError where it could not be done."""
        beats = self._beats()
        await self._library.database.write(lambda conn: record_beats(conn, beats))
        await self._reconciler.run_once()

    async def end(self) -> None:
        """Take this process's rows away, so that nobody counts on it any more."""
        ids = list(self._ids.values())
        with suppress(StorageError):
            await self._library.database.write(lambda conn: remove_beats(conn, ids))

    def _beats(self) -> list[Beat]:
        return [
            Beat(
                worker_id,
                self._library.runtime,
                lane,
                work_queue(lane),
                slots(self._library.settings, lane),
                self._pool.telemetry.work_on(work_queue(lane)),
                self._pool.blocking.abandoned,
                dict(self._reconciler.actions),
            )
            for lane, worker_id in self._ids.items()
        ]
