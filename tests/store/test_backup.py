"""Backups: whole under their name, restorable into either database, with everything in them."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from jobsteward.kernel.errors import ConfigurationError, ConflictError
from jobsteward.library import Library, open_library
from jobsteward.runs.store import admit
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.runs.tokens import create_token, list_tokens
from jobsteward.settings import Settings
from jobsteward.store.backup import Backup, backup, verify
from jobsteward.store.manifest import DATABASE_FILE, MANIFEST_FILE, newest_backup, read_manifest
from jobsteward.store.portable import count_rows, reading, tables_of
from jobsteward.store.restore import restore
from jobsteward_server import app_directory
from jobsteward_server.cli import cli
from tests.support.invariants import violations
from tests.support.postgres import PostgresServer
from tests.support.steady_load import admission

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def source(request: pytest.FixtureRequest, home: Path) -> Settings:
    """Settings over a migrated store of each kind, to be backed up."""
    return _settings(request, home, request.param)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings of another app directory, over nothing or over a fresh PostgreSQL database."""
    home = tmp_path / "new"
    home.mkdir(mode=0o700)
    if request.param == "sqlite":
        yield Settings(home=home)
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database()
    yield Settings(home=home, database_url=server.url(name))
    server.drop_database(name)


@pytest.fixture
def filled(home: Path, sqlite_url: str) -> Settings:
    """Settings over a migrated SQLite store."""
    return Settings(home=home)


def _settings(request: pytest.FixtureRequest, home: Path, kind: str) -> Settings:
    if kind == "postgresql":
        return Settings(home=home, database_url=request.getfixturevalue("postgres_url"))
    request.getfixturevalue("sqlite_url")
    return Settings(home=home)


async def _fill(settings: Settings, *keys: str) -> None:
    async with await open_library(settings) as library:
        for key in keys:
            await _admit(library, key)


async def _admit(library: Library, key: str) -> None:
    await library.database.write(lambda conn: admit(conn, library.log, admission(key)))


async def _keys(settings: Settings) -> list[str]:
    query = select(EXECUTIONS.c.idempotency_key).order_by(EXECUTIONS.c.idempotency_key)
    async with await open_library(settings) as library:
        assert await library.database.write(violations) == []
        return await library.database.read(lambda conn: list(conn.scalars(query)))


def _add_artefact(settings: Settings, content: bytes) -> Path:
    settings.artefacts.mkdir(mode=0o700, exist_ok=True)
    path = settings.artefacts / hashlib.sha256(content).hexdigest()
    path.write_bytes(content)
    path.chmod(0o600)
    return path


async def test_a_backup_restores_into_either_database(
    source: Settings, target: Settings, tmp_path: Path
) -> None:
    """DOM-5, DOM-1: rows, tokens, identity, artefacts and JSON come out as they went in."""
    await _fill(source, "first", "second")
    artefact = _add_artefact(source, b"a letter")
    async with await open_library(source) as library:
        _, secret = await library.database.write(
            lambda conn: create_token(conn, name="owner", scopes=("read",))
        )
        done = await backup(source, tmp_path / "kept")
        await _admit(library, "after the backup")
        rows = await library.database.read(count_rows)
    assert done.manifest.tables == rows | {
        "workflow_executions": 2,
        "job_events": 2,
        "scheduled_jobs": 2,
    }
    restored = await restore(target, done.path)
    assert restored.manifest == done.manifest
    async with await open_library(target) as library:
        assert library.database.identity == done.manifest.database_id
        (token,) = await library.database.read(list_tokens)
        assert secret.startswith(token.prefix)
        inputs = await library.database.read(lambda conn: list(conn.scalars(_INPUTS)))
        assert inputs == [{"query": key, "empty": None} for key in ("first", "second")]
    assert (target.artefacts / artefact.name).read_bytes() == b"a letter"
    await _fill(target, "third")
    assert await _keys(target) == ["first", "second", "third"]


_INPUTS = select(EXECUTIONS.c.inputs).order_by(EXECUTIONS.c.idempotency_key)


