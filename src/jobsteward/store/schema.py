"""Bringing a database to the schema of this code, once, behind a lock (DOM-5, SEC-9)."""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, String, Table, inspect, select, text

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.store.engine import (
    APPLICATION_ID,
    METADATA,
    Database,
    create_sqlite_file,
    insert_or_ignore,
    lock,
    open_database,
    stored_identity,
)

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
    if database.dialect == "sqlite":
        with _file_lock(home / "migrate.lock"):
            path = Path(url.removeprefix("sqlite:///"))
            create_sqlite_file(path)
            check_sqlite_file(path)
            await _migrate_and_identify(database)
    else:
        await _migrate_and_identify(database)
    return database


async def _migrate_and_identify(database: Database) -> None:
    revision = await database.read(current_revision)
    refuse_newer(revision)
    if revision != HEAD:
        await database.write(upgrade)
    identity = await database.write(_identify)
    if revision != HEAD:
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
    """Refuse a damaged, foreign or readable-by-others file (SEC-9, FAULTS F36, F37)."""
    if not os.access(path, os.R_OK | os.W_OK):
        raise ConfigurationError(f"{path} cannot be written; give it to the user running this")
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"{path} can be read by others; run: chmod 600 {path}")
    if path.stat().st_size == 0:
        raise ConfigurationError(f"{path} is empty; restore the newest backup or remove the file")
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise ConfigurationError(
            f"{path} is damaged; run: jobsteward restore with the newest backup"
        ) from error
    if application != APPLICATION_ID:
        raise ConfigurationError(
            f"{path} belongs to another program; choose another JOBSTEWARD_HOME"
        )
    if verdict != "ok":
        raise ConfigurationError(
            f"{path} is damaged; run: jobsteward restore with the newest backup"
        )


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


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be opened ({error.strerror}); give this user write access to it"
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
