"""A process with an open store that obeys one command a line, for faults that need a process.

``python -m tests.support.storage_probe HOME [DATABASE_URL]`` answers each line with one:
``write KEY`` admits an execution, ``count`` reads how many there are, ``limit BYTES`` makes
every larger file unwritable, ``unlimit`` takes that back, ``checkpoint`` folds the log.
Answers are ``ok VALUE`` or ``error CODE``.
"""

import asyncio
import resource
import signal
import sys
from pathlib import Path

from sqlalchemy import func, select

from jobsteward.kernel.errors import JobstewardError
from jobsteward.library import Library, open_library
from jobsteward.runs.store import admit
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.settings import Settings
from tests.support.steady_load import admission


async def _obey(library: Library, command: str, argument: str) -> object:
    match command:
        case "write":
            return await library.database.write(
                lambda conn: admit(conn, library.log, admission(argument)).execution.execution_id
            )
        case "count":
            return await library.database.read(
                lambda conn: conn.scalar(select(func.count()).select_from(EXECUTIONS))
            )
        case "checkpoint":
            return await library.database.checkpoint()
        case "limit":
            return _limit(int(argument))
        case "unlimit":
            return _limit(resource.RLIM_INFINITY)
    raise AssertionError(command)


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def _main(home: Path, url: str | None) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    async with await open_library(Settings(home=home, database_url=url)) as library:
        print("ok open", flush=True)
        for line in sys.stdin:
            command, _, argument = line.strip().partition(" ")
            try:
                print("ok", await _obey(library, command, argument), flush=True)
            except JobstewardError as error:
                print("error", error.code, flush=True)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), (sys.argv[2:] or [None])[0]))
