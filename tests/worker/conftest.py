"""One Temporal server a test process; a client, a starter and a running pool a test."""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import Lane
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.pool import WorkerPool, open_pool
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter, client_of, embedded_temporal

REPOSITORY = Path(__file__).parents[2]
StartWorker = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start_worker(home: Path, temporal: EmbeddedTemporal) -> Iterator[StartWorker]:
    """Starts worker processes over the test's app directory; none of them outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def start(**environment: str) -> subprocess.Popen[str]:
        settings = {
            "JOBSTEWARD_HOME": str(home),
            "JOBSTEWARD_TEMPORAL_ADDRESS": temporal.address,
            "JOBSTEWARD_TEMPORAL_NAMESPACE": temporal.namespace,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.process", "worker"],
            cwd=REPOSITORY,
            env={**os.environ, **settings, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def temporal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedTemporal]:
    """The running server."""
    home: Path = tmp_path_factory.mktemp("temporal")
    with embedded_temporal(home) as server:
        yield server


@pytest.fixture
async def client(temporal: EmbeddedTemporal, home: Path) -> AsyncIterator[Client]:
    """A client; whatever the test left open is terminated after it."""
    connected = await client_of(temporal, home)
    yield connected
    async for run in connected.list_workflows("ExecutionStatus='Running'"):
        await connected.get_workflow_handle(run.id, run_id=run.run_id).terminate()


@pytest.fixture
def starter(library: Library, client: Client) -> Starter:
    """Admits and starts work over the test's database."""
    return Starter(library, client, WITH_PROBE)


@pytest.fixture
async def pool(library: Library, client: Client) -> AsyncIterator[WorkerPool]:
    """Workers of both lanes."""
    async with open_pool(client, library, WITH_PROBE, list(Lane)) as opened:
        yield opened
