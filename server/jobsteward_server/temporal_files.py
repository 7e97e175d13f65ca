"""The embedded Temporal server's file, and whether it may be opened.

The server creates its schema only when the file is absent, never migrates it and does not
notice damage. So a marker beside the file says that a first start went all the way, with
which version and for which cluster; everything here runs while no server does.
"""

import json
import logging
import secrets
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from jobsteward.kernel.errors import ConfigurationError
from jobsteward_server.app_directory import check_writable, write_private

log = logging.getLogger(__name__)

DATABASE_FILE = "temporal.db"
MARKER_FILE = "temporal.db.ready"
_COMPANIONS = ("", "-wal", "-shm")
_BUSY_DEADLINE = 10.0
_BUSY = "SQLITE_BUSY"
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ")
"""Beginnings of SQLite's error names. A full disk is another matter: the file is sound."""


@dataclass(frozen=True, slots=True)
class Marker:
    """Written after the first healthy start: whose file this is."""

    version: str
    cluster_id: str
    namespace: str


class TemporalFiles:
    """The database file of one app directory and its marker."""

    def __init__(self, home: Path) -> None:
        self.database = home / DATABASE_FILE
        self._marker = home / MARKER_FILE

    def prepare(self, version: str) -> Marker | None:
        """Leave a file that the server of this version can open, or none at all.

        A file without a marker was never served from: it is set aside. One of another
        version is copied first, because going back needs the old bytes. Returns the marker
        of the file that is there, None for a first start. Raises ConfigurationError on a
        damaged, busy or read-only file, with what to do (SEC-9).
        """
        check_writable(self.database, self._marker)
        marker = self.marker()
        if not self.database.exists():
            self._forget(marker)
            return None
        if marker is None:
            self._set_aside()
            return None
        self._check_sound()
        if marker.version != version:
            self._copy(marker.version, version)
        return marker

    def marker(self) -> Marker | None:
        """What the marker says, None when there is none."""
        try:
            return Marker(**json.loads(self._marker.read_text("utf-8")))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError):
            raise ConfigurationError(
                f"{self._marker} is not readable: restore it, or move {self.database} away to"
                " begin with an empty one"
            ) from None

    def mark(self, marker: Marker) -> None:
        """Record that the file is complete and whose it is."""
        write_private(self._marker, json.dumps(asdict(marker), indent=2) + "\n")

    def _forget(self, marker: Marker | None) -> None:
        if marker is not None:
            log.warning("%s is gone: starting with an empty one", self.database)
            self._marker.unlink()

    def _set_aside(self) -> None:
        number = 1
        while self.database.with_name(f"{DATABASE_FILE}.unfinished-{number}").exists():
            number += 1
        target = self.database.with_name(f"{DATABASE_FILE}.unfinished-{number}")
        for companion in reversed(_COMPANIONS):
            source = _beside(self.database, companion)
            if source.exists():
                source.rename(_beside(target, companion))
        log.warning("a first start was cut short: its file is now %s", target)

    def _copy(self, old: str, new: str) -> None:
        target = self.database.with_name(f"{DATABASE_FILE}.{old}")
        for companion in _COMPANIONS:
            source = _beside(self.database, companion)
            if source.exists():
                shutil.copy2(source, _beside(target, companion))
        log.warning("Temporal %s opens a file of %s: a copy is at %s", new, old, target)

    def _check_sound(self) -> None:
        """Raise ConfigurationError unless SQLite finds the file whole."""
        deadline = time.monotonic() + _BUSY_DEADLINE
        while True:
            try:
                if quick_check(self.database) == "ok" and _has_schema(self.database):
                    return
            except sqlite3.DatabaseError as error:
                reason = error.sqlite_errorname
                if reason.startswith(_BUSY) and time.monotonic() < deadline:
                    time.sleep(0.1)
                    continue
                if not reason.startswith(_DAMAGE):
                    raise self._unusable(reason) from None
            raise self._damaged()

    def _unusable(self, reason: str) -> ConfigurationError:
        if reason.startswith(_BUSY):
            return ConfigurationError(
                f"another process holds {self.database}: stop that Temporal server"
            )
        return ConfigurationError(
            f"{self.database} cannot be read now ({reason}): check disk space and permissions"
        )

    def _damaged(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.database} is damaged: put a good copy in its place, or move it and"
            f" {self._marker.name} away to begin with an empty one (accepted executions stay in"
            " the jobsteward database)"
        )


def new_namespace() -> str:
    """A name that only one app directory's server knows.

    A client that reaches a stranger's server on our port finds no such namespace there.
    """
    return f"jobsteward-{secrets.token_hex(6)}"


def quick_check(path: Path) -> str:
    """SQLite's own verdict on the file, ``ok`` when sound; writes nothing to the database.

    Raises sqlite3.DatabaseError when the file is locked or cannot be read at all.
    """
    with closing(_open_read_only(path)) as connection:
        return str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])


def _has_schema(path: Path) -> bool:
    # SQLite calls an empty file sound, and the server never adds its tables to one.
    query = "SELECT count(*) FROM sqlite_master WHERE name = 'namespaces'"
    with closing(_open_read_only(path)) as connection:
        return bool(connection.execute(query).fetchone()[0])


def _open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)


def _beside(path: Path, companion: str) -> Path:
    return path.with_name(path.name + companion)
