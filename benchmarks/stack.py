"""From nothing to ready, and the memory of all processes together."""

import asyncio
import time

from benchmarks.machinery import pss_mb, rss_mb, temporary_home
from benchmarks.report import Report, percentile, say
from jobsteward_server.demo.stack import run_stack

STARTS = 5
SETTLE = 3.0
"""Seconds after ``ready`` at which memory is read."""


async def stack() -> Report:
    """Fresh app directory each time; the programs' files are in the page cache (warm)."""
    report = Report("stack")
    ready: list[float] = []
    memory: dict[str, list[float]] = {}
    for number in range(STARTS):
        say(f"stack: start {number + 1} of {STARTS}")
        async with temporary_home() as home:
            began = time.monotonic()
            async with run_stack(home) as running:
                ready.append(time.monotonic() - began)
                await asyncio.sleep(SETTLE)
                for name, pid in running.pids().items():
                    memory.setdefault(f"{name}_rss_mb", []).append(rss_mb(pid))
                    memory.setdefault(f"{name}_pss_mb", []).append(pss_mb(pid))
    report.set("ready_s", percentile(ready, 50))
    report.set("ready_slowest_s", max(ready))
    for kind in ("rss", "pss"):
        names = [name for name in memory if name.endswith(f"_{kind}_mb")]
        report.set(f"{kind}_mb", sum(percentile(memory[name], 50) for name in names))
    for name, values in memory.items():
        if name.endswith("_rss_mb"):
            report.set(name, percentile(values, 50))
        report.keep(name, values)
    report.keep("ready_s", ready)
    report.settings = {"starts": STARTS, "settle_s": SETTLE}
    return report
