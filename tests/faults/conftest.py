"""One Temporal server a test process; a client and processes of our own a test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.settings import Settings
from jobsteward_server.embedded import EmbeddedTemporal
from tests.faults.processes import Processes, open_processes
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter, client_of, embedded_temporal


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
    """Admits work over the test's database, starts it and waits for its end."""
    return Starter(library, client, WITH_PROBE)


@pytest.fixture
def processes(
    settings: Settings, library: Library, temporal: EmbeddedTemporal
) -> Iterator[Processes]:
    """Processes over the test's app directory and database."""
    assert library.settings is settings
    with open_processes(Processes(settings, temporal.address, temporal.namespace)) as opened:
        yield opened
