"""Blocking work inside an activity: in threads of our own, heartbeating, and cancellable (ACT-2).

A thread cannot be killed. On cancel the work is asked to stop, its pool generation is retired
at once so that new work finds fresh threads, and the thread gets a bounded time to end. One
that does not is counted, logged and left behind, with a token that refuses its writes.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import structlog
from temporalio import activity

from jobsteward.kernel.errors import ConflictError

T = TypeVar("T")

HEARTBEAT_SECONDS = 15.0
GRACE_SECONDS = 30.0

log = structlog.get_logger()


class CancelToken:
    """Tells blocking work to stop, and fences it from writing afterwards.

    ``on_cancel`` is called once, from another thread, when the cancel arrives: it may close a
    browser or a socket that the work waits for.
    """

    def __init__(self, on_cancel: Callable[[], None] | None = None) -> None:
        self._cancelled = threading.Event()
        self._on_cancel = on_cancel

    @property
    def is_cancelled(self) -> bool:
        """Whether the work should end now."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the work to end."""
        if self._cancelled.is_set():
            return
        self._cancelled.set()
        if self._on_cancel is not None:
            self._on_cancel()

    def check(self) -> None:
        """Call before each write. Raises ConflictError once the work was cancelled."""
        if self.is_cancelled:
            raise ConflictError("this work was cancelled; what it made meanwhile is dropped")


class BlockingPool:
    """Threads for blocking work, in generations of ``size``. One a process.

    ``abandoned`` counts threads that ignored their cancel, for the metric.
    """

    def __init__(
        self,
        size: int,
        *,
        heartbeat_seconds: float = HEARTBEAT_SECONDS,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._size = size
        self._heartbeat_seconds = heartbeat_seconds
        self._grace_seconds = grace_seconds
        self._generation = self._fresh()
        self.abandoned = 0

    async def run_blocking_with_heartbeat(
        self, work: Callable[[CancelToken], T], token: CancelToken | None = None
    ) -> T:
        """The work's result, beating for the current activity meanwhile.

        On cancel: asks the work to stop, waits up to the grace for its thread, and raises
        the cancellation again.
        """
        token = token or CancelToken()
        generation = self._generation
        future = generation.submit(work, token)
        try:
            return await self._beat_until_done(future)
        except asyncio.CancelledError:
            await self._stop(generation, future, token)
            raise

    async def _beat_until_done(self, future: "Future[T]") -> T:
        waiting = asyncio.wrap_future(future)
        while True:
            activity.heartbeat()
            done, _ = await asyncio.wait({waiting}, timeout=self._heartbeat_seconds)
            if done:
                return waiting.result()

    async def _stop(
        self, generation: ThreadPoolExecutor, future: "Future[T]", token: CancelToken
    ) -> None:
        self._retire(generation)
        token.cancel()
        if not await _ends(future, self._grace_seconds):
            self.abandoned += 1
            log.error("abandoned_thread", total=self.abandoned)

    def _retire(self, generation: ThreadPoolExecutor) -> None:
        # Work beside the cancelled one may finish in the old threads; nothing new enters them.
        if generation is self._generation:
            self._generation = self._fresh()
        generation.shutdown(wait=False)

    def _fresh(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._size, thread_name_prefix="blocking")

    def close(self) -> None:
        """Take nothing more; threads that still work are left to end by themselves."""
        self._generation.shutdown(wait=False, cancel_futures=True)


async def _ends(future: "Future[T]", within: float) -> bool:
    """Whether the thread ended in time; a second cancel does not cut the wait short."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    future.add_done_callback(lambda _: loop.call_soon_threadsafe(ended.set))
    waiting = asyncio.ensure_future(asyncio.wait_for(ended.wait(), within))
    while not waiting.done():
        try:
            await asyncio.shield(waiting)
        except asyncio.CancelledError:
            continue
        except TimeoutError:
            break
    return future.done()
