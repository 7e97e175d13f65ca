"""Tells the person at this machine's desktop that something waits for them.

The notice says only that: what it is about stays in the product.
"""

import asyncio
import shutil
import sys

import structlog
from sqlalchemy import Connection, func, select

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import StorageError
from jobsteward.runs.tables import GATES
from jobsteward.store.engine import Database

INTERVAL = 2.0
TITLE = "jobsteward"
TEXT = "A run waits for you. See: jobsteward runs"
_SHOW_WITHIN = 5.0

log = structlog.get_logger()


def command() -> list[str] | None:
    """The words that show the notice here; None where nothing can."""
    if sys.platform == "darwin":
        program = shutil.which("osascript")
        script = f'display notification "{TEXT}" with title "{TITLE}"'
        return [program, "-e", script] if program else None
    program = shutil.which("notify-send")
    return [program, TITLE, TEXT] if program else None


async def notice_forever(database: Database, interval: float = INTERVAL) -> None:
    """Show one notice whenever gates were opened since the last look, until cancelled."""
    words = command()
    if words is None:
        log.warning("no_desktop_notices", remedy="install notify-send, or turn the setting off")
        return
    seen = timestamp(utc_now())
    while True:
        await asyncio.sleep(interval)
        try:
            newest = await database.read(_newest_gate)
        except StorageError:
            continue  # the next look tells
        if newest is not None and newest > seen:
            seen = newest
            await _show(words)


def _newest_gate(conn: Connection) -> str | None:
    open_gate = (GATES.c.decision.is_(None), GATES.c.closed_at.is_(None))
    newest: str | None = conn.scalar(select(func.max(GATES.c.opened_at)).where(*open_gate))
    return newest


async def _show(words: list[str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(_SHOW_WITHIN):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