async def test_only_the_owner_can_read_a_backup(filled: Settings) -> None:
    """SEC-8: files 0600, folders 0700, and no half-made or log file is left."""
    _add_artefact(filled, b"a letter")
    await _fill(filled, "first")
    done = await backup(filled)
    modes = {path.name: path.stat().st_mode & 0o777 for path in done.path.rglob("*")}
    assert {modes.pop("artefacts"), done.path.stat().st_mode & 0o777} == {0o700}
    assert set(modes.values()) == {0o600}
    assert modes.keys() >= {DATABASE_FILE, MANIFEST_FILE}
    assert list(done.path.parent.iterdir()) == [done.path]
    assert not [name for name in modes if name.endswith(("-wal", "-shm", "-journal"))]
    assert newest_backup(done.path.parent) == done.path


async def test_an_older_schema_can_be_backed_up(home: Path, tmp_path: Path) -> None:
    """A backup before an upgrade is possible; the restored copy is migrated by the next start."""
    settings = Settings(home=home)
    async with await open_library(settings) as library:
        from jobsteward.store.schema import downgrade

        await library.database.write(lambda conn: downgrade(conn, "0001"))
    done = await backup(settings, tmp_path / "kept")
    assert done.manifest.schema_revision == "0001"
    await restore(settings, done.path)
    await _fill(settings, "first")
    assert await _keys(settings) == ["first"]


async def test_what_a_database_derives_is_not_carried_over(tmp_path: Path) -> None:
    """Search indexes and computed columns are the target's own business."""
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE jobs (title TEXT, short TEXT AS (substr(title, 1, 9)))")
        connection.execute("CREATE VIRTUAL TABLE jobs_search USING fts5 (title)")
    with reading(tmp_path / "x.db") as conn:
        (table,) = tables_of(conn)
    assert (table.name, table.c.keys()) == ("jobs", ["title"])


def _change_byte(path: Path) -> None:
    file = path / DATABASE_FILE
    content = bytearray(file.read_bytes())
    content[5000] ^= 1
    file.write_bytes(content)


def _lose_artefact(path: Path) -> None:
    next((path / "artefacts").iterdir()).unlink()


def _add_file(path: Path) -> None:
    (path / "artefacts" / "stranger").write_bytes(b"x")


def _swap_database(path: Path) -> None:
    (path / DATABASE_FILE).write_bytes(b"")


def _claim_newer(path: Path) -> None:
    text = (path / MANIFEST_FILE).read_text("utf-8")
    revision = read_manifest(path).schema_revision
    (path / MANIFEST_FILE).write_text(text.replace(f'"{revision}"', '"9999"'), "utf-8")


def _lose_manifest(path: Path) -> None:
    (path / MANIFEST_FILE).unlink()


@pytest.mark.parametrize(
    ("spoil", "remedy"),
    [
        (_change_byte, "use another backup"),
        (_lose_artefact, "use another backup"),
        (_add_file, "use another backup"),
        (_swap_database, "use another backup"),
        (_claim_newer, "install the newer jobsteward"),
        (_lose_manifest, "name a folder that jobsteward backup wrote"),
    ],
)
async def test_a_spoilt_backup_is_refused_and_the_store_stays(
    filled: Settings, tmp_path: Path, spoil: Callable[[Path], None], remedy: str
) -> None:
    """F40, F45: verified first; nothing is touched before."""
    _add_artefact(filled, b"a letter")
    await _fill(filled, "first")
    done = await backup(filled, tmp_path / "kept")
    await _fill(filled, "second")
    spoil(done.path)
    with pytest.raises(ConfigurationError, match=remedy):
        await restore(filled, done.path)
    assert await _keys(filled) == ["first", "second"]
    assert not (filled.home / "replaced").exists()


async def test_restore_keeps_what_it_replaces(filled: Settings, tmp_path: Path) -> None:
    """The state before a restore can be brought back, log and all."""
    await _fill(filled, "first")
    done = await backup(filled, tmp_path / "kept")
    await _fill(filled, "second")
    restored = await restore(filled, done.path)
    assert await _keys(filled) == ["first"]
    kept = Path(restored.replaced) / "jobsteward.db"
    with reading(kept) as conn:
        assert count_rows(conn)["workflow_executions"] == 2


