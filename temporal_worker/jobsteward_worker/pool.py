"""The workers of one process: which queues they serve, and with how many slots (LANE-1..3)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from temporalio.client import Client
from temporalio.worker import Interceptor, Worker, WorkerTuner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from jobsteward.discover.host_records import StoredHostRecords
from jobsteward.library import Library
from jobsteward.net import Manners, Outbound
from jobsteward.runs.model import Lane
from jobsteward.settings import Settings
from jobsteward_worker.activities.base import Activities, Pace, Workbench
from jobsteward_worker.activities.control import Control, SpendCheck, StartupObserver, no_ceiling
from jobsteward_worker.activities.gates import Gates
from jobsteward_worker.blocking import BlockingPool
from jobsteward_worker.envelope import Envelope
from jobsteward_worker.interceptors import Guards
from jobsteward_worker.spec import CONTROL_QUEUE, Catalogue, work_queue, workflow_queue
from jobsteward_worker.telemetry import Telemetry

Role = Literal["api", "worker"]
"""The API process serves workflows and quick steps; a worker process long steps as well."""

QUICK_SLOTS = 16
CONTROL_SLOTS = 8
WORKFLOW_SLOTS = 20
LOCAL_SLOTS = 16
FINISH_WITHIN: dict[Role, timedelta] = {
    "api": timedelta(seconds=1),
    "worker": timedelta(seconds=4),
}
"""How long running steps may finish by themselves before shutdown cancels them (ENV-7)."""

DRAIN_WITHIN = 8.0


class WorkerPool:
    """The running workers. Use `open_pool`, which ends them too."""

    def __init__(
        self, workers: Sequence[Worker], telemetry: Telemetry, blocking: BlockingPool
    ) -> None:
        self.workers = tuple(workers)
        self.telemetry = telemetry
        self.blocking = blocking
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to poll."""
        self._tasks = [asyncio.create_task(worker.run()) for worker in self.workers]

    async def broken(self) -> None:
        """Return when a worker has ended by itself; raises what ended it."""
        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in self._tasks:
            if task.done():
                task.result()

    async def drain(self) -> None:
        """Take nothing more, and hand running work back so that others retry it (ENV-7).

        Returns after at most ``DRAIN_WITHIN`` seconds, whatever still runs.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_WITHIN):
                await asyncio.gather(*(worker.shutdown() for worker in self.workers))
                await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def open_pool(
    client: Client,
    library: Library,
    catalogue: Catalogue,
    lanes: Sequence[Lane],
    role: Role = "worker",
    observer: StartupObserver | None = None,
    spend_check: SpendCheck = no_ceiling,
) -> AsyncIterator[WorkerPool]:
    """The running workers of this process; leaving it drains them."""
    manners = Manners(StoredHostRecords(library.database))
    async with Outbound(origin_map=library.settings.origin_map, manners=manners) as outbound:
        blocking = BlockingPool(sum(slots(library.settings, lane) for lane in lanes))
        bench = Workbench(library, outbound, blocking)
        control = Control(library, catalogue, observer, spend_check)
        telemetry = Telemetry()
        workers = build_workers(client, bench, catalogue, lanes, role, control, telemetry)
        pool = WorkerPool(workers, telemetry, blocking)
        pool.start()
        try:
            yield pool
        finally:
            await pool.drain()
            blocking.close()


def build_workers(
    client: Client,
    bench: Workbench,
    catalogue: Catalogue,
    lanes: Sequence[Lane],
    role: Role = "worker",
    control: Control | None = None,
    telemetry: Telemetry | None = None,
) -> list[Worker]:
    """One worker a queue: each lane's workflows, each lane's long steps, and control."""
    control = control or Control(bench.library, catalogue)
    quick, long = _steps(bench, catalogue, "quick"), _steps(bench, catalogue, "long")
    control_steps = [*control.queued_steps(), *Gates(bench.library).steps()]
    queues = [_Queue(CONTROL_QUEUE, CONTROL_SLOTS, control_steps)]
    for lane in lanes:
        local = control.local_steps()
        workflows = [spec.workflow for spec in catalogue]
        queues.append(_Queue(workflow_queue(lane), QUICK_SLOTS, [*quick, *local], workflows))
        if role == "worker" and long:
            queues.append(_Queue(work_queue(lane), slots(bench.library.settings, lane), long))
    interceptors: list[Interceptor] = [
        telemetry or Telemetry(),
        Envelope(catalogue),
        Guards(bench.library.runtime, control),
    ]
    return [_worker(client, queue, interceptors, FINISH_WITHIN[role]) for queue in queues]


def slots(settings: Settings, lane: Lane) -> int:
    """How many long steps of the lane one worker process runs at a time (LANE-1)."""
    if lane is Lane.INTERACTIVE:
        return settings.workflow_interactive_concurrency
    return settings.workflow_job_concurrency


def lanes_of(settings: Settings) -> list[Lane]:
    """The lanes that this worker process serves (LANE-3)."""
    chosen = settings.workflow_worker_lane
    return list(Lane) if chosen == "all" else [Lane(chosen)]


@dataclass(frozen=True, slots=True)
class _Queue:
    name: str
    slots: int
    steps: Sequence[Callable[..., Any]]
    workflows: Sequence[type] = field(default_factory=list)


def _steps(bench: Workbench, catalogue: Catalogue, pace: Pace) -> list[Callable[..., Any]]:
    classes: dict[type[Activities], None] = {}
    for spec in catalogue:
        for cls in spec.activities:
            if issubclass(cls, Activities) and cls.pace == pace:
                classes[cls] = None
    return [step for cls in classes for step in cls(bench).steps()]


def _worker(
    client: Client, queue: _Queue, interceptors: Sequence[Interceptor], finish_within: timedelta
) -> Worker:
    return Worker(
        client,
        task_queue=queue.name,
        workflows=queue.workflows,
        activities=queue.steps,
        interceptors=interceptors,
        workflow_runner=unrestricted_imports(),
        tuner=WorkerTuner.create_fixed(
            workflow_slots=WORKFLOW_SLOTS,
            activity_slots=queue.slots,
            local_activity_slots=LOCAL_SLOTS,
        ),
        max_cached_workflows=1000,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        max_heartbeat_throttle_interval=timedelta(seconds=1),
        default_heartbeat_throttle_interval=timedelta(seconds=1),
        graceful_shutdown_timeout=finish_within,
    )


def unrestricted_imports() -> SandboxedWorkflowRunner:
    """A sandbox that shares all modules with the process.

    Re-importing models for each run would cost 50 ms; the restrictions on clocks, randomness
    and I/O stay in force.
    """
    return SandboxedWorkflowRunner(SandboxRestrictions.default.with_passthrough_all_modules())
