"""The database, whichever it is: no repository has to know SQLite from PostgreSQL.

Repositories are plain functions over a SQLAlchemy ``Connection``. They never commit:
``Database.write`` runs one of them as one transaction, ``Database.read`` as one snapshot.
On SQLite the function runs in a thread (one writer per process, short BEGIN IMMEDIATE
transactions, WAL with synchronous=FULL, DOM-5); on PostgreSQL on an asyncpg connection.
"""

import asyncio
import ctypes
import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, MetaData, Table, create_engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from jobsteward.kernel.canonical import canonical_json
from jobsteward.kernel.errors import (
    ConfigurationError,
    JobstewardError,
    RuntimeIdentityMismatchError,
    StorageError,
    StorageFullError,
)

T = TypeVar("T")
Work = Callable[[Connection], T]

METADATA = MetaData()
"""Every table of the product, declared by the slice that owns it."""

APPLICATION_ID = 0x4A535457
"""SQLite's application_id for our files, so that a foreign file is recognised (SEC-9)."""

SQLITE_SCHEME = "sqlite:///"

_BUSY_TIMEOUT_MS = 5_000
_CHECKPOINT_BUSY_MS = 50
_READERS = 4
_WRITE_OPTION = "jobsteward_write"
_PG_RETRIED = frozenset({"40001", "40P01"})
_PG_RETRIES = 5


class Database(ABC):
    """An open database. ``identity`` is the random id it was created with (ACT-4)."""

    dialect: str
    identity: str = ""
    failed: bool = False
    """Whether the disk lost a flush: what is on it is uncertain until a restart checks it."""

    @abstractmethod
    async def write(self, work: Work[T]) -> T:
        """The result of ``work``, committed durably and as a whole, or nothing at all.

        Raises StorageFullError, StorageError, or whatever ``work`` raised.
        """

    @abstractmethod
    async def read(self, work: Work[T]) -> T:
        """The result of ``work`` over one consistent snapshot."""

    @abstractmethod
    async def close(self) -> None:
        """Release connections and threads."""

    @abstractmethod
    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, where the database leaves that to us."""


def open_database(url: str) -> Database:
    """The database behind ``sqlite:///path`` or ``postgresql://…``; nothing is created."""
    if url.startswith(SQLITE_SCHEME):
        return SqliteDatabase(Path(url.removeprefix(SQLITE_SCHEME)))
    if url.startswith("postgresql://"):
        return PostgresDatabase(url)
    raise ConfigurationError("JOBSTEWARD_DATABASE_URL must start with sqlite:/// or postgresql://")


class SqliteDatabase(Database):
    """One SQLite file, shared by the processes of one app directory."""

    dialect = "sqlite"

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = sqlite_engine(path)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="db-write")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="db-read")
        self._seen: tuple[int, int, int] | None = None

    async def write(self, work: Work[T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writer, self._write, work)

    async def read(self, work: Work[T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._read, work)

    async def checkpoint(self) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, self._checkpoint)

    async def copy_to(self, path: Path) -> None:
        """Write one consistent snapshot to a file that is empty or not there; writers go on.

        Nothing is flushed to disk. Raises StorageFullError, StorageError, or
        ConfigurationError where this database is damaged.
        """
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, self._copy_to, path)

    async def close(self) -> None:
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        if self.identity and not self._is_our_file():
            self._keep_log_apart()
        self._engine.dispose()

    def _write(self, work: Work[T]) -> T:
        if self.failed:
            raise StorageError("the disk failed to keep a write; check it and restart the stack")
        try:
            with self._writing() as conn, conn.begin():
                self._check_identity()
                return work(conn)
        except DBAPIError as error:
            # After a failed flush the system may drop the pages and report success next time.
            self.failed = _sqlite_name(error.orig) in _SQLITE_UNFLUSHED
            raise sqlite_failure(error) from error
        except PoolTimeoutError as error:
            raise StorageError("the database is busy; try again") from error

    def _copy_to(self, path: Path) -> None:
        try:
            with closing(self._engine.raw_connection()) as raw:
                raw.cursor().execute("VACUUM INTO ?", (str(path),))
        except sqlite3.Error as error:
            raise sqlite_failure(error) from error

    def _writing(self) -> Connection:
        return self._engine.connect().execution_options(**{_WRITE_OPTION: True})

    def _read(self, work: Work[T]) -> T:
        try:
            with self._engine.connect() as conn, conn.begin():
                return work(conn)
        except DBAPIError as error:
            raise sqlite_failure(error) from error
        except PoolTimeoutError as error:
            raise StorageError("the database is busy; try again") from error

    def _check_identity(self) -> None:
        if self.identity and not self._is_our_file():
            raise RuntimeIdentityMismatchError(
                "the database file was replaced while this process ran; restart the stack"
            )

    def _is_our_file(self) -> bool:
        # A file swapped under a running process must never take a write (FAULTS F38). Renamed
        # over, its inode differs; copied over, only its bytes do, and the open connections'
        # caches hide that. So whenever the file changed, a fresh connection reads its id.
        try:
            state = self.path.stat()
        except FileNotFoundError:
            return False
        seen = (state.st_ino, state.st_mtime_ns, state.st_size)
        if seen == self._seen:
            return True
        renamed = self._seen is not None and self._seen[0] != state.st_ino
        if renamed or not state.st_size or _identity_on_disk(self.path) != self.identity:
            return False
        self._seen = seen
        return True

    def _keep_log_apart(self) -> None:
        # SQLite's last connection folds the log into the file and removes it, by their names.
        # Another file bears the name now (FAULTS F38), so one connection stays open until the
        # process ends, when the system closes it without a word.
        connection = self._engine.raw_connection()
        connection.detach()
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))

    def _checkpoint(self) -> None:
        # Only this call moves pages out of the log, and TRUNCATE holds the write lock while
        # it does: SQLite before 3.51.3 can lose commits when a writer restarts the log
        # during another connection's passive checkpoint.
        if self.identity and not self._is_our_file():
            return  # the next write says so; folding our log in would damage that file
        try:
            raw = self._engine.raw_connection()
        except sqlite3.Error:
            return
        try:
            cursor = raw.cursor()
            cursor.execute(f"PRAGMA busy_timeout={_CHECKPOINT_BUSY_MS}")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.fetchall()
            cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
            cursor.close()
        except sqlite3.Error:
            return  # busy, full or failing: the log keeps everything, the next round tries again
        finally:
            raw.close()