@pytest.mark.postgres
async def test_restore_keeps_the_replaced_tables_of_postgresql(
    postgres_url: str, home: Path, tmp_path: Path
) -> None:
    """The tables of before stand in a schema of their own, and ids go on after the restored."""
    settings = Settings(home=home, database_url=postgres_url)
    await _fill(settings, "first")
    done = await backup(settings, tmp_path / "kept")
    await _fill(settings, "second")
    replaced = (await restore(settings, done.path)).replaced
    await _fill(settings, "third")
    assert await _keys(settings) == ["first", "third"]
    async with await open_library(settings) as library:
        count = await library.database.read(
            lambda conn: conn.exec_driver_sql(
                f"SELECT count(*) FROM {replaced}.workflow_executions"
            ).scalar()
        )
    assert count == 2


async def test_restore_waits_for_nobody_and_refuses_an_open_database(
    source: Settings, tmp_path: Path
) -> None:
    """A process that still has the database open would write to the replaced one."""
    await _fill(source, "first")
    done = await backup(source, tmp_path / "kept")
    async with await open_library(source) as library:
        await _admit(library, "second")
        with pytest.raises(ConflictError, match="stop"):
            await restore(source, done.path)
    assert await _keys(source) == ["first", "second"]


async def test_restore_mends_a_damaged_database(filled: Settings) -> None:
    """F37: the refusal names the newest backup; restoring that one is the whole remedy."""
    await _fill(filled, "first")
    done = await backup(filled)
    filled.sqlite_path.write_bytes(b"not a database" * 1000)
    with pytest.raises(ConfigurationError) as refused:
        await open_library(filled)
    assert f"jobsteward restore {done.path}" in refused.value.message
    restored = await restore(filled, done.path)
    assert (Path(restored.replaced) / "jobsteward.db").read_bytes().startswith(b"not a database")
    assert await _keys(filled) == ["first"]


async def test_a_log_that_stayed_behind_is_not_folded_into_the_restored_file(
    filled: Settings, tmp_path: Path
) -> None:
    """The damaged database's log lies beside it; both are kept, neither is used."""
    await _fill(filled, "first")
    done = await backup(filled, tmp_path / "kept")
    await _leave_log_behind(filled, "second")
    content = filled.sqlite_path.read_bytes()
    filled.sqlite_path.write_bytes(b"\0" * 100 + content[100:])
    await restore(filled, done.path)
    assert await _keys(filled) == ["first"]


async def _leave_log_behind(settings: Settings, key: str) -> None:
    log = settings.sqlite_path.with_name("jobsteward.db-wal")
    async with await open_library(settings) as library:
        await _admit(library, key)
        content = log.read_bytes()
    assert content
    log.write_bytes(content)


async def test_a_backup_needs_a_database_and_a_free_name(filled: Settings, tmp_path: Path) -> None:
    """Refusals that name the remedy; nothing is made, nothing is overwritten."""
    with pytest.raises(ConfigurationError, match="start jobsteward up first"):
        await backup(Settings(home=tmp_path))
    (tmp_path / "taken").mkdir()
    with pytest.raises(ConfigurationError, match="does not exist yet"):
        await backup(filled, tmp_path / "taken")
    assert list((tmp_path / "taken").iterdir()) == []


async def test_a_spoilt_artefact_is_told_and_does_not_stop_the_backup(filled: Settings) -> None:
    """The rest is worth keeping all the more."""
    artefact = _add_artefact(filled, b"a letter")
    await _fill(filled, "first")
    artefact.write_bytes(b"a lettex")
    done = await backup(filled)
    assert done.damaged == (artefact.name,)
    verify(done.path)


@pytest.mark.parametrize("place", ["backup.database_copied", "backup.before_rename"])
async def test_a_killed_backup_leaves_nothing_under_its_name(
    filled: Settings, tmp_path: Path, place: str
) -> None:
    """F40: kill -9 during a backup; the next backup cleans up."""
    await _fill(filled, "first")
    target = tmp_path / "kept" / "monday"
    killed = _jobsteward(filled.home, "backup", str(target), failpoint=f"{place}=kill")
    assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in target.parent.iterdir()] == [".monday.partial"]
    assert newest_backup(target.parent) is None
    assert _jobsteward(filled.home, "backup", str(target)).returncode == 0
    assert [path.name for path in target.parent.iterdir()] == ["monday"]
    verify(target)


