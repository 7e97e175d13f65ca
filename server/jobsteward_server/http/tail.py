"""Hearing of new events without busy queries: one shared look at the log for all listeners."""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from sqlalchemy import Connection

from jobsteward.kernel.errors import StorageError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import Touched, last_event_id, touched_after

T = TypeVar("T")
Entity = tuple[str, str]

POLL_EVERY = 0.05
RECHECK_EVERY = 2.0
"""Seconds after which a listener looks for itself: on PostgreSQL an id may become visible
after a greater one of another tenant, which the shared look has passed by then."""
_BATCH = 1_000


class Listener:
    """One who waits for events of a tenant (None: of any), narrowed to ``entities`` where
    they are known."""

    def __init__(self, tenant_id: str | None) -> None:
        self.tenant_id = tenant_id
        self.entities: frozenset[Entity] | None = None
        self._woken = asyncio.Event()

    def concerns(self, touched: Touched) -> bool:
        """Whether a new event of that entity may matter here."""
        if self.tenant_id not in {None, touched.tenant_id}:
            return False
        return self.entities is None or (touched.kind, touched.ref) in self.entities

    def wake(self) -> None:
        """End the current or the next `wait`."""
        self._woken.set()

    async def wait(self, seconds: float) -> None:
        """Until something new may be there, at most so long. Read the database afterwards."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self._woken.wait()
        self._woken.clear()


class EventTail:
    """Looks for new events every 50 ms while somebody listens, across all processes."""

    def __init__(self, database: Database, *, poll_every: float = POLL_EVERY) -> None:
        self.database = database
        self.stopping = False
        self._poll_every = poll_every
        self._listeners: set[Listener] = set()
        self._polling: asyncio.Task[None] | None = None

    @contextmanager
    def listen(self, tenant_id: str | None) -> Iterator[Listener]:
        """A listener that is woken from now on; first read after entering, then wait."""
        listener = Listener(tenant_id)
        self._listeners.add(listener)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())
        try:
            yield listener
        finally:
            self._listeners.discard(listener)

    async def wait_until(
        self,
        read: Callable[[Connection], T],
        done: Callable[[T], bool],
        *,
        seconds: float,
        tenant_id: str | None = None,
    ) -> T:
        """What ``read`` gives once ``done`` holds for it, or after ``seconds`` at the latest.

        With ``tenant_id`` only that tenant's events make it read again. Ends early, with what
        stands, when the process stops.
        """
        deadline = time.monotonic() + seconds
        with self.listen(tenant_id) as listener:
            while True:
                found = await self.database.read(read)
                left = deadline - time.monotonic()
                if done(found) or left <= 0 or self.stopping:
                    return found
                await listener.wait(min(left, RECHECK_EVERY))

    def stop(self) -> None:
        """Let every stream and wait end now; the process is about to."""
        self.stopping = True
        self._wake(self._listeners)

    async def close(self) -> None:
        """Stop, and end the shared look; call before the database closes."""
        self.stop()
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait([self._polling])

    async def _poll(self) -> None:
        after = -1
        while self._listeners:
            with suppress(StorageError):  # listeners read for themselves and meet it there
                after = await self._look(after)
            await asyncio.sleep(self._poll_every)

    async def _look(self, after: int) -> int:
        """Wake whom the events beyond ``after`` concern; returns the newest id seen."""
        if after < 0:
            newest = await self.database.read(last_event_id)
            # What came between a listener's own read and this one must not be missed.
            self._wake(self._listeners)
            return newest
        touched = await self.database.read(lambda conn: touched_after(conn, after, _BATCH))
        if not touched:
            return after
        self._wake(
            listener
            for listener in self._listeners
            if any(listener.concerns(entity) for entity in touched)
        )
        return touched[-1].event_id

    def _wake(self, listeners: Iterable[Listener]) -> None:
        for listener in listeners:
            listener.wake()
