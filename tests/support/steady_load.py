"""A process that admits, starts and ends executions until it is told to stop.

``python -m tests.support.steady_load HOME NAME`` prints each execution id once its commit is
acknowledged, then the id again with ``ended`` after its run has ended. It stops at the end
of standard input, or after COUNT executions.
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from jobsteward.kernel.errors import StorageError
from jobsteward.library import Library, open_library
from jobsteward.runs.lifecycle import record_outcome, record_started
from jobsteward.runs.model import Execution, RunRef, RunStatus
from jobsteward.runs.store import Admission, admit
from jobsteward.settings import Settings

TENANT = "local"
T = TypeVar("T")


def admission(key: str) -> Admission:
    """A request for a run of its own."""
    return Admission(
        tenant_id=TENANT,
        workflow="discover",
        workflow_id="",
        priority=5,
        token_id="tok_drill",
        idempotency_key=key,
        fingerprint=key,
        inputs={"query": key, "empty": None},
        envelope={"args": []},
        startup={},
        claim_token=None,
    )


async def _admit_and_end(library: Library, key: str) -> None:
    def start(conn: Connection) -> Execution:
        return admit(conn, library.log, admission(key)).execution

    execution = await _patiently(library, start)
    print(execution.execution_id, flush=True)
    ref = RunRef(TENANT, execution.workflow_id, f"run-{execution.execution_id}")

    def end(conn: Connection) -> None:
        record_started(
            conn,
            library.log,
            ref,
            workflow=execution.workflow,
            group_id=execution.group_id,
            summary={},
            startup={},
        )
        record_outcome(conn, library.log, ref, RunStatus.SUCCEEDED, result={"jobs": 1})

    await _patiently(library, end)
    print(execution.execution_id, "ended", flush=True)


async def _patiently(library: Library, work: Callable[[Connection], T]) -> T:
    # A busy database is a refusal that callers repeat; nothing was acknowledged.
    while True:
        try:
            return await library.database.write(work)
        except StorageError:
            continue


async def _main(home: Path, name: str, count: int) -> None:
    stop = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
    async with await open_library(Settings(home=home)) as library:
        for number in range(count):
            if stop.is_set():
                break
            await _admit_and_end(library, f"{name}-{number}")
            if number % 20 == 19:
                await library.database.checkpoint()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2], int((sys.argv[3:] or ["1000000"])[0])))
