"""The watch: what fell or hangs is started again, with growing pauses."""

import asyncio

import anyio
import pytest

from jobsteward.kernel.errors import ConfigurationError
from jobsteward_server.watch import Pace, Watch

FAST = Pace(first_delay=0.001, longest_delay=0.004, check_every=0.001, misses=3)


class FakePart:
    """A part whose falls and answers the test decides."""

    name = "fake"

    def __init__(self, refusals: int = 0) -> None:
        self.starts = 0
        self.kills = 0
        self.answers = True
        self.refusals = refusals
        self._ended = asyncio.Event()

    def fall(self) -> None:
        self._ended.set()

    async def start(self) -> None:
        if self.refusals:
            self.refusals -= 1
            raise ConfigurationError("not now")
        self.starts += 1
        self.answers = True
        self._ended.clear()

    async def exited(self) -> int:
        await self._ended.wait()
        return -9

    async def alive(self) -> bool:
        return self.answers

    async def stop(self, grace: float) -> None:
        self.fall()

    async def kill(self) -> None:
        self.kills += 1
        self.fall()


@pytest.mark.anyio
async def test_fallen_part_starts_again() -> None:
    part = FakePart()
    part.fall()
    with anyio.fail_after(5):
        await Watch(part, FAST).restart_when_down()
    assert (part.starts, part.kills) == (1, 0)


@pytest.mark.anyio
async def test_hung_part_is_ended_first() -> None:
    """A process that lives but answers nothing is as good as gone."""
    part = FakePart()
    part.answers = False
    with anyio.fail_after(5):
        await Watch(part, FAST).restart_when_down()
    assert (part.starts, part.kills) == (1, 1)


@pytest.mark.anyio
async def test_part_that_refuses_is_asked_again() -> None:
    """F33: a full disk keeps it down for a while, never for good."""
    part = FakePart(refusals=4)
    part.fall()
    with anyio.fail_after(5):
        await Watch(part, FAST).restart_when_down()
    assert (part.starts, part.refusals) == (1, 0)


@pytest.mark.anyio
async def test_pauses_grow_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    real_sleep = asyncio.sleep

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        await real_sleep(0)

    monkeypatch.setattr("jobsteward_server.watch.asyncio.sleep", sleep)
    part = FakePart(refusals=4)
    part.fall()
    pace = Pace(first_delay=1, longest_delay=5, check_every=99)
    with anyio.fail_after(5):
        await Watch(part, pace).restart_when_down()
    assert [pause for pause in pauses if pause != 99] == [1, 2, 4, 5, 5]