@pytest.mark.parametrize(
    ("place", "expected"),
    [("restore.before_replace", ["first", "second"]), ("restore.replaced", ["first"])],
)
async def test_a_killed_restore_leaves_one_whole_state(
    filled: Settings, tmp_path: Path, place: str, expected: list[str]
) -> None:
    """The store is the one before or the restored one, and restoring again works."""
    await _fill(filled, "first")
    done = await backup(filled, tmp_path / "kept")
    await _fill(filled, "second")
    killed = _jobsteward(filled.home, "restore", str(done.path), failpoint=f"{place}=kill")
    assert killed.returncode == -signal.SIGKILL
    assert await _keys(filled) == expected
    assert _jobsteward(filled.home, "restore", str(done.path)).returncode == 0
    assert await _keys(filled) == ["first"]


def test_commands(filled: Settings) -> None:
    """TOP-1: backup prints its folder, restore what it did; a running stack is refused."""
    anyio.run(_fill, filled, "first")
    home = ["--home", str(filled.home)]
    made = CliRunner().invoke(cli, [*home, "backup"])
    assert made.exit_code == 0
    path = made.output.strip()
    checked = CliRunner().invoke(cli, [*home, "restore", "--check", path])
    assert checked.output.startswith("whole: made 20")
    with app_directory.held(filled.home):
        refused = CliRunner().invoke(cli, [*home, "restore", path])
    assert isinstance(refused.exception, ConflictError)
    restored = CliRunner().invoke(cli, [*home, "restore", path])
    assert restored.exit_code == 0
    assert "the state before is kept in" in restored.output


@pytest.mark.slow
async def test_restore_drill(filled: Settings, tmp_path: Path) -> None:
    """F40, DOM-5: backups under load from three processes; the last one is restored and holds
    every execution that was acknowledged before it began, with all invariants intact."""
    acknowledged: list[str] = []
    backups: list[Backup] = []
    with _writers(filled.home, tmp_path, 3) as outputs:
        for number in range(3):
            _wait_for(outputs, 10 * (number + 1))
            acknowledged = _lines(outputs)
            backups.append(await backup(filled, tmp_path / "kept" / str(number)))
        _wait_for(outputs, len(_lines(outputs)) // 3 + 5)
    assert len(acknowledged) >= 60
    assert len({done.manifest.tables["job_events"] for done in backups}) == 3
    await restore(filled, backups[-1].path)
    async with await open_library(filled) as library:
        assert await library.database.write(violations) == []
        stored = await library.database.read(
            lambda conn: dict(
                conn.execute(select(EXECUTIONS.c.execution_id, EXECUTIONS.c.state)).all()
            )
        )
    for line in acknowledged:
        execution_id, _, ended = line.partition(" ")
        assert execution_id in stored
        assert not ended or stored[execution_id] == "finished"
    assert set(_lines(outputs)) - set(acknowledged), "nothing went on during the last backup"


@contextmanager
def _writers(home: Path, folder: Path, count: int) -> Iterator[list[Path]]:
    outputs = [folder / f"writer-{number}" for number in range(count)]
    command = [sys.executable, "-m", "tests.support.steady_load", str(home)]
    writers = []
    for number, output in enumerate(outputs):
        with output.open("w") as file:
            writers.append(
                subprocess.Popen(
                    [*command, f"w{number}"], stdin=subprocess.PIPE, stdout=file, cwd=ROOT
                )
            )
    try:
        yield outputs
        for writer in writers:
            writer.communicate(timeout=60)
            assert writer.returncode == 0
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()


def _wait_for(outputs: list[Path], each: int) -> None:
    deadline = time.monotonic() + 60
    while any(output.read_text().count("\n") < each for output in outputs):
        assert time.monotonic() < deadline, "the writers are too slow"
        time.sleep(0.02)


def _lines(outputs: list[Path]) -> list[str]:
    """Whole lines only: a writer may be in the middle of one."""
    text = [output.read_text().rpartition("\n")[0] for output in outputs]
    return [line for part in text for line in part.splitlines()]


def _jobsteward(
    home: Path, *arguments: str, failpoint: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "JOBSTEWARD_HOME": str(home),
        "JOBSTEWARD_TEST_MODE": "1",
        "JOBSTEWARD_FAILPOINTS": failpoint,
    }
    return subprocess.run(
        [sys.executable, "-m", "jobsteward_server.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
