"""The worker process itself: waits, refuses, stops in time, and survives being killed."""

import signal
import subprocess
import time
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.heartbeats import capacity_of
from jobsteward.runs.model import Lane, RunStatus
from jobsteward_server.children import free_ports
from jobsteward_worker.main import EXIT_REFUSED
from tests.support.temporal import Starter
from tests.worker.conftest import StartWorker
from tests.worker.facts import closed, events_of, eventually, terminals_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

REPOSITORY = Path(__file__).parents[2]


async def ended(process: subprocess.Popen[str], within: float) -> int | None:
    """The exit code, once it has ended in time."""
    await eventually(lambda: process.poll() is not None, within)
    return process.returncode


async def test_it_beats_while_it_lives_and_says_goodbye(
    library: Library, start_worker: StartWorker
) -> None:
    """OBS-5: its capacity is there after the start, and gone after the end."""
    process = start_worker(WORKFLOW_WORKER_LANE="background")
    with anyio.fail_after(60):
        while True:
            found = await library.database.read(lambda conn: capacity_of(conn, library.runtime))
            if found:
                break
            await anyio.sleep(0.05)
    assert [(item.lane, item.capacity) for item in found] == [(Lane.BACKGROUND, 4)]
    process.send_signal(signal.SIGTERM)
    assert await ended(process, 10) == 0
    assert not await library.database.read(lambda conn: capacity_of(conn, library.runtime))


async def test_sigterm_ends_it_in_time_and_hands_back(
    starter: Starter, start_worker: StartWorker
) -> None:
    """ENV-7: a step that would run for a minute is retried by the next worker."""
    first = start_worker()
    execution = await starter.run("probe", {"steps": ["hand-back:60"], "attempts": 3})
    execution = await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    began = time.monotonic()
    first.send_signal(signal.SIGTERM)
    assert await ended(first, 12) == 0
    assert time.monotonic() - began < 10
    start_worker()
    # Temporal may still have given the retry to the worker that left, and notices by heartbeat.
    ended_by = starter.library.settings.heartbeat_timeout + 60
    execution = await starter.until(execution, within=ended_by)
    assert execution.status is RunStatus.SUCCEEDED


async def test_without_temporal_it_waits_and_still_stops_at_once(start_worker: StartWorker) -> None:
    """ADM-11."""
    process = start_worker(JOBSTEWARD_TEMPORAL_ADDRESS=f"127.0.0.1:{free_ports(1)[0]}")
    assert process.stdout is not None
    told = await anyio.to_thread.run_sync(process.stdout.readline)
    assert "temporal_unreachable" in told
    process.send_signal(signal.SIGTERM)
    assert await ended(process, 5) == 0


async def test_a_foreign_temporal_is_refused_in_one_line(start_worker: StartWorker) -> None:
    """ADM-11, SEC-9."""
    process = start_worker(JOBSTEWARD_TEMPORAL_NAMESPACE="somebody-elses")
    assert await ended(process, 20) == EXIT_REFUSED
    _, told = process.communicate()
    assert "has no namespace somebody-elses" in told
    assert "Traceback" not in told


PLACES = [
    "marker.before_commit",
    "marker.after_commit",
    "step.before",
    "step.after",
    "outcome.before_commit",
    "finalize.after",
]


@pytest.mark.parametrize("place", PLACES)
async def test_killed_anywhere_the_next_worker_finishes_it_once(
    place: str, library: Library, client: Client, starter: Starter, start_worker: StartWorker
) -> None:
    """F09, I1: one marker, one first step, one terminal, and Temporal agrees."""
    doomed = start_worker(JOBSTEWARD_TEST_MODE="1", JOBSTEWARD_FAILPOINTS=f"{place}=kill")
    execution = await starter.run("probe", {"steps": ["ok"], "attempts": 3})
    assert await ended(doomed, 30) == -signal.SIGKILL
    start_worker()
    execution = await starter.until(execution, within=90)
    assert execution.status is RunStatus.SUCCEEDED
    assert await closed(client, execution, within=45) is RunStatus.SUCCEEDED
    events = await events_of(library, execution.run_id)
    assert (events["WorkflowStarted"], events["WorkflowFirstStepEntered"]) == (1, 1)
    assert await terminals_of(library, execution.run_id) == ["WorkflowCompleted"]


async def test_a_worker_killed_in_mid_step_is_replaced(
    starter: Starter, start_worker: StartWorker
) -> None:
    """F12: the heartbeat time-out gives the step to the next worker."""
    first = start_worker()
    execution = await starter.run("probe", {"steps": ["hand-back:60"], "attempts": 3})
    execution = await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    first.kill()
    start_worker()
    assert (await starter.until(execution, within=90)).status is RunStatus.SUCCEEDED
