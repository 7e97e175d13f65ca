"""From an HTTP request to the entry of the first business step, idle and with full slots.

Seed experiment: 10 warm-ups, 200 idle requests, 100 requests while four background slots are
busy for 350 ms each. Trials wait for completion. Both floors are measured in turn with ours,
one request each, against the same Temporal server.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx

from benchmarks.machinery import floor, measured_stack, temporal_of, temporary_home
from benchmarks.marks import Marks, now
from benchmarks.report import Report, percentile, say
from benchmarks.workload import HOLD_SECONDS
from jobsteward_server.demo.stack import Stack

WARM_UPS = 10
IDLE = 200
MIXED = 100
BACKGROUND = 4
_API = "/api/v1"
_MS = 1e6


@dataclass
class Series:
    """Samples of one target, in milliseconds."""

    entry: list[float] = field(default_factory=list)
    accept: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes a request, and how to ask it for the end of a run."""

    client: httpx.AsyncClient
    execute: str
    ended: Callable[[str], str]

    async def request(self, marks: Marks, series: Series, body: object) -> str:
        """One request, timed from just before it is sent; returns the receipt."""
        sent = now()
        answer = await self.client.post(self.execute, json=body)
        answered = now()
        execution_id = str(answer.raise_for_status().json()["execution_id"])
        entered = await marks.of(execution_id)
        series.entry.append((entered - sent) / _MS)
        series.accept.append((answered - sent) / _MS)
        return execution_id

    async def end(self, execution_id: str) -> None:
        """Wait until that run has ended."""
        (await self.client.get(self.ended(execution_id))).raise_for_status()


def ours(client: httpx.AsyncClient) -> Target:
    """The product's own path."""
    return Target(
        client,
        f"{_API}/workflows/measured/execute",
        lambda execution_id: f"{_API}/workflow-runs/{execution_id}?wait=30",
    )


def bare(client: httpx.AsyncClient) -> Target:
    """A floor."""
    return Target(client, "/execute", lambda execution_id: f"/ended/{execution_id}")


async def startup() -> Report:
    """The figures of the experiment."""
    report = Report("startup")
    marks = await Marks.listen()
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(temporary_home())
        running = await stack.enter_async_context(measured_stack(home))
        temporal = temporal_of(running)
        targets = {"ours": ours(await stack.enter_async_context(client_of(running)))}
        for shape in ("same", "minimum"):
            opened = await stack.enter_async_context(floor(shape, temporal, home))
            targets[shape] = bare(opened)
        say("startup: warming up")
        await in_turn(targets, marks, WARM_UPS)
        say(f"startup: {IDLE} idle requests to each of {', '.join(targets)}")
        idle = await in_turn(targets, marks, IDLE)
        say(f"startup: {MIXED} requests beside {BACKGROUND} busy background slots")
        mixed = await beside_background(targets["ours"], marks, MIXED)
    marks.close()
    _figures(report, idle, mixed)
    report.settings = {
        "background_slots": BACKGROUND,
        "interactive_slots": 2,
        "hold_seconds": HOLD_SECONDS,
        "warm_ups": WARM_UPS,
        "store": "sqlite",
        "temporal": "embedded",
    }
    return report


def client_of(stack: Stack) -> httpx.AsyncClient:
    """A plain HTTP client of the stack's API."""
    headers = {"authorization": f"Bearer {stack.token}"}
    return httpx.AsyncClient(base_url=stack.url, headers=headers, timeout=40, trust_env=False)


async def in_turn(targets: dict[str, Target], marks: Marks, count: int) -> dict[str, Series]:
    """``count`` requests to each target, one after another in turn."""
    series = {name: Series() for name in targets}
    for number in range(count):
        for name, target in targets.items():
            body = {"inputs": {"number": now()}} if name == "ours" else {"number": number}
            await target.end(await target.request(marks, series[name], body))
    return series


async def beside_background(target: Target, marks: Marks, count: int) -> Series:
    """``count`` interactive requests, each while four background steps hold their slots."""
    series = Series()
    holding = Target(target.client, f"{_API}/workflows/holding/execute", target.ended)
    for _ in range(count):
        busy = await asyncio.gather(
            *(
                holding.request(marks, Series(), {"inputs": {"number": now()}, "priority": 0})
                for _ in range(BACKGROUND)
            )
        )
        mine = await target.request(marks, series, {"inputs": {"number": now()}})
        await asyncio.gather(*(target.end(one) for one in (*busy, mine)))
    return series


def _figures(report: Report, idle: dict[str, Series], mixed: Series) -> None:
    p95 = {name: percentile(series.entry, 95) for name, series in idle.items()}
    report.set("idle_ratio", p95["ours"] / p95["same"])
    report.set("idle_over_minimum", p95["ours"] / p95["minimum"])
    report.set("mixed_over_idle", percentile(mixed.entry, 95) / p95["ours"])
    for percent in (50, 95, 99):
        report.set(f"idle_p{percent}_ms", percentile(idle["ours"].entry, percent))
        report.set(f"mixed_p{percent}_ms", percentile(mixed.entry, percent))
        report.set(f"accept_p{percent}_ms", percentile(idle["ours"].accept, percent))
        for shape in ("same", "minimum"):
            report.set(f"{shape}_p{percent}_ms", percentile(idle[shape].entry, percent))
    for name, series in (*idle.items(), ("mixed", mixed)):
        report.keep(f"{name}_entry_ms", series.entry)
        report.keep(f"{name}_accept_ms", series.accept)
