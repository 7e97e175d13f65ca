"""Bringing a database to the schema of this code, once, behind a lock (DOM-5, SEC-9)."""

import asyncio
import fcntl
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, String, Table, inspect, select, text

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.store.engine import (
    APPLICATION_ID,
    METADATA,
    SQLITE_SCHEME,
    Database,
    connect_read_only,
    create_sqlite_file,
    insert_or_ignore,
    lock,
    open_database,
    sqlite_failure,
    stored_identity,
)
from jobsteward.store.manifest import BACKUP_FOLDER, newest_backup

MIGRATIONS = Path(__file__).parent / "migrations"
REVISIONS = tuple(
    sorted(path.name.split("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
)
HEAD = REVISIONS[-1]

STORE_IDENTITY = Table(
    "store_identity",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("database_id", String, nullable=False),
    Column("created_at", String, nullable=False),
)


async def prepare_database(url: str, home: Path) -> Database:
    """The open database at this code's schema, created or migrated if need be.

    Several processes may call this at once: one migrates, the others wait for it. Raises
    ConfigurationError, with the remedy, for a damaged, foreign or newer database.
    """
    database = open_database(url)
    async with AsyncExitStack() as on_failure:
        on_failure.push_async_callback(database.close)
        if database.dialect == "sqlite":
            async with migration_lock(home):
                path = Path(url.removeprefix(SQLITE_SCHEME))
                create_sqlite_file(path)
                check_sqlite_file(path)
                await _migrate_and_identify(database)
        else:
            await _migrate_and_identify(database)
        on_failure.pop_all()
    return database


async def _migrate_and_identify(database: Database) -> None:
    revision = await database.read(current_revision)
    refuse_newer(revision)
    if revision != HEAD:
        await database.write(upgrade)
    known = await database.read(stored_identity)
    identity = known or await database.write(_identify)
    if not known:
        # Whoever checks the file's id later (FAULTS F38) must find it in the file itself.
        await database.checkpoint()
    database.identity = identity


def current_revision(conn: Connection) -> str | None:
    """The schema revision that the database stands at, None for an empty one."""
    if not inspect(conn).has_table("alembic_version"):
        return None
    revision: str | None = conn.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def refuse_newer(revision: str | None) -> None:
    """Raise ConfigurationError for a schema that this code does not know."""
    if revision is not None and revision not in REVISIONS:
        raise ConfigurationError(
            f"the database has schema {revision}, newer than this version's {HEAD}; "
            "install the newer jobsteward or restore an older backup"
        )


def upgrade(conn: Connection, revision: str = "head") -> None:
    """Apply revisions up to the given one, in the caller's transaction."""
    lock(conn, "migrate")
    command, config = _alembic(conn)
    command.upgrade(config, revision)


def downgrade(conn: Connection, revision: str) -> None:
    """Undo revisions down to the given one (``base`` for all)."""
    command, config = _alembic(conn)
    command.downgrade(config, revision)


def check_sqlite_file(path: Path) -> None:
    """Refuse a damaged, foreign or readable-by-others file (SEC-9, FAULTS F36, F37).

    Raises ConfigurationError, which names the newest backup of the app directory.
    """
    if not os.access(path, os.R_OK | os.W_OK):
        raise ConfigurationError(f"{path} cannot be written; give it to the user running this")
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"{path} can be read by others; run: chmod 600 {path}")
    newest = newest_backup(path.parent / BACKUP_FOLDER)
    if path.stat().st_size == 0:
        remedy = f"run: jobsteward restore {newest}" if newest else "restore the newest backup"
        raise ConfigurationError(f"{path} is empty; {remedy}, or remove the file")
    if not is_sound(path):
        remedy = str(newest) if newest else "with the newest backup"
        raise ConfigurationError(f"{path} is damaged; run: jobsteward restore {remedy}")
    if not is_ours(path):
        raise ConfigurationError(
            f"{path} belongs to another program; choose another JOBSTEWARD_HOME"
        )


def is_sound(path: Path) -> bool:
    """Whether every page of the SQLite file reads well; 40 ms for 5 MB."""
    return _pragma(path, "quick_check(1)") == "ok"


def is_ours(path: Path) -> bool:
    """Whether the SQLite file bears our mark."""
    return _pragma(path, "application_id") == APPLICATION_ID


def _pragma(path: Path, name: str) -> object:
    try:
        with closing(connect_read_only(path)) as connection:
            return connection.execute(f"PRAGMA {name}").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise sqlite_failure(error) from error
    except sqlite3.DatabaseError:
        return None  # not readable as a database at all


def _identify(conn: Connection) -> str:
    known = stored_identity(conn)
    if known:
        return known
    row = {"id": 1, "database_id": secrets.token_hex(8), "created_at": timestamp(utc_now())}
    insert_or_ignore(conn, STORE_IDENTITY, [row])
    stored: str = conn.scalars(select(STORE_IDENTITY.c.database_id)).one()
    return stored


def _alembic(conn: Connection) -> tuple[Any, Any]:
    # Alembic is slow to import, and only a changed schema needs it.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = conn
    return command, config


@asynccontextmanager
async def migration_lock(home: Path) -> AsyncIterator[None]:
    """Exclude every other process and task that migrates or replaces this database."""
    try:
        descriptor = os.open(home / "migrate.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"{home} cannot be written; give it to the user running this"
        ) from error
    try:
        # In a thread: the holder may be another task of this very loop.
        await asyncio.to_thread(fcntl.flock, descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
