"""Fires due schedules from the process that dispatches; several may run (LANE-3)."""

import asyncio

import structlog
from sqlalchemy import Connection

from jobsteward.kernel import failpoints
from jobsteward.kernel.errors import StorageError
from jobsteward.library import Library
from jobsteward.runs.drain import held_since
from jobsteward.runs.schedules import Fired, fire_next, has_due
from jobsteward_server.admission import AdmissionDesk
from jobsteward_server.dispatcher import Dispatcher

INTERVAL = 1.0

log = structlog.get_logger()


class Scheduler:
    """Turns due schedules into accepted work, each due time once."""

    def __init__(self, library: Library, desk: AdmissionDesk, dispatcher: Dispatcher) -> None:
        self._library = library
        self._desk = desk
        self._dispatcher = dispatcher

    async def fire_forever(self) -> None:
        """Look each second until cancelled; storage that is away only delays."""
        while True:
            try:
                await self.fire_due()
            except StorageError as error:
                log.warning("schedules_paused", code=error.code)
            await asyncio.sleep(INTERVAL)

    async def fire_due(self) -> list[Fired]:
        """What came of the schedules that are due now; none while starts are held back."""
        database, fired = self._library.database, list[Fired]()
        if not await database.read(_may_fire):
            return fired
        while (found := await database.write(self._fire)) is not None:
            fired.append(found)
            if found.code:
                log.warning("schedule_refused", code=found.code)
        self._dispatcher.wake()
        return fired

    def _fire(self, conn: Connection) -> Fired | None:
        fired = fire_next(conn, self._library.log, self._desk.scheduled)
        failpoints.reach("schedule.before_commit")
        return fired


def _may_fire(conn: Connection) -> bool:
    return has_due(conn) and held_since(conn) is None
