"""Waiting for a run: bounded, patient with an API that is away, and never touching the run."""

import time
from dataclasses import dataclass

import anyio

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import JobstewardError
from jobsteward.runs import wire
from jobsteward.runs.model import NEEDS_PERSON
from jobsteward_tools.access import Call, api
from jobsteward_tools.errors import may_pass

_SLICE = 5.0
"""Seconds of one long poll; each is followed by at most one progress notification."""
_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Waited:
    """How a wait ended. ``view`` is the last that was read, None when none was."""

    view: wire.RunView | None
    done: bool
    problem: JobstewardError | None = None


async def wait_for(ctx: Call, any_id: str, seconds: float) -> Waited:
    """Wait until the run has ended or needs a person, at most ``seconds``.

    A failing poll is tried again until the time is up. Raises the error of the API where
    trying again cannot help, as for an unknown id.
    """
    clock = _Clock(seconds)
    view: wire.RunView | None = None
    problem: JobstewardError | None = None
    while True:
        started = time.monotonic()
        try:
            # No answer of the API may outlast the wait by more than one request takes.
            with anyio.fail_after(clock.left() + _SLICE):
                async with api(ctx) as client:
                    view = await _poll(client, any_id, clock.left())
            problem = None
        except TimeoutError:
            return Waited(view, done=False, problem=problem)
        except JobstewardError as error:
            if not may_pass(error):
                raise
            problem = error
        if view and (view.terminal or view.status in NEEDS_PERSON):
            return Waited(view, done=True)
        if clock.left() <= 0:
            return Waited(view, done=False, problem=problem)
        await anyio.sleep(min(clock.left(), max(0.0, started + _PAUSE - time.monotonic())))
        if clock.left() > 0:
            status = view.status if view and not problem else "not readable just now"
            await ctx.report_progress(clock.elapsed(), message=f"{any_id}: {status}")


async def _poll(client: ApiClient, any_id: str, left: float) -> wire.RunView:
    return await client.get_run(any_id, wait=max(0.0, min(left, _SLICE)))


class _Clock:
    """Time of one wait; elapsed seconds only grow, as progress must (MCP-8)."""

    def __init__(self, seconds: float) -> None:
        self._begun = time.monotonic()
        self._seconds = seconds

    def elapsed(self) -> float:
        return round(time.monotonic() - self._begun, 1)

    def left(self) -> float:
        return self._begun + self._seconds - time.monotonic()