_SSL_MODES = frozenset({"disable", "allow", "prefer", "require", "verify-ca", "verify-full"})


def _asyncpg_url(url: str) -> tuple[URL, str | None]:
    """The URL as asyncpg takes it, and libpq's ``sslmode``, which it takes beside it.

    Raises ConfigurationError, without the URL's words, where it is none.
    """
    try:
        parsed = make_url(url).set(drivername="postgresql+asyncpg")
    except (ArgumentError, ValueError):
        raise ConfigurationError(
            "JOBSTEWARD_DATABASE_URL is no URL; write postgresql://user:password@host:5432/name"
        ) from None
    mode = parsed.query.get("sslmode")
    if mode is not None and mode not in _SSL_MODES:
        raise ConfigurationError(
            f"sslmode in JOBSTEWARD_DATABASE_URL must be one of {', '.join(sorted(_SSL_MODES))}"
        )
    return parsed.difference_update_query(["sslmode"]), str(mode) if mode else None


class PostgresDatabase(Database):
    """A PostgreSQL database through asyncpg."""

    dialect = "postgresql"

    def __init__(self, url: str) -> None:
        self.url, ssl = _asyncpg_url(url)
        self._engine: AsyncEngine = create_async_engine(
            self.url,
            json_serializer=canonical_json,
            connect_args={"ssl": ssl} if ssl else {},
            pool_size=10,
            max_overflow=10,
        )

    async def write(self, work: Work[T]) -> T:
        for attempt in range(1, _PG_RETRIES + 1):
            try:
                async with self._engine.begin() as conn:
                    return await conn.run_sync(self._guarded, work)
            except DBAPIError as error:
                if _sqlstate(error) in _PG_RETRIED and attempt < _PG_RETRIES:
                    continue
                raise _postgres_failure(error) from error
            except (OSError, PoolTimeoutError) as error:
                raise StorageError("PostgreSQL does not answer; start it and retry") from error
        raise AssertionError("unreachable")

    async def read(self, work: Work[T]) -> T:
        try:
            async with self._engine.connect() as conn:
                await conn.execution_options(isolation_level="REPEATABLE READ")
                return await conn.run_sync(work)
        except DBAPIError as error:
            raise _postgres_failure(error) from error
        except (OSError, PoolTimeoutError) as error:
            raise StorageError("PostgreSQL does not answer; start it and retry") from error

    async def checkpoint(self) -> None:
        """Nothing: PostgreSQL checkpoints by itself."""

    async def close(self) -> None:
        await self._engine.dispose()

    def _guarded(self, conn: Connection, work: Work[T]) -> T:
        if self.identity and stored_identity(conn) != self.identity:
            raise RuntimeIdentityMismatchError(
                "the database behind JOBSTEWARD_DATABASE_URL changed; restart the stack"
            )
        return work(conn)


def sqlite_engine(path: Path) -> Engine:
    """A synchronous engine over the file, with our pragmas and transaction modes."""
    engine = create_engine(
        f"sqlite:///{path}",
        json_serializer=canonical_json,
        connect_args={"check_same_thread": False, "timeout": _BUSY_TIMEOUT_MS / 1000},
        pool_size=_READERS + 2,
    )

    @event.listens_for(engine, "connect")
    def on_connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the library's own BEGIN loses updates silently
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA wal_autocheckpoint=0")
        cursor.execute("PRAGMA cache_size=-16000")
        cursor.close()

    @event.listens_for(engine, "begin")
    def on_begin(conn: Connection) -> None:
        writes = conn.get_execution_options().get(_WRITE_OPTION, False)
        conn.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def create_sqlite_file(path: Path) -> None:
    """An empty database file of ours, mode 0600, where there is none yet.

    A crash in between leaves no file, never an empty one. Raises ConfigurationError where the
    folder takes no file, StorageFullError where it has no room for one.
    """
    if path.exists():
        return
    draft = path.with_name(f".{path.name}.new")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(draft)) as connection:
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.commit()
        draft.replace(path)
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be made ({error.strerror}); give this user write access to its folder"
        ) from None
    except sqlite3.Error as error:
        raise sqlite_failure(error) from error


