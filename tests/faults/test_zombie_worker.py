"""A worker that was frozen comes back after another one took its work (F16)."""

import os
import signal

import anyio
import pytest
from sqlalchemy import func, select
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import RunStatus
from jobsteward.runs.tables import HEARTBEATS
from tests.faults.processes import Processes
from tests.support.temporal import Starter
from tests.worker.facts import closed, events_of

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(
        "JOBSTEWARD_PROVE" not in os.environ,
        reason="waits until a frozen process has lost every poll: make prove (its quick twin is"
        " the worker that is cut off, in test_temporal_unreachable.py)",
    ),
]


async def test_a_frozen_worker_that_wakes_changes_nothing(
    library: Library, client: Client, starter: Starter, processes: Processes
) -> None:
    """F16, I4, I5, stale owner: its late report is refused, and the log stays as it was."""
    frozen = processes.start("worker")
    # Each poll that the frozen process left open swallows one attempt.
    inputs = {"steps": ["sleep:4"], "attempts": 30}
    execution = await starter.run("probe", inputs, priority=0)
    execution = await starter.until(
        execution, lambda seen: seen.status is RunStatus.RUNNING, within=60
    )
    frozen.send_signal(signal.SIGSTOP)
    processes.start("worker")
    execution = await starter.until(execution, within=90)
    assert execution.status is RunStatus.SUCCEEDED
    assert await closed(client, execution, within=45) is RunStatus.SUCCEEDED
    before = await events_of(library, execution.run_id)
    frozen_at = await last_beat(library, frozen.pid)
    frozen.send_signal(signal.SIGCONT)
    with anyio.fail_after(60):
        while True:  # it finishes its own attempt and reports it before it beats again
            if await last_beat(library, frozen.pid) > frozen_at:
                break
            await anyio.sleep(0.1)
    later = await starter.run("probe", {"steps": ["ok"]}, priority=0)
    assert (await starter.until(later, within=60)).status is RunStatus.SUCCEEDED
    assert frozen.poll() is None
    assert await events_of(library, execution.run_id) == before
    assert before["WorkflowCompleted"] == 1


async def last_beat(library: Library, pid: int) -> str:
    """When the worker process last wrote a sign of life."""
    statement = select(func.max(HEARTBEATS.c.beaten_at)).where(
        HEARTBEATS.c.worker_id.startswith(f"{pid}-")
    )
    return await library.database.read(lambda conn: str(conn.scalar(statement)))
