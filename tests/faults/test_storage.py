"""Real storage faults: what was acknowledged stands, what failed says why, and it passes."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import anyio
import pytest
from sqlalchemy import select

from jobsteward.kernel.errors import ConfigurationError, StorageFullError
from jobsteward.library import Library, open_library
from jobsteward.runs.store import admit
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.settings import Settings
from jobsteward.store.backup import backup
from jobsteward.store.schema import HEAD, REVISIONS, current_revision, downgrade
from tests.support.invariants import violations
from tests.support.steady_load import admission

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]
SHIM = ROOT / "tests" / "support" / "disk_shim.c"
needs_mounts = pytest.mark.skipif(
    os.environ.get("JOBSTEWARD_PROVE") != "1" or os.geteuid() != 0,
    reason="mounts file systems: only in make prove, as root",
)


class Probe:
    """A process with an open store; ``ask`` gives its answer to one command."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, command: str = "") -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if command:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        return self._process.stdout.readline().strip()


@contextmanager
def _probe(home: Path, environment: Mapping[str, str] | None = None) -> Iterator[Probe]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.storage_probe", str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | dict(environment or {}),
    ) as process:
        try:
            probe = Probe(process)
            assert probe.ask() == "ok open"
            yield probe
            process.communicate(timeout=60)
            assert process.returncode == 0
        finally:
            process.kill()


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled shim, to be preloaded."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc to build the shim between a process and its disk")
    library = tmp_path_factory.mktemp("shim") / "disk_shim.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", library, SHIM, "-ldl"], check=True, timeout=60
    )
    return str(library)


def test_a_write_that_the_disk_refuses_is_not_acknowledged(home: Path, sqlite_url: str) -> None:
    """F32, F34: writes fail at a real file-size limit; reads go on; it passes by itself."""
    with _probe(home) as probe:
        assert probe.ask("write before").startswith("ok exe_")
        log = home / "jobsteward.db-wal"
        probe.ask(f"limit {log.stat().st_size + 100}")
        assert probe.ask("write during") == "error storage_error"
        assert probe.ask("count") == "ok 1"
        probe.ask("checkpoint")
        assert probe.ask("count") == "ok 1"
        probe.ask("unlimit")
        assert probe.ask("write during").startswith("ok exe_")
        assert probe.ask("count") == "ok 2"


def test_a_failing_flush_is_not_acknowledged(
    home: Path, sqlite_url: str, shim: str, tmp_path: Path
) -> None:
    """F34: fsync answers EIO; nobody was told that the commit happened, and no further one is
    taken until a restart."""
    fail = tmp_path / "fail"
    with _probe(home, {"LD_PRELOAD": shim, "SHIM_FAIL": str(fail)}) as probe:
        assert probe.ask("write before").startswith("ok exe_")
        fail.touch()
        assert probe.ask("write during") == "error storage_error"
        assert probe.ask("count") == "ok 1"
        probe.ask("checkpoint")
        fail.unlink()
        assert probe.ask("count") == "ok 1"
        assert probe.ask("write during") == "error storage_error"
    with _probe(home) as probe:
        assert probe.ask("count") == "ok 1"
        assert probe.ask("write during").startswith("ok exe_")


@pytest.mark.parametrize("swap", [shutil.copyfile, shutil.move])
async def test_a_replaced_file_stays_as_it_came(
    home: Path, sqlite_url: str, tmp_path: Path, swap: Callable[[Path, Path], object]
) -> None:
    """F38: no write goes to it, and the log of the old one is not folded into it at the end."""
    (tmp_path / "other").mkdir(mode=0o700)
    other = await _another_database(tmp_path / "other")
    content = other.read_bytes()
    with _probe(home) as probe:
        assert probe.ask("write before").startswith("ok exe_")
        swap(other, home / "jobsteward.db")
        assert probe.ask("write after") == "error RuntimeIdentityMismatch"
        probe.ask("checkpoint")
        assert probe.ask("write after") == "error RuntimeIdentityMismatch"
    assert (home / "jobsteward.db").read_bytes() == content


async def _another_database(home: Path) -> Path:
    async with await open_library(Settings(home=home)) as library:
        await _admit(library, "elsewhere")
    return home / "jobsteward.db"


@pytest.mark.slow
async def test_a_power_cut_loses_nothing_acknowledged(
    home: Path, sqlite_url: str, shim: str, tmp_path: Path
) -> None:
    """F39: only what was flushed survives; every acknowledged execution is in it."""
    command = [sys.executable, "-m", "tests.support.steady_load", str(home), "cut"]
    acknowledged = _cut_power(command, home, shim, tmp_path / "shadow", lines=120)
    async with await open_library(Settings(home=tmp_path / "shadow")) as library:
        assert await library.database.write(violations) == []
        stored = set(
            await library.database.read(
                lambda conn: list(conn.scalars(select(EXECUTIONS.c.execution_id)))
            )
        )
    assert {line.split()[0] for line in acknowledged} <= stored


