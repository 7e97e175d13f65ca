"""A writer process for concurrency tests: ``python writers.py URL HOME TIMES``."""

import sys
from pathlib import Path

import anyio
from sqlalchemy import Connection, text

from jobsteward.store.engine import lock
from jobsteward.store.schema import prepare_database


def increment(conn: Connection) -> None:
    """Read the counter, then write one more: lost unless the two are one step."""
    lock(conn, "counter")
    value = conn.scalar(text("SELECT value FROM counter")) or 0
    conn.execute(text("UPDATE counter SET value = :value"), {"value": value + 1})


async def _main(url: str, home: str, times: int) -> None:
    database = await prepare_database(url, Path(home))
    for _ in range(times):
        await database.write(increment)
    await database.close()


if __name__ == "__main__":
    anyio.run(_main, sys.argv[1], sys.argv[2], int(sys.argv[3]))
