"""The embedded Temporal server: private, ours, and the same after a kill."""

import http.client
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import anyio
import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowHandle
from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

from jobsteward.kernel.errors import ConfigurationError
from jobsteward_server import app_directory, temporal_files
from jobsteward_server.children import LOOPBACK
from jobsteward_server.embedded import SEARCH_ATTRIBUTES, EmbeddedTemporal
from jobsteward_server.temporal_files import Marker, TemporalFiles
from tests.server.listeners import listening

LOOPBACK_HEX = "0100007F"
KIND = SearchAttributeKey.for_keyword("Kind")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and expects Linux signals"),
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    app_directory.prepare(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
async def temporal(home: Path) -> AsyncIterator[EmbeddedTemporal]:
    server = EmbeddedTemporal(home)
    await server.start()
    yield server
    await server.kill()


def open_to_others(home: Path) -> list[str]:
    """Names in the app directory that anybody else may touch."""
    return [path.name for path in home.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]


async def connect(server: EmbeddedTemporal) -> Client:
    return await Client.connect(server.address, namespace=server.namespace)


async def start_workflow(client: Client, workflow_id: str) -> WorkflowHandle[object, object]:
    return await client.start_workflow("Unserved", id=workflow_id, task_queue="nobody")


async def test_files_are_private_and_ports_are_loopback(
    home: Path, temporal: EmbeddedTemporal
) -> None:
    """SEC-8: files 0600, no listener off this machine."""
    assert temporal.pid is not None
    assert open_to_others(home) == []
    listeners = listening(temporal.pid)
    assert len(listeners) >= 3
    assert {address for address, _ in listeners} == {LOOPBACK_HEX}


async def test_namespace_keeps_runs_30_days_and_knows_our_search_attributes(
    temporal: EmbeddedTemporal,
) -> None:
    """TOP-3: retention and search attributes are set at every start."""
    client = await connect(temporal)
    request = DescribeNamespaceRequest(namespace=temporal.namespace)
    described = await client.workflow_service.describe_namespace(request)
    kept = described.config.workflow_execution_retention_ttl.ToTimedelta()
    assert kept == timedelta(days=30)
    keys = [SearchAttributeKey.for_keyword(name) for name in SEARCH_ATTRIBUTES]
    attributes = TypedSearchAttributes([SearchAttributePair(key, "x") for key in keys])
    handle = await client.start_workflow(
        "Unserved", id="attributed", task_queue="nobody", search_attributes=attributes
    )
    assert (await handle.describe()).typed_search_attributes[KIND] == "x"


async def test_kill_and_restart_keep_address_identity_and_runs(
    temporal: EmbeddedTemporal,
) -> None:
    """F12: a client that connected before the kill goes on with the same runs."""
    client = await connect(temporal)
    await start_workflow(client, "before")
    address, namespace = temporal.address, temporal.namespace
    await temporal.kill()
    assert await temporal.exited() < 0
    assert not await temporal.alive()

    await temporal.start()

    assert (temporal.address, temporal.namespace) == (address, namespace)
    assert await temporal.alive()
    with anyio.fail_after(20):
        before = await client.get_workflow_handle("before").describe()
        assert before.status == WorkflowExecutionStatus.RUNNING
        await start_workflow(client, "after")


async def test_stop_is_clean_and_the_next_start_has_the_same_identity(home: Path) -> None:
    """SEC-9: the file, its marker and the namespace belong together over restarts."""
    first = EmbeddedTemporal(home)
    await first.start()
    await start_workflow(await connect(first), "kept")
    with anyio.fail_after(5):
        await first.stop(grace=4)
        assert await first.exited() == 0

    second = EmbeddedTemporal(home)
    await second.start()
    try:
        assert second.namespace == first.namespace
        kept = await (await connect(second)).get_workflow_handle("kept").describe()
        assert kept.status == WorkflowExecutionStatus.RUNNING
    finally:
        await second.kill()


async def test_port_taken_after_a_fall_is_never_trusted(
    temporal: EmbeddedTemporal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-9: a stranger on the old port makes the server move, not answer for it."""
    monkeypatch.setattr("jobsteward_server.embedded._PORT_WAIT", 0.2)
    client = await connect(temporal)
    await start_workflow(client, "before")
    old = temporal.address
    await temporal.kill()
    stranger = await anyio.create_tcp_listener(
        local_host=LOOPBACK, local_port=int(old.rpartition(":")[2])
    )
    async with stranger:
        await temporal.start()
        assert temporal.address != old
        moved = await connect(temporal)
        assert (await moved.get_workflow_handle("before").describe()).id == "before"


async def test_web_page_requests_are_refused_on_every_port(temporal: EmbeddedTemporal) -> None:
    """S12: text/plain POSTs and rebinding GETs reach no workflow on any listening port."""
    assert temporal.pid is not None
    client = await connect(temporal)
    handle = await start_workflow(client, "gate")
    base = f"/api/v1/namespaces/{temporal.namespace}/workflows"
    body = '{"input": [], "workflowType": {"name": "Forged"}, "taskQueue": {"name": "q"}}'
    refused = 0
    for _, port in listening(temporal.pid):
        for host in ("evil.example", f"{LOOPBACK}:{port}", f"localhost:{port}"):
            for method, path in (
                ("POST", f"{base}/gate/signal/approve"),
                ("POST", f"{base}/forged"),
                ("GET", base),
            ):
                status = await anyio.to_thread.run_sync(
                    page_request, port, method, path, host, body
                )
                assert status is None or status in {403, 404}, (port, method, path, host)
                refused += status == 403
    assert refused == 9  # the one HTTP API, by three names
    history = await handle.fetch_history()
    signaled = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED
    assert signaled not in {event.event_type for event in history.events}
    assert (await client.count_workflows("WorkflowType = 'Forged'")).count == 0


def page_request(port: int, method: str, path: str, host: str, body: str) -> int | None:
    """Status of what a page could send; None where the port does not speak HTTP/1."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    headers = {"Host": host, "Content-Type": "text/plain", "Origin": "http://evil.example"}
    try:
        connection.request(method, path, body if method == "POST" else None, headers)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


@pytest.mark.slow
async def test_kill_during_the_first_start_never_bricks(tmp_path: Path) -> None:
    """A first start killed at any moment is followed by one that works."""
    set_aside = 0
    for number, delay in enumerate((0.02, 0.1, 0.14, 0.18, 0.22, 0.26, 0.3)):
        home = tmp_path / str(number)
        app_directory.prepare(home)
        server = EmbeddedTemporal(home)
        with anyio.move_on_after(delay):
            await server.start()
        await server.kill()
        await server.start()
        try:
            await start_workflow(await connect(server), "works")
        finally:
            await server.kill()
        set_aside += bool(list(home.glob("temporal.db.unfinished-*")))
    assert set_aside >= 2


async def test_file_without_marker_is_set_aside_not_deleted(home: Path) -> None:
    (home / "temporal.db").write_bytes(b"half")
    (home / "temporal.db-wal").write_bytes(b"log")
    files = TemporalFiles(home)
    assert files.prepare("1.9.1") is None
    assert not files.database.exists()
    assert (home / "temporal.db.unfinished-1").read_bytes() == b"half"
    assert (home / "temporal.db.unfinished-1-wal").read_bytes() == b"log"


async def test_other_version_copies_the_file_first(home: Path) -> None:
    connection = sqlite3.connect(home / "temporal.db")
    connection.execute("CREATE TABLE namespaces (id)")
    connection.close()
    files = TemporalFiles(home)
    files.mark(Marker("1.5.1", "cluster", "ours"))
    before = files.database.read_bytes()
    assert files.prepare("1.9.1") == Marker("1.5.1", "cluster", "ours")
    assert (home / "temporal.db.1.5.1").read_bytes() == before


async def test_missing_file_makes_its_marker_void(home: Path) -> None:
    files = TemporalFiles(home)
    files.mark(Marker("1.9.1", "cluster", "ours"))
    assert files.prepare("1.9.1") is None
    assert files.marker() is None


@pytest.fixture(scope="module")
def sound_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An app directory whose server ran and was stopped."""
    home = tmp_path_factory.mktemp("sound") / "home"
    app_directory.prepare(home)

    async def run() -> None:
        server = EmbeddedTemporal(home)
        await server.start()
        await server.stop(grace=4)

    anyio.run(run)
    # Fold the log in, so that damage to the file itself is what counts.
    connection = sqlite3.connect(home / "temporal.db")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return home


@pytest.mark.parametrize("damage", ["header", "page", "truncated", "empty"])
async def test_damaged_file_is_refused_and_left_alone(
    sound_home: Path, tmp_path: Path, damage: str
) -> None:
    """F37, SEC-9: never recreated; the message says what to do."""
    home = tmp_path / "copy"
    shutil.copytree(sound_home, home)
    database = home / "temporal.db"
    database.write_bytes(damaged(database.read_bytes(), damage))
    before = database.read_bytes()
    with pytest.raises(ConfigurationError, match="is damaged: put a good copy in its place"):
        await EmbeddedTemporal(home).start()
    assert database.read_bytes() == before


def damaged(data: bytes, damage: str) -> bytes:
    match damage:
        case "header":
            return b"not a database!!" + data[16:]
        case "page":
            return data[:4096] + b"\xa5" * (len(data) - 4096)
        case "truncated":
            return data[: len(data) // 2 + 100]
        case _:
            return b""


async def test_foreign_file_is_refused(sound_home: Path, tmp_path: Path) -> None:
    """SEC-9: a file of another cluster under our marker does not start."""
    home = tmp_path / "copy"
    shutil.copytree(sound_home, home)
    files = TemporalFiles(home)
    marker = files.marker()
    assert marker is not None
    files.mark(Marker(marker.version, "another-cluster", marker.namespace))
    server = EmbeddedTemporal(home)
    with pytest.raises(ConfigurationError, match="is not the one of"):
        await server.start()
    assert server.pid is None


async def test_second_server_on_the_same_file_is_refused(
    home: Path, temporal: EmbeddedTemporal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-9: the file is held exclusively, also against a server without our lock."""
    monkeypatch.setattr(temporal_files, "_BUSY_DEADLINE", 0.3)
    with pytest.raises(ConfigurationError, match="another process holds"):
        await EmbeddedTemporal(home).start()
    assert await temporal.alive()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 12 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode != 0:
        pytest.skip("needs the right to mount a small file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.slow
async def test_full_disk_is_not_taken_for_damage_and_passes(small_disk: Path) -> None:
    """F33: without space it stays down and says so; with space the runs are there again."""
    home = small_disk / "home"
    app_directory.prepare(home)
    server = EmbeddedTemporal(home)
    await server.start()
    try:
        client = await connect(server)
        await start_workflow(client, "kept")
        fill(small_disk / "filler")
        await server.kill()
        with pytest.raises(ConfigurationError, match="disk space"):
            await server.start()

        (small_disk / "filler").unlink()
        await server.start()

        with anyio.fail_after(20):
            kept = await client.get_workflow_handle("kept").describe()
        assert kept.status == WorkflowExecutionStatus.RUNNING
    finally:
        await server.kill()
