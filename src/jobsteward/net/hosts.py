"""How often a host may be asked, and when it wants to be left alone: rules without I/O.

A `HostState` is all that is remembered of a host. `ask` and `note` give the next state; they
read no clock, so that the same rules hold in every process and after a restart (DIS-11).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol, TypeVar

from jobsteward.net.answers import Fetched, retry_after

T = TypeVar("T")

FIRST_COOLING = 300.0
LONGEST_COOLING = 6 * 3600.0
REFUSALS_BORNE = 3
"""403 in a row before a host cools down: on a shared host one closed board gives a few."""
PROBE_LEASE = 60.0
"""How long one request after a cool-down may take before another may try."""
BUSY = frozenset({500, 502, 503, 504})
"""Statuses of a host that is likely to answer well a little later."""

_STOPS = frozenset({429, 999})


@dataclass(frozen=True, slots=True)
class Pace:
    """One request each ``gap`` seconds on average, ``burst`` at once, ``daily`` a UTC day.

    ``daily`` None sets no cap.
    """

    gap: float = 0.5
    burst: int = 5
    daily: int | None = 5_000

    def slowed(self, crawl_delay: float | None) -> "Pace":
        """This pace, or the host's own where that is slower; a delay ends all bursts."""
        if not crawl_delay or crawl_delay <= self.gap:
            return self
        return replace(self, gap=crawl_delay, burst=1)


@dataclass(frozen=True, slots=True)
class HostState:
    """What is remembered of a host; moments are UTC.

    ``paid_until`` is when the requests made so far are paid off at the pace.
    ``resting_until`` is what the host asked for while it was busy. ``cooling_until``,
    ``strikes`` (cool-downs since the last good answer) and ``refusals`` (403 in a row) are
    the breaker's; ``probing_until`` keeps the others back while one request tries.
    """

    day: str = ""
    asked: int = 0
    paid_until: datetime | None = None
    resting_until: datetime | None = None
    cooling_until: datetime | None = None
    probing_until: datetime | None = None
    refusals: int = 0
    strikes: int = 0

    @property
    def troubled(self) -> bool:
        """Whether a good answer has something to clear."""
        return bool(self.refusals or self.strikes)


class Verdict(StrEnum):
    """What a host's state says to one more request."""

    GO = "go"
    PACED = "paced"
    RESTING = "resting"
    COOLING = "cooling"
    CAPPED = "capped"


@dataclass(frozen=True, slots=True)
class Turn:
    """The verdict, and in how many seconds to ask again where it is not GO."""

    verdict: Verdict
    wait: float = 0.0
    troubled: bool = False


class HostRecords(Protocol):
    """Where host states are kept, shared by every process that asks the same hosts."""

    async def change(self, host: str, step: Callable[[HostState], tuple[T, HostState]]) -> T:
        """Replace the host's state by what ``step`` makes of it, as one step for all processes.

        A host that was never asked has the empty state. Raises what the storage raises.
        """
        ...


class MemoryHostRecords:
    """Host states of one process, lost with it; for tests and single commands."""

    def __init__(self) -> None:
        self.states: dict[str, HostState] = {}

    async def change(self, host: str, step: Callable[[HostState], tuple[T, HostState]]) -> T:
        result, self.states[host] = step(self.states.get(host, HostState()))
        return result


def ask(state: HostState, pace: Pace, now: datetime) -> tuple[Turn, HostState]:
    """Whether one more request may go now; only a GO changes the state."""
    state = _sane(_today(state, now), pace, now)
    wait = _seconds(state.cooling_until, now) or _seconds(state.probing_until, now)
    if wait:
        return Turn(Verdict.COOLING, wait), state
    if wait := _seconds(state.resting_until, now):
        return Turn(Verdict.RESTING, wait), state
    if pace.daily is not None and state.asked >= pace.daily:
        return Turn(Verdict.CAPPED, _to_midnight(now)), state
    wait = _seconds(state.paid_until, now) - pace.gap * (pace.burst - 1)
    if wait > 0:
        return Turn(Verdict.PACED, wait), state
    paid = max(state.paid_until or now, now) + timedelta(seconds=pace.gap)
    probing = now + timedelta(seconds=PROBE_LEASE) if state.strikes else None
    after = replace(state, asked=state.asked + 1, paid_until=paid, probing_until=probing)
    return Turn(Verdict.GO, troubled=state.troubled), after


def speaks_of_host(answer: Fetched) -> bool:
    """Whether the answer changes what is thought of its host, an untroubled one."""
    return is_refusal(answer) or (answer.status in BUSY and retry_after(answer.headers) is not None)


def is_refusal(answer: Fetched) -> bool:
    """Whether the host says to stay away: 403, 429, 999 or a bot challenge (P095)."""
    return answer.status in _STOPS or answer.status == 403 or _is_challenge(answer)


def note(state: HostState, answer: Fetched, now: datetime) -> HostState:
    """The state after that answer.

    429, 999 and challenges open the breaker at once, 403 the third time in a row; each
    cool-down without a good answer in between is twice as long, up to six hours. A busy host
    is left alone as long as its Retry-After says, within our cap (ERR-3). Any other answer
    closes the breaker.
    """
    if is_refusal(answer):
        return _refused(state, answer, now)
    state = replace(state, probing_until=None)
    if answer.status in BUSY:
        wait = retry_after(answer.headers)
        rest = now + timedelta(seconds=wait) if wait else state.resting_until
        return replace(state, resting_until=rest)
    return replace(state, refusals=0, strikes=0, cooling_until=None)


def _refused(state: HostState, answer: Fetched, now: datetime) -> HostState:
    if _seconds(state.cooling_until, now):
        return state  # requests that were already on their way tell nothing new
    refusals = state.refusals + 1
    borne = answer.status == 403 and not _is_challenge(answer) and not state.strikes
    if borne and refusals < REFUSALS_BORNE:
        return replace(state, refusals=refusals)
    return replace(
        state,
        refusals=0,
        strikes=state.strikes + 1,
        probing_until=None,
        cooling_until=now + timedelta(seconds=_cooling(state.strikes, answer)),
    )


def _cooling(strikes: int, answer: Fetched) -> float:
    asked = retry_after(answer.headers)
    if not strikes and asked is not None:
        return max(asked, 1.0)
    return max(asked or 0.0, min(FIRST_COOLING * 2.0 ** min(strikes, 10), LONGEST_COOLING))


def _is_challenge(answer: Fetched) -> bool:
    return answer.headers.get("cf-mitigated", "").strip().lower() == "challenge"


def _today(state: HostState, now: datetime) -> HostState:
    day = f"{now:%Y-%m-%d}"
    return state if state.day == day else replace(state, day=day, asked=0)


def _sane(state: HostState, pace: Pace, now: datetime) -> HostState:
    # A clock that was set back must not turn a short wait into one of days.
    def within(moment: datetime | None, seconds: float) -> datetime | None:
        return min(moment, now + timedelta(seconds=seconds)) if moment else None

    return replace(
        state,
        paid_until=within(state.paid_until, pace.gap * pace.burst),
        resting_until=within(state.resting_until, LONGEST_COOLING),
        cooling_until=within(state.cooling_until, LONGEST_COOLING),
        probing_until=within(state.probing_until, PROBE_LEASE),
    )


def _seconds(moment: datetime | None, now: datetime) -> float:
    return max((moment - now).total_seconds(), 0.0) if moment else 0.0


def _to_midnight(now: datetime) -> float:
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - now).total_seconds()
