"""Notice that a process ended or hangs, and start it again without hurry."""

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Protocol

from jobsteward.kernel.errors import JobstewardError

log = logging.getLogger(__name__)


class Part(Protocol):
    """A process that a stack keeps running."""

    name: str

    async def start(self) -> None:
        """Start it; raises JobstewardError or OSError when that fails."""
        ...

    async def exited(self) -> int:
        """Wait for its end; returns the exit code."""
        ...

    async def alive(self) -> bool:
        """Whether it still answers."""
        ...

    async def stop(self, grace: float) -> None:
        """End it within about ``grace`` seconds."""
        ...

    async def kill(self) -> None:
        """End it at once."""
        ...


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the watch is, in seconds."""

    first_delay: float = 0.1
    longest_delay: float = 10.0
    steady_after: float = 30.0
    """A part that ran this long starts again without the delays of earlier falls."""
    check_every: float = 5.0
    misses: int = 3
    """Unanswered checks in a row after which a part counts as hung."""


class Watch:
    """Keeps one started part running, with growing pauses between attempts."""

    def __init__(self, part: Part, pace: Pace) -> None:
        self._part = part
        self._pace = pace
        self._delay = pace.first_delay

    async def keep(self) -> None:
        """Restart the part whenever it falls, for ever."""
        while True:
            await self.restart_when_down()

    async def restart_when_down(self) -> None:
        """Wait until the part falls or hangs; returns once it is started again."""
        since = time.monotonic()
        await self._down()
        if time.monotonic() - since > self._pace.steady_after:
            self._delay = self._pace.first_delay
        while True:
            await self._pause()
            try:
                await self._part.start()
            except (JobstewardError, OSError) as error:
                log.warning("%s does not start: %s", self._part.name, _reason(error))
            else:
                log.info("%s runs again", self._part.name)
                return

    async def _pause(self) -> None:
        await asyncio.sleep(self._delay)
        self._delay = min(self._delay * 2, self._pace.longest_delay)

    async def _down(self) -> None:
        ended = asyncio.create_task(self._part.exited())
        hung = asyncio.create_task(self._hung())
        try:
            await asyncio.wait({ended, hung}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hung.cancel()
            ended.cancel()
        if ended.done() and not ended.cancelled():
            log.warning("%s ended (exit code %d)", self._part.name, ended.result())
            return
        log.warning("%s does not answer: ending it", self._part.name)
        await self._part.kill()

    async def _hung(self) -> None:
        misses = 0
        while misses < self._pace.misses:
            await asyncio.sleep(self._pace.check_every)
            misses = 0 if await self._part.alive() else misses + 1


def _reason(error: JobstewardError | OSError) -> str:
    if isinstance(error, JobstewardError):
        return error.message
    return error.strerror or type(error).__name__
