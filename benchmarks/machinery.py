"""Stacks and floors to measure, started and stopped as processes of their own."""

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.report import ROOT
from jobsteward_server import app_directory
from jobsteward_server.children import Child, free_ports
from jobsteward_server.demo.stack import Stack, run_stack

PYTHON = [sys.executable, "-P", "-m"]
_READY_WITHIN = 30.0


@dataclass(frozen=True, slots=True)
class Temporal:
    """Where a stack's Temporal answers."""

    address: str
    namespace: str


@asynccontextmanager
async def temporary_home() -> AsyncIterator[Path]:
    """An app directory on the disk of the temporary files, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="jobsteward-bench-") as folder:
        yield Path(folder)


@asynccontextmanager
async def measured_stack(
    home: Path, extra: Mapping[str, str] | None = None
) -> AsyncIterator[Stack]:
    """A whole stack whose catalogue has the measured workflows as well."""
    os.environ["PYTHONPATH"] = str(ROOT)
    command = f"{' '.join(PYTHON)} benchmarks.process"
    settings = {"TEST_MODE": "1", "CHILD_COMMAND": command, **(extra or {})}
    async with run_stack(home, settings) as stack:
        yield stack


def temporal_of(stack: Stack) -> Temporal:
    """The Temporal server of a running stack."""
    record = app_directory.running_stack(stack.home)
    assert record is not None
    return Temporal(record.temporal_address, record.temporal_namespace)


@asynccontextmanager
async def floor(shape: str, temporal: Temporal, home: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the bare floor of that shape, which uses the same Temporal server."""
    [port] = free_ports(1)
    arguments = [shape, temporal.address, temporal.namespace, str(home / f"{shape}.db"), str(port)]
    url = f"http://127.0.0.1:{port}"
    async with (
        process([*PYTHON, "benchmarks.process", "floor", *arguments]),
        httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as client,
    ):
        await answering(client, "/")
        yield client


@asynccontextmanager
async def process(
    command: Sequence[str], environment: Mapping[str, str] | None = None
) -> AsyncIterator[Child]:
    """A child process, ended afterwards; its words join this process's standard error."""
    own = os.environ | {"PYTHONPATH": str(ROOT), **(environment or {})}
    child = await Child.start(
        command, environment=own, output=sys.stderr.fileno(), death_signal=signal.SIGTERM
    )
    try:
        yield child
    finally:
        await child.stop(5.0)


async def answering(client: httpx.AsyncClient, path: str) -> None:
    """Wait until the server answers at all."""
    async with asyncio.timeout(_READY_WITHIN):
        while True:
            try:
                await client.get(path)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
            else:
                return


def rss_mb(pid: int) -> float:
    """Resident memory of a process in MB (10^6 bytes)."""
    return _memory(Path(f"/proc/{pid}/status"), "VmRSS")


def pss_mb(pid: int) -> float:
    """Resident memory with shared pages divided among their users, in MB."""
    return _memory(Path(f"/proc/{pid}/smaps_rollup"), "Pss")


def _memory(path: Path, member: str) -> float:
    for line in path.read_text().splitlines():
        name, _, value = line.partition(":")
        if name == member:
            return int(value.split()[0]) * 1024 / 1e6
    raise ValueError(f"{path} has no {member}")
