"""A worker that was frozen comes back after another one took its work (F16)."""

import signal
import sys
from pathlib import Path

import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import RunStatus
from tests.faults.processes import Processes
from tests.support.temporal import Starter
from tests.worker.facts import closed, events_of, eventually

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
]


async def test_a_frozen_worker_that_wakes_changes_nothing(
    library: Library, client: Client, starter: Starter, processes: Processes
) -> None:
    """F16, I4, I5, stale owner: its late report is refused, and the log stays as it was."""
    frozen = processes.start("worker")
    execution = await starter.run("probe", {"steps": ["sleep:4"], "attempts": 3}, priority=0)
    execution = await starter.until(
        execution, lambda seen: seen.status is RunStatus.RUNNING, within=60
    )
    frozen.send_signal(signal.SIGSTOP)
    processes.start("worker")
    execution = await starter.until(execution, within=90)
    assert execution.status is RunStatus.SUCCEEDED
    assert await closed(client, execution, within=45) is RunStatus.SUCCEEDED
    before = await events_of(library, execution.run_id)
    used = cpu_ticks(frozen.pid)
    frozen.send_signal(signal.SIGCONT)
    # It finishes its own attempt and reports it; the work it does then shows in its time.
    await eventually(lambda: cpu_ticks(frozen.pid) > used + 5, 30)
    later = await starter.run("probe", {"steps": ["ok"]}, priority=0)
    assert (await starter.until(later, within=60)).status is RunStatus.SUCCEEDED
    assert frozen.poll() is None
    assert await events_of(library, execution.run_id) == before
    assert before["WorkflowCompleted"] == 1


def cpu_ticks(pid: int) -> int:
    """Processor time that the process has used, in clock ticks."""
    text = Path(f"/proc/{pid}/stat").read_text("ascii")
    fields = text.rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
