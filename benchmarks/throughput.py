"""Executions a second to completion, from a backlog, beside bare workflows of the same shape.

The backlog is laid down while no worker serves its lane; then a worker starts, and the rate is
taken over completions that Temporal counts. Each measurement has a Temporal server of its own.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
from temporalio.client import Client

from benchmarks.floor import BACKLOG_QUEUE, BareSame, connect
from benchmarks.machinery import PYTHON, answering, process, temporary_home
from benchmarks.marks import now
from benchmarks.report import Report, say
from jobsteward_server import app_directory
from jobsteward_server.children import free_ports
from jobsteward_server.embedded import EmbeddedTemporal

SIZES = {"1k": (1_000, 900), "10k": (10_000, 1_000)}
"""Backlog, and how many completions the rate is taken over."""
SUBMITTERS = 16
WARM_UP = 50
"""Completions before the clock starts: the worker is still filling its caches."""
_POLL = 0.25
_LAID_WITHIN = 900.0
_DRAINED_WITHIN = 600.0


async def throughput() -> Report:
    """Rates and ratios for both backlogs."""
    report = Report("throughput")
    for name, (backlog, window) in SIZES.items():
        accepted, ours = await _ours(backlog, window)
        bare = await _bare(backlog, window)
        report.set(f"ratio_{name}", ours / bare)
        report.set(f"executions_per_s_{name}", ours)
        report.set(f"bare_per_s_{name}", bare)
        report.set(f"accepted_per_s_{name}", accepted)
    report.settings = {
        "sizes": SIZES,
        "submitters": SUBMITTERS,
        "warm_up": WARM_UP,
        "background_slots": 4,
        "step": "one quick step",
    }
    return report


async def _ours(backlog: int, window: int) -> tuple[float, float]:
    """Accepted a second, and completed a second."""
    async with _temporal() as temporal:
        environment = _environment(temporal.home, temporal.server)
        async with AsyncExitStack() as stack:
            api = [*PYTHON, "benchmarks.process", "api"]
            await stack.enter_async_context(process(api, environment))
            url = f"http://127.0.0.1:{environment['JOBSTEWARD_PORT']}"
            client = await _client(stack, temporal.home, url)
            say(f"throughput: {backlog} executions accepted without a worker")
            began = now()
            await _submit(backlog, lambda: _execute(client))
            accepted = backlog / ((now() - began) / 1e9)
            await temporal.started("MeasuredWorkflow", backlog)
            worker = [*PYTHON, "benchmarks.process", "worker"]
            lane = {"WORKFLOW_WORKER_LANE": "background"}
            await stack.enter_async_context(process(worker, environment | lane))
            return accepted, await temporal.rate("MeasuredWorkflow", window)


async def _bare(backlog: int, window: int) -> float:
    async with _temporal() as temporal:

        async def start() -> None:
            name = secrets.token_hex(16)
            await temporal.client.start_workflow(
                BareSame.run, name, id=name, task_queue=BACKLOG_QUEUE
            )

        say(f"throughput: {backlog} bare workflows started without a worker")
        await _submit(backlog, start)
        await temporal.started("BareSame", backlog)
        server = temporal.server
        where = [server.address, server.namespace, str(temporal.home / "floor.db")]
        async with process([*PYTHON, "benchmarks.process", "floor-worker", *where]):
            return await temporal.rate("BareSame", window)


class _Temporal:
    """A server of its own, and what its visibility says."""

    def __init__(self, home: Path, server: EmbeddedTemporal, client: Client) -> None:
        self.home = home
        self.server = server
        self.client = client

    async def started(self, workflow_type: str, count: int) -> None:
        """Wait until that many runs exist."""
        async with asyncio.timeout(_LAID_WITHIN):
            await self._reached(workflow_type, count)

    async def rate(self, workflow_type: str, window: int) -> float:
        """Completions a second over the window that follows the warm-up."""
        async with asyncio.timeout(_DRAINED_WITHIN):
            completed = " AND ExecutionStatus = 'Completed'"
            first, since = await self._reached(workflow_type, WARM_UP, completed)
            last, until = await self._reached(workflow_type, first + window - WARM_UP, completed)
        return (last - first) / ((until - since) / 1e9)

    async def _reached(
        self, workflow_type: str, at_least: int, condition: str = ""
    ) -> tuple[int, int]:
        """The first count that is high enough, and the moment before it was asked for."""
        while True:
            moment = now()
            count = await self._count(workflow_type, condition)
            if count >= at_least:
                return count, moment
            await asyncio.sleep(_POLL)

    async def _count(self, workflow_type: str, condition: str) -> int:
        query = f"WorkflowType = '{workflow_type}'{condition}"
        return (await self.client.count_workflows(query)).count


@asynccontextmanager
async def _temporal() -> AsyncIterator[_Temporal]:
    async with temporary_home() as home:
        app_directory.prepare(home)
        server = EmbeddedTemporal(home)
        await server.start()
        try:
            yield _Temporal(home, server, await connect(server.address, server.namespace))
        finally:
            await server.stop(5.0)


def _environment(home: Path, server: EmbeddedTemporal) -> dict[str, str]:
    [port] = free_ports(1)
    outside = {name: value for name, value in os.environ.items() if "JOBSTEWARD" not in name}
    return outside | {
        "JOBSTEWARD_HOME": str(home),
        "JOBSTEWARD_PORT": str(port),
        "JOBSTEWARD_TEMPORAL_ADDRESS": server.address,
        "JOBSTEWARD_TEMPORAL_NAMESPACE": server.namespace,
    }


async def _client(stack: AsyncExitStack, home: Path, url: str) -> httpx.AsyncClient:
    async with httpx.AsyncClient(base_url=url, trust_env=False) as waiting:
        await answering(waiting, "/healthz")
    secret = (home / app_directory.AGENT_FILE).read_text("utf-8").strip()
    headers = {"authorization": f"Bearer {secret}"}
    client = httpx.AsyncClient(base_url=url, headers=headers, timeout=60, trust_env=False)
    return await stack.enter_async_context(client)


async def _execute(client: httpx.AsyncClient) -> None:
    body = {"inputs": {"number": now()}, "priority": 0}
    answer = await client.post("/api/v1/workflows/measured/execute", json=body)
    answer.raise_for_status()


async def _submit(count: int, once: Callable[[], Awaitable[None]]) -> None:
    """Call ``once`` that often, from several submitters at a time."""
    left = iter(range(count))

    async def submitter() -> None:
        for _ in left:
            await once()

    await asyncio.gather(*(submitter() for _ in range(SUBMITTERS)))
