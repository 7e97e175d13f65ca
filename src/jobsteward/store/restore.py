"""Putting a backup in the place of a store: checked first, whole or not at all, undoable.

The replaced database is kept: as ``replaced/TIME`` in the app directory on SQLite, as a
schema ``replaced_TIME`` on PostgreSQL. Artefacts are immutable and named by their content,
so that missing ones are added and none is removed.
"""

import asyncio
import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConfigurationError, ConflictError
from jobsteward.settings import Settings
from jobsteward.store.backup import file_failure, verify
from jobsteward.store.engine import open_database, stored_identity
from jobsteward.store.manifest import (
    ARTEFACT_FOLDER,
    DATABASE_FILE,
    Manifest,
    copy_durably,
    folder_name,
    sha256_of,
    sync_folder,
)
from jobsteward.store.portable import copy_rows, count_rows, reading
from jobsteward.store.schema import check_sqlite_file, migration_lock, upgrade

REPLACED_FOLDER = "replaced"
_LOG_SUFFIXES = ("-wal", "-shm", "-journal")
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND coalesce(backend_type, 'client backend') = 'client backend'"
)
_OUR_FUNCTIONS = text(
    "SELECT oid::regprocedure::text FROM pg_proc"
    " WHERE pronamespace = current_schema()::regnamespace"
    " AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')"
)


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored; ``replaced`` says where the database before it is kept, "" for none."""

    manifest: Manifest
    replaced: str


async def restore(settings: Settings, source: Path) -> Restored:
    """Make the backup in ``source`` the store of these settings.

    The caller holds the app directory, so that no stack runs. Identity and tokens are those
    of the backup, and an older schema is migrated by the next start. Raises
    ConfigurationError for a spoilt or newer backup, ConflictError while another process has
    the database open, StorageFullError, StorageError; the store is as before then.
    """
    manifest = await asyncio.to_thread(verify, source)
    try:
        await asyncio.to_thread(_restore_artefacts, source, settings.artefacts, manifest)
        if settings.database_url is None:
            async with migration_lock(settings.home):
                replaced = await asyncio.to_thread(_restore_file, settings, source, manifest)
        else:
            replaced = await _restore_rows(settings.store_url, source, manifest)
    except OSError as error:
        raise file_failure(error, settings.home) from error
    return Restored(manifest, replaced)


def _restore_artefacts(source: Path, store: Path, manifest: Manifest) -> None:
    store.mkdir(mode=0o700, exist_ok=True)
    for file, digest in manifest.files.items():
        name = file.removeprefix(f"{ARTEFACT_FOLDER}/")
        target = store / name
        if name == file or (target.is_file() and sha256_of(target) == digest):
            continue
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _place(source / file, target, digest)
        sync_folder(target.parent)


def _restore_file(settings: Settings, source: Path, manifest: Manifest) -> str:
    path = settings.sqlite_path
    staged = path.with_name(f".{path.name}.restoring")
    _stage(source / DATABASE_FILE, staged, manifest.files[DATABASE_FILE])
    replaced = _set_aside(path, settings.home / REPLACED_FOLDER)
    failpoints.reach("restore.before_replace")
    staged.replace(path)
    failpoints.reach("restore.replaced")
    sync_folder(settings.home)
    check_sqlite_file(path)
    with reading(path) as conn:
        _compare(conn, manifest)
    return str(replaced or "")


def _stage(source: Path, staged: Path, digest: str) -> None:
    staged.unlink(missing_ok=True)
    if copy_durably(source, staged) != digest:
        staged.unlink()
        raise ConfigurationError(f"{source} changed while it was read; use another backup")


def _place(source: Path, target: Path, digest: str) -> None:
    staged = target.with_name(f".{target.name}.restoring")
    _stage(source, staged, digest)
    staged.replace(target)


def _set_aside(path: Path, folder: Path) -> Path | None:
    """Keep the present database under a second name; afterwards no log of it is left here.

    A log that stayed behind would be folded into the restored file.
    """
    files = [path, *(path.with_name(path.name + suffix) for suffix in _LOG_SUFFIXES)]
    if path.exists():
        _fold_log(path)
    present = [file for file in files if file.exists()]
    if not present:
        return None
    aside = folder / folder_name(timestamp(utc_now()))
    aside.mkdir(mode=0o700, parents=True)
    for file in present:
        os.link(file, aside / file.name)
    sync_folder(aside)
    sync_folder(folder)
    for file in present:
        if file != path:
            file.unlink()
    return aside


def _fold_log(path: Path) -> None:
    """Bring the log into the file, alone with it. Raises ConflictError where we are not."""
    try:
        with closing(sqlite3.connect(path, timeout=1.0, isolation_level=None)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.Error as error:
        if error.sqlite_errorname.startswith("SQLITE_BUSY"):
            raise ConflictError(
                f"another process has {path} open; stop the stack and every jobsteward command"
            ) from None
        # A damaged or full one is kept as it is, its log beside it.


async def _restore_rows(url: str, source: Path, manifest: Manifest) -> str:
    database = open_database(url)
    try:
        return await database.write(lambda conn: _replace_tables(conn, source, manifest))
    finally:
        await database.close()


def _replace_tables(conn: Connection, source: Path, manifest: Manifest) -> str:
    """All in one transaction: the tables of now move to another schema, the backup's come."""
    if conn.scalar(_OTHERS):
        raise ConflictError(
            "others are connected to the PostgreSQL database; stop every host's jobsteward"
        )
    aside = _move_aside(conn)
    upgrade(conn, manifest.schema_revision)
    with reading(source / DATABASE_FILE) as rows:
        copy_rows(rows, conn)
    failpoints.reach("restore.before_replace")
    _compare(conn, manifest)
    return aside


def _move_aside(conn: Connection) -> str:
    """The new schema that now holds all tables and the functions of their triggers."""
    tables = inspect(conn).get_table_names()
    if not tables:
        return ""
    aside = f"replaced_{utc_now():%Y%m%d_%H%M%S_%f}"
    functions = conn.scalars(_OUR_FUNCTIONS).all()
    conn.execute(text(f"CREATE SCHEMA {aside}"))
    for table in tables:
        conn.execute(text(f'ALTER TABLE "{table}" SET SCHEMA {aside}'))
    for function in functions:
        conn.execute(text(f"ALTER FUNCTION {function} SET SCHEMA {aside}"))
    return aside


def _compare(conn: Connection, manifest: Manifest) -> None:
    if stored_identity(conn) != manifest.database_id or count_rows(conn) != manifest.tables:
        raise ConfigurationError("the restored database differs from the backup; restore again")
