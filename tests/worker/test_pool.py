"""Queues and slots: lanes do not take from each other, and a drained pool hands work back."""

import time
from pathlib import Path

import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import Lane, RunStatus
from jobsteward.settings import Settings
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.pool import DRAIN_WITHIN, WorkerPool, lanes_of, open_pool
from jobsteward_worker.spec import CONTROL_QUEUE, work_queue, workflow_queue
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter, client_of
from tests.worker.facts import eventually

pytestmark = pytest.mark.anyio


def test_the_lane_setting_chooses_the_lanes() -> None:
    """LANE-1, LANE-3."""
    assert lanes_of(Settings()) == list(Lane)
    only = Settings.model_validate({"WORKFLOW_WORKER_LANE": "background"})
    assert lanes_of(only) == [Lane.BACKGROUND]


async def test_roles_serve_their_queues(
    library: Library, client: Client, temporal: EmbeddedTemporal, home: Path
) -> None:
    """LANE-2, LANE-3: the API process takes no long step; control is served by both."""
    lane = Lane.INTERACTIVE
    other_process = await client_of(temporal, home)
    async with (
        open_pool(client, library, WITH_PROBE, [lane], role="api") as api,
        open_pool(other_process, library, WITH_PROBE, [lane]) as worker,
    ):
        near = {CONTROL_QUEUE, workflow_queue(lane)}
        assert {item.task_queue for item in api.workers} == near
        assert {item.task_queue for item in worker.workers} == near | {work_queue(lane)}


@pytest.mark.usefixtures("client")
async def test_busy_background_slots_do_not_delay_an_interactive_run(
    library: Library, starter: Starter, pool: WorkerPool
) -> None:
    """LANE-1, LANE-2: with every background slot taken and more waiting, interactive work and
    every outcome go ahead."""
    slots = library.settings.workflow_job_concurrency
    busy = [
        await starter.run("probe", {"steps": ["sleep:60"], "name": str(n)}, priority=1)
        for n in range(slots + 2)
    ]
    queue = work_queue(Lane.BACKGROUND)
    await eventually(lambda: pool.telemetry.work_on(queue).total == slots)
    began = time.monotonic()
    quick = await starter.until(await starter.run("probe", {"steps": ["ok"]}), within=5)
    assert quick.status is RunStatus.SUCCEEDED
    assert time.monotonic() - began < 5
    assert pool.telemetry.work_on(queue).total == slots
    for execution in busy:
        current = await starter.until(execution, lambda found: found.run_id is not None)
        await starter.handle(current).cancel()
    for execution in busy:
        assert (await starter.until(execution)).status is RunStatus.CANCELED


async def test_a_drained_pool_hands_its_work_back(
    library: Library, client: Client, starter: Starter
) -> None:
    """ENV-7: cancelled cooperatively within the bound, then retried by the next worker."""
    queue = work_queue(Lane.INTERACTIVE)
    async with open_pool(client, library, WITH_PROBE, list(Lane)) as pool:
        execution = await starter.run("probe", {"steps": ["hand-back:60"]})
        await eventually(lambda: pool.telemetry.work_on(queue).total == 1)
        began = time.monotonic()
    assert time.monotonic() - began < DRAIN_WITHIN
    async with open_pool(client, library, WITH_PROBE, list(Lane)):
        execution = await starter.until(execution)
    assert execution.status is RunStatus.SUCCEEDED
