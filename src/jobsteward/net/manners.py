"""Waiting for a turn before a host is asked, and remembering what it said (DIS-11, P095)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import NoReturn
from weakref import WeakValueDictionary

import anyio

from jobsteward.kernel.clock import utc_now
from jobsteward.kernel.errors import HostCapError, HostCoolingError, SourceUnavailableError
from jobsteward.net.answers import Fetched, retry_after
from jobsteward.net.hosts import (
    BUSY,
    HostRecords,
    HostState,
    Pace,
    Turn,
    Verdict,
    ask,
    note,
    speaks_of_host,
)

LONGEST_WAIT = 60.0
"""Seconds that one request waits for its turns; a host that wants more is asked later."""
AT_ONCE = 4
"""Requests under way to one host from one process: a slow host never takes every connection."""
TRIES = 3

THIS_MACHINE = Pace(gap=0.0, daily=None)
"""A server that the settings' origin map leads to needs no rest."""


class Manners:
    """How this program behaves towards hosts, by records that all its processes share.

    ``pace`` holds for every host that ``paces`` does not name.
    """

    def __init__(
        self,
        records: HostRecords,
        *,
        pace: Pace | None = None,
        paces: Mapping[str, Pace] | None = None,
        now: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._records = records
        self._pace = pace or Pace()
        self._paces = dict(paces or {})
        self._now = now
        self._sleep = sleep
        self._limiters: WeakValueDictionary[str, anyio.CapacityLimiter] = WeakValueDictionary()

    def pace(self, host: str) -> Pace:
        """How often the host may be asked."""
        return self._paces.get(host, self._pace)

    @asynccontextmanager
    async def visit(self, host: str, pace: Pace) -> AsyncIterator["Visit"]:
        """The right to send the host one request, once it is this one's turn.

        Raises HostCoolingError while the host's breaker is open, HostCapError when its
        requests of the day are spent, SourceUnavailableError where the turn is more than a
        minute away.
        """
        limiter = self._limiters.get(host)
        if limiter is None:
            limiter = self._limiters[host] = anyio.CapacityLimiter(AT_ONCE)
        async with limiter:
            turn = await self._turn(host, pace)
            yield Visit(self._records, self._now, host, turn.troubled)

    async def _turn(self, host: str, pace: Pace) -> Turn:
        waited = 0.0
        while True:
            turn = await self._records.change(host, lambda state: ask(state, pace, self._now()))
            if turn.verdict is Verdict.GO:
                return turn
            waited += turn.wait
            if waited > LONGEST_WAIT:
                _refuse(turn, self._now())
            await self._sleep(turn.wait)

    async def pause(self, tries: int, answer: Fetched | None) -> bool:
        """Whether to try again, after the pause that is due; ``answer`` None means none came.

        5xx and broken connections are tried three times; a 429 only where its Retry-After is
        short enough to wait for, which the next turn does (J13).
        """
        if tries >= TRIES or not _worth_another(answer):
            return False
        await self._sleep(0.5 * 2.0 ** (tries - 1))
        return True


class Visit:
    """One request to a host; tell it the answer with `note`."""

    def __init__(
        self, records: HostRecords, now: Callable[[], datetime], host: str, troubled: bool
    ) -> None:
        self._records = records
        self._now = now
        self._host = host
        self._troubled = troubled

    async def note(self, answer: Fetched) -> None:
        """Remember what the answer says about the host, if anything."""
        if not self._troubled and not speaks_of_host(answer):
            return

        def step(state: HostState) -> tuple[None, HostState]:
            return None, note(state, answer, self._now())

        await self._records.change(self._host, step)


def _worth_another(answer: Fetched | None) -> bool:
    if answer is None or answer.status in BUSY:
        return True
    wait = retry_after(answer.headers)
    return answer.status == 429 and wait is not None and wait <= LONGEST_WAIT


def _refuse(turn: Turn, now: datetime) -> NoReturn:
    again = f"{now + timedelta(seconds=turn.wait):%Y-%m-%d %H:%M} UTC"
    match turn.verdict:
        case Verdict.COOLING:
            raise HostCoolingError(f"the host refused requests; it is asked again after {again}")
        case Verdict.CAPPED:
            raise HostCapError(f"the host had its requests of today; try again after {again}")
    raise SourceUnavailableError(f"the host is busy; try again after {again}")
