"""How long a receipt takes: Temporal healthy, down, and taking everything without an answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

from benchmarks.floor import Rows
from benchmarks.machinery import PYTHON, answering, measured_stack, process, temporary_home
from benchmarks.marks import now
from benchmarks.outage import Proxy, proxy
from benchmarks.report import Report, percentile, say
from benchmarks.startup import client_of
from jobsteward_server.children import free_ports
from jobsteward_server.embedded import EmbeddedTemporal

HEALTHY = 300
OUTAGE = 200
HEALTHY_PAUSE = 0.1
"""Seconds between two requests whose runs are served, so that they do not share the machine."""
OUTAGE_PAUSE = 0.025
RECOVERY_WITHIN = 60.0
_EXECUTE = "/api/v1/workflows/measured/execute"
_MS = 1e6


async def acceptance() -> Report:
    """The figures of all three states, and of one bare durable commit on the same disk."""
    report = Report("acceptance")
    errors = await _healthy(report)
    errors += await _outages(report)
    report.set("errors_5xx", errors)
    report.settings = {"healthy": HEALTHY, "outage": OUTAGE, "pause_s": HEALTHY_PAUSE}
    return report


async def _healthy(report: Report) -> int:
    async with temporary_home() as home, measured_stack(home) as stack:
        rows = Rows(home / "floor.db")
        commits: list[float] = []

        async def commit() -> None:
            began = now()
            await rows.insert("INSERT INTO executions VALUES (?, ?)", str(began), "{}")
            commits.append((now() - began) / _MS)

        async with client_of(stack) as client:
            say(f"acceptance: {HEALTHY} receipts with Temporal healthy")
            await receipts(client, 20, HEALTHY_PAUSE, commit)
            commits.clear()
            latencies, errors = await receipts(client, HEALTHY, HEALTHY_PAUSE, commit)
    report.set("commit_p50_ms", percentile(commits, 50))
    report.set("commit_p95_ms", percentile(commits, 95))
    for percent in (50, 95, 99):
        report.set(f"healthy_p{percent}_ms", percentile(latencies, percent))
    report.keep("commit_ms", commits)
    report.keep("healthy_ms", latencies)
    return errors


async def _outages(report: Report) -> int:
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(temporary_home())
        home.chmod(0o700)
        (home / "logs").mkdir(mode=0o700)
        temporal = EmbeddedTemporal(home)
        await temporal.start()
        stack.push_async_callback(temporal.stop, 5.0)
        gate = await stack.enter_async_context(proxy(temporal.address))
        client = await _api(stack, home, gate, temporal.namespace)
        await receipts(client, 20, OUTAGE_PAUSE)
        say(f"acceptance: {OUTAGE} receipts with Temporal down")
        await gate.refuse()
        errors = await _outage(report, client, "down")
        await gate.open()
        report.set("down_recovered_s", await _recovered(client))
        say(f"acceptance: {OUTAGE} receipts with Temporal silent")
        gate.swallow()
        errors += await _outage(report, client, "blackhole")
        gate.flow()
        report.set("blackhole_recovered_s", await _recovered(client))
    return errors


async def _outage(report: Report, client: httpx.AsyncClient, name: str) -> int:
    latencies, errors = await receipts(client, OUTAGE, OUTAGE_PAUSE)
    for percent in (50, 95, 99):
        report.set(f"{name}_p{percent}_ms", percentile(latencies, percent))
    report.keep(f"{name}_ms", latencies)
    return errors


async def _api(stack: AsyncExitStack, home: Path, gate: Proxy, namespace: str) -> httpx.AsyncClient:
    """A client of an API process alone, which reaches Temporal through the proxy."""
    [port] = free_ports(1)
    environment = {
        "JOBSTEWARD_HOME": str(home),
        "JOBSTEWARD_PORT": str(port),
        "JOBSTEWARD_TEMPORAL_ADDRESS": f"127.0.0.1:{gate.port}",
        "JOBSTEWARD_TEMPORAL_NAMESPACE": namespace,
    }
    await stack.enter_async_context(process([*PYTHON, "benchmarks.process", "api"], environment))
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, trust_env=False) as waiting:
        await answering(waiting, "/healthz")
    secret = (home / "agent.token").read_text("utf-8").strip()
    headers = {"authorization": f"Bearer {secret}"}
    client = httpx.AsyncClient(base_url=url, headers=headers, timeout=40, trust_env=False)
    return await stack.enter_async_context(client)


async def receipts(
    client: httpx.AsyncClient,
    count: int,
    pause: float,
    between: Callable[[], Awaitable[None]] | None = None,
) -> tuple[list[float], int]:
    """Milliseconds of each receipt, one after another, and how many answers were 5xx."""
    latencies: list[float] = []
    errors = 0
    for _ in range(count):
        sent = now()
        answer = await client.post(_EXECUTE, json={"inputs": {"number": sent}})
        latencies.append((now() - sent) / _MS)
        errors += answer.status_code >= 500
        await asyncio.sleep(pause)
        if between:
            await between()
    return latencies, errors


async def _recovered(client: httpx.AsyncClient) -> float:
    """Seconds until nothing that was accepted is still pending."""
    began = now()
    async with asyncio.timeout(RECOVERY_WITHIN):
        while True:
            page = await client.get("/api/v1/workflow-runs", params={"status": "pending"})
            if not page.raise_for_status().json()["items"]:
                return (now() - began) / 1e9
            await asyncio.sleep(0.2)
