"""Heartbeats of a step that works in the event loop, so that a cancel reaches it in time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity

BEAT_SECONDS = 2.0
"""A cancel comes with the answer to a heartbeat, so this bounds how late it arrives (ACT-3)."""


@asynccontextmanager
async def beating(
    seconds: float = BEAT_SECONDS, *, first_after: float = 0.0
) -> AsyncIterator[None]:
    """Beat for the current activity until the block ends.

    A step that is nearly always shorter than ``first_after`` seconds then costs no beat.
    """
    task = asyncio.create_task(_beat(seconds, first_after))
    try:
        yield
    finally:
        task.cancel()


async def _beat(seconds: float, first_after: float) -> None:
    await asyncio.sleep(first_after)
    while True:
        activity.heartbeat()
        await asyncio.sleep(seconds)