def connect_read_only(path: Path, timeout: float = _BUSY_TIMEOUT_MS / 1000) -> sqlite3.Connection:
    """A connection that can change nothing in the file and leaves no file beside it.

    ``timeout`` is how many seconds it waits for a lock.
    """
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=timeout)


def _identity_on_disk(path: Path) -> str:
    try:
        with closing(connect_read_only(path)) as connection:
            row = connection.execute("SELECT database_id FROM store_identity").fetchone()
    except sqlite3.Error as error:
        if _sqlite_name(error) in _OTHER_FILE:
            return ""
        raise sqlite_failure(error) from error
    return row[0] if row else ""


def stored_identity(conn: Connection) -> str:
    """The id in ``store_identity``, or "" where the database has none."""
    try:
        row = conn.execute(text("SELECT database_id FROM store_identity")).first()
    except DBAPIError as error:
        # Only a missing table means "none": any other failure is the database's, not its id's.
        if _sqlstate(error) == _PG_NO_TABLE or _sqlite_name(error.orig) == "SQLITE_ERROR":
            return ""
        raise
    return row[0] if row else ""


def lock(conn: Connection, key: str) -> None:
    """Hold ``key`` until the transaction ends, so that check-then-act is one step.

    SQLite's BEGIN IMMEDIATE already excludes every other writer.
    """
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": key})


def insert_or_ignore(conn: Connection, table: Table, rows: list[dict[str, Any]]) -> int:
    """Insert the rows whose unique keys are free; returns how many went in."""
    if not rows:
        return 0
    statement = _ignoring(conn.dialect.name, table)
    return len(conn.execute(statement, rows).all())  # a batch's rowcount is not always known


def upsert(conn: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert the rows, or update the other columns where the primary key stands.

    Never INSERT OR REPLACE, which deletes whatever else conflicts (DOM-5).
    """
    if rows:
        conn.execute(_updating(conn.dialect.name, table, tuple(rows[0])), rows)


@lru_cache
def _ignoring(dialect: str, table: Table) -> Any:
    return _insert(dialect, table).on_conflict_do_nothing().returning(*table.primary_key)


@lru_cache
def _updating(dialect: str, table: Table, names: tuple[str, ...]) -> Any:
    statement = _insert(dialect, table)
    keys = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in names if name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=changed)


def _insert(dialect: str, table: Table) -> Any:
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


_SQLITE_FULL = frozenset({"SQLITE_FULL", "SQLITE_IOERR_WRITE_FULL"})
_OTHER_FILE = frozenset({"SQLITE_ERROR", "SQLITE_NOTADB", "SQLITE_CORRUPT"})
_PG_NO_TABLE = "42P01"
_SQLITE_DENIED = (
    "SQLITE_IOERR",
    "SQLITE_CANTOPEN",
    "SQLITE_READONLY",
    "SQLITE_PERM",
    "SQLITE_PROTOCOL",
    "SQLITE_NOLFS",
)
_SQLITE_UNFLUSHED = frozenset({"SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC"})
_PG_AWAY = ("08", "53", "57", "58")
"""SQLSTATE classes: connection, resources, operator intervention, system error."""


def sqlite_failure(error: sqlite3.Error | DBAPIError) -> JobstewardError:
    """What an error of SQLite means to us; raises the error itself where it is a fault of ours."""
    name = _sqlite_name(error.orig if isinstance(error, DBAPIError) else error)
    if name in _SQLITE_FULL:
        return StorageFullError("the disk is full; free some space, nothing was lost")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return ConfigurationError("the database is damaged; restore the newest backup")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StorageError("the database is busy; try again")
    if name.startswith(_SQLITE_DENIED):
        return StorageError("the database file cannot be written; check disk and permissions")
    raise error


def _sqlite_name(error: BaseException | None) -> str:
    return getattr(error, "sqlite_errorname", "") or ""


def _sqlstate(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlstate", "") or ""


def _postgres_failure(error: DBAPIError) -> JobstewardError:
    state = _sqlstate(error)
    if state == "53100":
        return StorageFullError("the PostgreSQL server's disk is full; free some space")
    if error.connection_invalidated or state in _PG_RETRIED or state.startswith(_PG_AWAY):
        return StorageError("PostgreSQL does not answer; try again")
    if state == "25006":
        return StorageError("PostgreSQL is read-only; check which server the URL names")
    if state in {"XX001", "XX002"}:
        return ConfigurationError("the PostgreSQL database is damaged; restore the newest backup")
    if state.startswith(("28", "3D", "42501")):
        return ConfigurationError(
            "PostgreSQL does not let us in; mend user, password and database name in"
            " JOBSTEWARD_DATABASE_URL, or grant the user its rights"
        )
    raise error