_CARELESS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1] + "/careless.db", isolation_level=None)
connection.execute("PRAGMA synchronous=NORMAL")
for number in range(1_000_000):
    connection.execute("INSERT INTO t VALUES (?)", (number,))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_the_power_cut_is_a_real_one(home: Path, shim: str, tmp_path: Path) -> None:
    """F39, the control: a writer that does not flush each commit does lose some."""
    with closing(sqlite3.connect(home / "careless.db")) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE t (n)")
    command = [sys.executable, "-c", _CARELESS, str(home)]
    acknowledged = _cut_power(command, home, shim, tmp_path / "shadow", lines=50)
    with closing(sqlite3.connect(tmp_path / "shadow" / "careless.db")) as connection:
        (stored,) = connection.execute("SELECT count(*) FROM t").fetchone()
    assert stored < len(acknowledged)


def _cut_power(command: list[str], home: Path, shim: str, shadow: Path, lines: int) -> list[str]:
    """Kill the writer after so many acknowledgements; what it acknowledged in all."""
    shadow.mkdir(mode=0o700)
    for file in home.iterdir():
        shutil.copy2(file, shadow / file.name)
    output = shadow.with_name("acknowledged")
    environment = {"LD_PRELOAD": shim, "SHIM_HOME": str(home), "SHIM_SHADOW": str(shadow)}
    with (
        output.open("w") as file,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=file, cwd=ROOT, env=os.environ | environment
        ) as process,
    ):
        deadline = time.monotonic() + 60
        while output.read_text().count("\n") < lines and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
    acknowledged = output.read_text().rpartition("\n")[0].splitlines()
    assert len(acknowledged) >= lines
    return acknowledged


@pytest.mark.parametrize("step", range(1, len(REVISIONS) + 1))
async def test_a_killed_migration_is_taken_back_and_resumes(home: Path, step: int) -> None:
    """F45: kill -9 after each revision; the next start finds nothing half-done and finishes."""
    await _start_killed(Settings(home=home), step)
    async with await open_library(Settings(home=home)) as library:
        assert await library.database.read(current_revision) == HEAD
        await _admit(library, "first")


@pytest.mark.postgres
async def test_a_killed_migration_of_postgresql_is_taken_back(
    postgres_url: str, home: Path
) -> None:
    """F45 on PostgreSQL: the server drops the killed client's transaction."""
    settings = Settings(home=home, database_url=postgres_url)
    async with await open_library(settings) as library:
        await library.database.write(lambda conn: downgrade(conn, "0001"))
    await _start_killed(settings, 2)
    async with await open_library(settings) as library:
        assert await library.database.read(current_revision) == HEAD
        await _admit(library, "first")


async def _start_killed(settings: Settings, step: int) -> None:
    """A start that dies after so many revisions, before their commit."""
    url = [settings.database_url] if settings.database_url else []
    environment = {
        "JOBSTEWARD_TEST_MODE": "1",
        "JOBSTEWARD_FAILPOINTS": f"migration.step=kill@{step}",
    }
    with anyio.fail_after(60):
        killed = await anyio.run_process(
            [sys.executable, "-m", "tests.support.storage_probe", str(settings.home), *url],
            cwd=ROOT,
            env=os.environ | environment,
            check=False,
        )
    assert killed.returncode == -signal.SIGKILL


@needs_mounts
async def test_a_full_file_system(tmp_path: Path) -> None:
    """F32: a real full disk, for the database and for a backup; space alone mends it."""
    home = tmp_path / "home"
    with _mounted(home, "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs"):
        async with await open_library(Settings(home=home)) as library:
            acknowledged = 0
            with pytest.raises(StorageFullError):
                for number in range(10_000):
                    await _admit(library, f"{number}" + "x" * 2000)
                    acknowledged += 1
            assert acknowledged > 20
            assert await _count(library) == acknowledged
            with pytest.raises(StorageFullError):
                await backup(library.settings)
            assert list((home / "backups").iterdir()) == []
            _run("mount", "-o", "remount,size=16m", str(home))
            await _admit(library, "later")
            assert await _count(library) == acknowledged + 1
            await backup(library.settings)


@needs_mounts
async def test_a_read_only_file_system(home: Path, sqlite_url: str, tmp_path: Path) -> None:
    """F36: the start is refused with the path and the remedy, also for root."""
    place = tmp_path / "bound"
    with _mounted(place, "--bind", str(home)):
        _run("mount", "-o", "remount,bind,ro", str(place))
        with pytest.raises(ConfigurationError, match=f"{place}.*give it to the user"):
            await open_library(Settings(home=place))


@contextmanager
def _mounted(place: Path, *options: str) -> Iterator[None]:
    place.mkdir(mode=0o700)
    _run("mount", *options, str(place))
    try:
        yield
    finally:
        _run("umount", str(place))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, timeout=30)


async def _admit(library: Library, key: str) -> None:
    await library.database.write(lambda conn: admit(conn, library.log, admission(key)))


async def _count(library: Library) -> int:
    return await library.database.read(
        lambda conn: len(conn.execute(select(EXECUTIONS.c.execution_id)).all())
    )
