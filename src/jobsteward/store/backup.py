"""Backups of a live store: one folder with a SQLite file, the artefacts and a manifest.

The database part is a SQLite file for both databases. SQLite writes it itself (VACUUM INTO);
PostgreSQL's rows are copied in one REPEATABLE READ snapshot. So no client programs of
PostgreSQL are needed, one check fits every backup, and a backup of one database restores
into the other.

A backup is built under a hidden name, checked, flushed and then renamed: under its final
name it is whole (FAULTS F40). Temporal's own database is not part of it, nor are the secrets
in the app directory's token files; the tokens themselves are in the database, as hashes.
"""

import asyncio
import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from jobsteward import __version__
from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import (
    ConfigurationError,
    JobstewardError,
    StorageError,
    StorageFullError,
)
from jobsteward.settings import Settings
from jobsteward.store.engine import (
    Database,
    SqliteDatabase,
    create_sqlite_file,
    open_database,
    sqlite_engine,
    stored_identity,
)
from jobsteward.store.manifest import (
    ARTEFACT_FOLDER,
    BACKUP_FOLDER,
    DATABASE_FILE,
    FORMAT,
    MANIFEST_FILE,
    Manifest,
    copy_durably,
    folder_name,
    read_manifest,
    sha256_of,
    sync_folder,
)
from jobsteward.store.portable import copy_rows, count_rows, reading
from jobsteward.store.schema import current_revision, is_ours, is_sound, refuse_newer, upgrade

