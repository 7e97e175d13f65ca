"""``python -m benchmarks NAME [--json FILE]``: measure, print the figures, keep the raw ones."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import click

from benchmarks.acceptance import acceptance
from benchmarks.chaos import chaos
from benchmarks.chaos_discovery import chaos_discovery
from benchmarks.corpus import ENVIRONMENT
from benchmarks.discovery import discovery
from benchmarks.discovery_quality import discovery_quality
from benchmarks.duplicate_quality import duplicate_quality
from benchmarks.gate import gate
from benchmarks.markup_quality import markup_quality
from benchmarks.mcp_adapter import mcp
from benchmarks.offline import offline
from benchmarks.projection import projection
from benchmarks.report import Load, Report, write
from benchmarks.search import search
from benchmarks.stack import stack
from benchmarks.startup import startup
from benchmarks.throughput import throughput

BENCHMARKS: dict[str, Callable[[], Awaitable[Report]]] = {
    "startup": startup,
    "acceptance": acceptance,
    "throughput": throughput,
    "projection": projection,
    "mcp": mcp,
    "stack": stack,
    "chaos": chaos,
    "discovery": discovery,
    "search": search,
    "chaos_discovery": chaos_discovery,
    "discovery_quality": discovery_quality,
    "duplicate_quality": duplicate_quality,
    "markup_quality": markup_quality,
    "gate": gate,
    "offline": offline,
}


@click.command()
@click.argument("name", type=click.Choice([*BENCHMARKS, "all"]))
@click.option("--json", "path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--data", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(name: str, path: Path | None, data: Path | None) -> None:
    """Run the benchmark NAME, or all of them one after another; quality ones read --data."""
    if data:
        os.environ[ENVIRONMENT] = str(data)
    names = list(BENCHMARKS) if name == "all" else [name]
    reports = []
    for each in names:
        report = asyncio.run(_measure(BENCHMARKS[each]))
        reports.append(report)
        click.echo("\n".join(report.lines()))
        if path:
            write(reports, path)


async def _measure(benchmark: Callable[[], Awaitable[Report]]) -> Report:
    before = Load.now()
    report = await benchmark()
    report.load = {"before": before, "after": Load.now()}
    return report


if __name__ == "__main__":
    main()
