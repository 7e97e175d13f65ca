"""Both databases keep what they acknowledged and say plainly what is wrong (DOM-5, ACT-4)."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import Connection, event, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.util import await_only

from jobsteward.kernel.errors import (
    ConfigurationError,
    RuntimeIdentityMismatchError,
    StorageError,
    StorageFullError,
)
from jobsteward.runs.tables import TENANTS, TOKENS
from jobsteward.store.engine import (
    Database,
    PostgresDatabase,
    SqliteDatabase,
    insert_or_ignore,
    open_database,
    upsert,
)
from jobsteward.store.schema import prepare_database
from tests.support.writers import increment

pytestmark = pytest.mark.anyio


def _tenant(name: str) -> dict[str, str]:
    return {"tenant_id": name, "created_at": "2026-01-01T00:00:00.000000Z"}


def _add(*names: str) -> Callable[[Connection], None]:
    def work(conn: Connection) -> None:
        for name in names:
            conn.execute(TENANTS.insert(), _tenant(name))

    return work


def _tenants(conn: Connection) -> list[str]:
    return list(conn.scalars(select(TENANTS.c.tenant_id).order_by(TENANTS.c.tenant_id)))


def _make_counter(conn: Connection) -> None:
    conn.execute(text("CREATE TABLE counter (value INTEGER)"))
    conn.execute(text("INSERT INTO counter VALUES (0)"))


def _count(conn: Connection) -> int | None:
    value: int | None = conn.scalar(text("SELECT value FROM counter"))
    return value


@pytest.mark.slow
async def test_eight_processes_lose_nothing(database: Database, store_url: str, home: Path) -> None:
    """P108: 8 writer processes, 200 read-then-write steps come to 1,600."""
    await database.write(_make_counter)
    command = [sys.executable, "-m", "tests.support.writers", store_url, str(home), "200"]
    root = Path(__file__).parents[2]
    with anyio.fail_after(240):
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(lambda: anyio.run_process(command, cwd=root))
    assert await database.read(_count) == 1600


async def test_tasks_lose_nothing(database: Database) -> None:
    """Read, then write from one hundred tasks at once: no update is lost, none is refused."""
    await database.write(_make_counter)
    await asyncio.gather(*(database.write(increment) for _ in range(100)))
    assert await database.read(_count) == 100


async def test_a_failing_transaction_leaves_nothing(database: Database) -> None:
    """All or nothing, and the error comes out as it is."""

    def work(conn: Connection) -> None:
        _add("acme")(conn)
        raise LookupError("after the insert")

    with pytest.raises(LookupError):
        await database.write(work)
    assert await database.read(_tenants) == []


async def test_a_caller_that_leaves_does_not_tear_the_write(database: Database) -> None:
    """A cancelled caller finds all of its transaction or nothing of it."""
    names = [f"t{number}" for number in range(50)]
    task = asyncio.create_task(database.write(_add(*names)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await database.write(_add("last"))
    assert len(await database.read(_tenants)) in {1, 51}


async def test_a_read_sees_one_moment(database: Database) -> None:
    """Two queries of one read agree, whatever is committed between them."""
    loop = asyncio.get_running_loop()

    def work(conn: Connection) -> tuple[list[str], list[str]]:
        before = _tenants(conn)
        _meanwhile(database, loop, database.write(_add("acme")))
        return before, _tenants(conn)

    assert await database.read(work) == ([], [])
    assert await database.read(_tenants) == ["acme"]


def _meanwhile(
    database: Database, loop: asyncio.AbstractEventLoop, step: Coroutine[Any, Any, None]
) -> None:
    if database.dialect == "sqlite":
        asyncio.run_coroutine_threadsafe(step, loop).result(timeout=20)
    else:
        await_only(step)


async def test_insert_or_ignore_counts_what_went_in(database: Database) -> None:
    """A taken key is left as it is, and the caller learns how many rows were new."""
    await database.write(_add("a"))
    rows = [_tenant(name) for name in "abc"]
    assert await database.write(lambda conn: insert_or_ignore(conn, TENANTS, rows)) == 2
    assert await database.write(lambda conn: insert_or_ignore(conn, TENANTS, [])) == 0


async def test_upsert_changes_only_its_own_row(database: Database) -> None:
    """DOM-5: a clash on another unique column is an error; REPLACE would delete the other row."""
    blank = dict.fromkeys(("tenant_id", "principal", "name", "prefix", "created_at"), "x")
    one = blank | {"token_id": "tok_1", "token_hash": "h1", "scopes": ["read"]}
    two = one | {"token_id": "tok_2", "token_hash": "h2"}
    await database.write(lambda conn: upsert(conn, TOKENS, [one, two]))
    await database.write(lambda conn: upsert(conn, TOKENS, [one | {"name": "new"}]))
    with pytest.raises(IntegrityError):
        await database.write(lambda conn: upsert(conn, TOKENS, [one | {"token_hash": "h2"}]))
    order = select(TOKENS.c.token_id, TOKENS.c.name).order_by(TOKENS.c.token_id)
    found = await database.read(lambda conn: conn.execute(order).all())
    assert [tuple(row) for row in found] == [("tok_1", "new"), ("tok_2", "x")]


async def test_another_identity_takes_no_write(database: Database) -> None:
    """ACT-4, F38: a process that was opened on another database writes nothing here."""
    database.identity = "somebody-else"
    with pytest.raises(RuntimeIdentityMismatchError) as caught:
        await database.write(_add("acme"))
    assert not caught.value.retryable
    assert await database.read(_tenants) == []


def _rename_over(path: Path, other: Path) -> None:
    other.replace(path)


def _copy_over(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes())


def _make_empty(path: Path, _other: Path) -> None:
    path.unlink()
    path.touch(mode=0o600)


def _remove(path: Path, _other: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("swap", [_rename_over, _copy_over, _make_empty, _remove])
@pytest.mark.parametrize("checkpointed", [True, False], ids=["checkpointed", "log in use"])
async def test_a_swapped_file_takes_no_write(
    sqlite_url: str,
    home: Path,
    tmp_path: Path,
    swap: Callable[[Path, Path], None],
    checkpointed: bool,
) -> None:
    """F38: the file is replaced while this process runs; the new one stays as it was."""
    path = home / "jobsteward.db"
    other = tmp_path / "other.db"
    shutil.copy(path, other)
    other.chmod(0o600)
    other_home = tmp_path / "other-home"
    other_home.mkdir(mode=0o700)
    second = await prepare_database(f"sqlite:///{other}", other_home)
    await second.checkpoint()
    await second.close()
    database = await prepare_database(sqlite_url, home)
    await database.write(_add("before"))
    if checkpointed:
        await database.checkpoint()
    swap(path, other)
    content = path.read_bytes() if path.exists() else None
    with pytest.raises((RuntimeIdentityMismatchError, ConfigurationError)) as caught:
        await database.write(_add("after"))
    assert not caught.value.retryable
    assert (path.read_bytes() if path.exists() else None) == content
    await database.close()


@pytest.fixture
async def sqlite(sqlite_url: str, home: Path) -> SqliteDatabase:
    """An open SQLite database."""
    opened = await prepare_database(sqlite_url, home)
    assert isinstance(opened, SqliteDatabase)
    return opened


async def test_pragmas(sqlite: SqliteDatabase) -> None:
    """DOM-5: WAL, full synchronisation, a busy time-out, no checkpoint behind our back."""

    def pragmas(conn: Connection) -> list[Any]:
        names = ("journal_mode", "synchronous", "busy_timeout", "wal_autocheckpoint")
        return [conn.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    assert await sqlite.read(pragmas) == ["wal", 2, 5000, 0]
    assert await sqlite.write(pragmas) == ["wal", 2, 5000, 0]
    await sqlite.close()


async def test_a_full_disk_is_named_and_passes(sqlite: SqliteDatabase) -> None:
    """F32: writes say storage_full, reads go on, and space alone brings writes back."""
    full = True

    @event.listens_for(sqlite._engine, "begin")
    def limit(conn: Connection) -> None:
        conn.exec_driver_sql(f"PRAGMA max_page_count={1 if full else 1_000_000}")

    names = [f"{number:0200}" for number in range(500)]
    with pytest.raises(StorageFullError):
        await sqlite.write(_add(*names))
    assert await sqlite.read(_tenants) == []
    full = False
    await sqlite.write(_add(*names))
    assert len(await sqlite.read(_tenants)) == 500
    await sqlite.close()


async def test_a_read_only_file_is_named(sqlite: SqliteDatabase) -> None:
    """F36: what may not be written is a storage error, and nothing is half-written."""

    @event.listens_for(sqlite._engine, "begin")
    def deny(conn: Connection) -> None:
        conn.exec_driver_sql("PRAGMA query_only=ON")

    with pytest.raises(StorageError, match="permissions"):
        await sqlite.write(_add("acme"))
    assert await sqlite.read(_tenants) == []
    await sqlite.close()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SQLITE_FULL", StorageFullError),
        ("SQLITE_IOERR_WRITE", StorageError),
        ("SQLITE_IOERR_FSYNC", StorageError),
        ("SQLITE_BUSY_SNAPSHOT", StorageError),
        ("SQLITE_CANTOPEN", StorageError),
        ("SQLITE_READONLY_DBMOVED", StorageError),
        ("SQLITE_CORRUPT", ConfigurationError),
        ("SQLITE_NOTADB", ConfigurationError),
    ],
)
async def test_sqlite_failures_have_names(
    sqlite: SqliteDatabase, name: str, kind: type[Exception]
) -> None:
    """F34: every way in which the file can fail is told apart by code, never by text."""

    def work(_conn: Connection) -> None:
        error = sqlite3.OperationalError("words that may change")
        error.sqlite_errorname = name
        raise DBAPIError("statement", {}, error)

    with pytest.raises(kind) as caught:
        await sqlite.write(work)
    assert type(caught.value) is kind
    await sqlite.close()


async def test_a_checkpoint_empties_the_log(sqlite: SqliteDatabase) -> None:
    """The log goes back to nothing, and a reader in the way only delays that."""
    log = sqlite.path.with_name("jobsteward.db-wal")
    await sqlite.write(_add("a"))
    entered, leave = threading.Event(), threading.Event()

    def slow(conn: Connection) -> list[str]:
        names = _tenants(conn)
        entered.set()
        assert leave.wait(20)
        return names

    reading = asyncio.create_task(sqlite.read(slow))
    await asyncio.to_thread(entered.wait, 20)
    await sqlite.write(_add("b"))
    with anyio.fail_after(10):
        await sqlite.checkpoint()
    assert log.stat().st_size > 0
    leave.set()
    assert await reading == ["a"]
    await sqlite.checkpoint()
    assert log.stat().st_size == 0
    assert await sqlite.read(_tenants) == ["a", "b"]
    await sqlite.close()


@pytest.mark.parametrize("url", ["mysql://127.0.0.1/jobs", "sqlite+aiosqlite:///x", "postgres"])
async def test_other_urls_are_refused(url: str) -> None:
    """The message says which URLs will do."""
    with pytest.raises(ConfigurationError, match="JOBSTEWARD_DATABASE_URL"):
        open_database(url)


async def test_a_silent_postgres_is_a_storage_error(tmp_path: Path) -> None:
    """ADM-11: nobody answers behind the URL; reading and writing both say so."""
    database = PostgresDatabase(f"postgresql://postgres@/jobs?host={tmp_path}")
    with pytest.raises(StorageError, match="PostgreSQL does not answer"):
        await database.write(_tenants)
    with pytest.raises(StorageError, match="PostgreSQL does not answer"):
        await database.read(_tenants)
    await database.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
async def test_another_users_file_is_refused(sqlite_url: str, home: Path) -> None:
    """F36: the process of another user gets the path and the remedy, not a traceback."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from jobsteward.store.schema import check_sqlite_file\n"
        "os.setuid(65534)\n"
        "check_sqlite_file(Path(sys.argv[1]))"
    )
    for folder in (home, home.parent, home.parent.parent, home.parent.parent.parent):
        folder.chmod(0o755)
    result = await anyio.run_process(
        [sys.executable, "-c", code, str(home / "jobsteward.db")],
        check=False,
        stderr=subprocess.PIPE,
    )
    assert b"cannot be written; give it to the user running this" in result.stderr


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("postgresql://u:p@host/db?sslmode=sometimes", "sslmode"),
        ("postgresql://u:secret@host:x/db", "no URL"),
    ],
)
def test_a_postgresql_url_that_cannot_be_is_named_without_its_words(url: str, word: str) -> None:
    """SEC-9: one line with the remedy, and no password in it."""
    with pytest.raises(ConfigurationError, match=word) as refused:
        open_database(url)
    assert "secret" not in str(refused.value)


async def test_sslmode_reaches_the_driver_apart_from_the_url() -> None:
    """TOP-3: clusters hand out URLs with libpq's sslmode, which asyncpg takes as an argument."""
    opened = open_database("postgresql://u:p@host/db?sslmode=require&application_name=x")
    assert isinstance(opened, PostgresDatabase)
    assert dict(opened.url.query) == {"application_name": "x"}
    await opened.close()
