"""Heartbeats of a step that works in the event loop, so that a cancel reaches it in time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity

BEAT_SECONDS = 2.0
"""A cancel comes with the answer to a heartbeat, so this bounds how late it arrives (ACT-3)."""


@asynccontextmanager
async def beating(seconds: float = BEAT_SECONDS) -> AsyncIterator[None]:
    """Beat for the current activity until the block ends."""
    task = asyncio.create_task(_beat(seconds))
    try:
        yield
    finally:
        task.cancel()


async def _beat(seconds: float) -> None:
    while True:
        activity.heartbeat()
        await asyncio.sleep(seconds)