_DRAFT_SUFFIX = ".partial"
_SHA256_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup. ``damaged`` names artefacts that were already spoilt in the store."""

    path: Path
    manifest: Manifest
    damaged: tuple[str, ...] = ()


async def backup(settings: Settings, destination: Path | None = None) -> Backup:
    """A verified backup in ``destination``, while the stack goes on working (DOM-5).

    Without a destination it becomes a folder of the app directory's ``backups``, named by
    the time. Raises ConfigurationError where there is nothing to back up or the destination
    exists, StorageFullError where it has no room; nothing is left under the final name then.
    """
    created_at = timestamp(utc_now())
    target = (destination or settings.home / BACKUP_FOLDER / folder_name(created_at)).absolute()
    if target.exists():
        raise ConfigurationError(f"{target} exists; name a folder that does not exist yet")
    if settings.database_url is None and not settings.sqlite_path.exists():
        raise ConfigurationError(f"{settings.home} holds no database; start jobsteward up first")
    database = open_database(settings.store_url)
    try:
        with _draft(target) as draft:
            await _copy_database(database, draft / DATABASE_FILE)
            failpoints.reach("backup.database_copied")
            done = await asyncio.to_thread(
                _complete, settings.artefacts, draft, created_at, database.dialect
            )
            failpoints.reach("backup.before_rename")
            draft.rename(target)
            sync_folder(target.parent)
    except OSError as error:
        raise file_failure(error, target) from error
    finally:
        await database.close()
    return Backup(target, done.manifest, done.damaged)


def verify(path: Path) -> Manifest:
    """The manifest of a backup, all of whose bytes were just checked against it.

    Raises ConfigurationError where a file is missing, added or changed, where the database
    inside is damaged, or where this version does not know its schema.
    """
    manifest = read_manifest(path)
    try:
        found = {name: sha256_of(path / name) for name in _files_in(path) if name != MANIFEST_FILE}
    except OSError as error:
        raise file_failure(error, path) from error
    changed = sorted(dict(found.items() ^ manifest.files.items()))
    if changed:
        raise ConfigurationError(
            f"{path} is not as it was written ({len(changed)} files differ); use another backup"
        )
    refuse_newer(manifest.schema_revision)
    if _facts(path / DATABASE_FILE) != _promised(manifest):
        raise ConfigurationError(f"{path} holds another database than it says; use another backup")
    return manifest


async def _copy_database(database: Database, path: Path) -> None:
    revision = await database.read(current_revision)
    refuse_newer(revision)
    if revision is None:
        raise ConfigurationError("the database is empty; start jobsteward up first")
    if isinstance(database, SqliteDatabase):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        await database.copy_to(path)
    else:
        await database.read(lambda conn: _export(conn, revision, path))


def _export(source: Connection, revision: str, path: Path) -> None:
    create_sqlite_file(path)
    engine = sqlite_engine(path)
    try:
        with engine.begin() as target:
            upgrade(target, revision)
            copy_rows(source, target)
    finally:
        engine.dispose()
    # One file: no log beside it, and none when it is opened to be read.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def _complete(artefacts: Path, draft: Path, created_at: str, source: str) -> Backup:
    """Add artefacts and manifest to a draft that holds a database, and flush everything."""
    database_id, revision, tables = _facts(draft / DATABASE_FILE)
    _flush(draft / DATABASE_FILE)
    files = {DATABASE_FILE: sha256_of(draft / DATABASE_FILE)}
    copied = _copy_artefacts(artefacts, draft / ARTEFACT_FOLDER)
    files |= {f"{ARTEFACT_FOLDER}/{name}": digest for name, digest in copied.items()}
    manifest = Manifest(
        FORMAT, __version__, created_at, database_id, revision, source, tables, files
    )
    (draft / MANIFEST_FILE).touch(mode=0o600)
    (draft / MANIFEST_FILE).write_text(manifest.to_json(), "utf-8")
    _flush(draft / MANIFEST_FILE)
    sync_folder(draft)
    damaged = tuple(
        name for name, digest in copied.items() if len(name) == _SHA256_LENGTH and name != digest
    )
    return Backup(draft, manifest, damaged)


def _copy_artefacts(store: Path, target: Path) -> dict[str, str]:
    """Name → sha256 of what was copied. The snapshot came first, so its files are all there."""
    target.mkdir(mode=0o700)
    copied = {}
    for name in _files_in(store) if store.exists() else ():
        (target / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            copied[name] = copy_durably(store / name, target / name)
        except FileNotFoundError:
            continue  # erased meanwhile
    for folder in (target, *(path for path in target.rglob("*") if path.is_dir())):
        sync_folder(folder)
    return copied


def _files_in(folder: Path) -> list[str]:
    """Relative names of the plain files, without drafts and links."""
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if not path.name.startswith(".") and path.is_file() and not path.is_symlink()
    )


def _facts(path: Path) -> tuple[str, str, dict[str, int]]:
    if not (is_sound(path) and is_ours(path)):
        raise ConfigurationError(f"the copy in {path.parent} is damaged; make another backup")
    with reading(path) as conn:
        return stored_identity(conn), current_revision(conn) or "", count_rows(conn)


def _promised(manifest: Manifest) -> tuple[str, str, dict[str, int]]:
    return manifest.database_id, manifest.schema_revision, dict(manifest.tables)


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """A private folder beside the target; gone again unless it was renamed.

    A killed backup leaves its draft behind; the next one to the same place removes it.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in target.parent.glob(f".*{_DRAFT_SUFFIX}"):
        if not _is_held(left):
            shutil.rmtree(left)
    draft = target.with_name(f".{target.name}{_DRAFT_SUFFIX}")
    try:
        draft.mkdir(mode=0o700)
    except FileExistsError:
        raise ConfigurationError(f"another backup to {target} runs; wait for it") from None
    descriptor = os.open(draft, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield draft
    finally:
        os.close(descriptor)
        shutil.rmtree(draft, ignore_errors=True)


def _is_held(draft: Path) -> bool:
    descriptor = os.open(draft, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_failure(error: OSError, place: Path) -> JobstewardError:
    """What a failed file operation in ``place`` means: no room, no access, or a failing disk."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return StorageFullError(f"there is no room at {place}; free some space or name another")
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR}:
        return ConfigurationError(
            f"{place} cannot be used ({error.strerror}); give this user access or name another"
        )
    return StorageError(f"{place} cannot be read or written ({error.strerror}); check the disk")
