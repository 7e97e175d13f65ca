"""What every test can ask for: an app directory, settings, and a fresh database of either kind."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest

from jobsteward.library import PROJECTIONS, Library, open_library
from jobsteward.settings import Settings
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog
from jobsteward.store.projector import Projector
from jobsteward.store.schema import prepare_database
from tests.support.postgres import PostgresServer, start_postgres

_KEPT = {"JOBSTEWARD_CORPUS", "JOBSTEWARD_PROVE", "JOBSTEWARD_TEST_MODE"}
for _name in [name for name in os.environ if name.startswith("JOBSTEWARD_")]:
    if _name not in _KEPT:
        del os.environ[_name]  # a developer's own stack must not leak into a test


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--store postgresql`` runs the tests of ``library`` on PostgreSQL (DOM-1)."""
    parser.addoption("--store", choices=("sqlite", "postgresql"), default="sqlite")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests run on asyncio, as the product does."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[PostgresServer]:
    """One PostgreSQL server for all test processes of this run."""
    own = tmp_path_factory.getbasetemp()
    with start_postgres(own if worker_id == "master" else own.parent) as server:
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file without an identity, to copy instead of migrating again."""
    home = tmp_path_factory.mktemp("template")
    path = home / "jobsteward.db"
    anyio.run(_migrate, f"sqlite:///{path}", home)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty app directory, mode 0700."""
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def sqlite_url(home: Path, sqlite_template: Path) -> str:
    """A migrated SQLite database of its own in the app directory."""
    path = home / "jobsteward.db"
    shutil.copy(sqlite_template, path)
    path.chmod(0o600)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A migrated PostgreSQL database of its own, dropped afterwards."""
    server: PostgresServer = request.getfixturevalue("postgres")
    name = server.create_database()
    yield server.url(name)
    server.drop_database(name)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest) -> str:
    """A migrated database, once of each kind."""
    url: str = request.getfixturevalue(
        "sqlite_url" if request.param == "sqlite" else "postgres_url"
    )
    return url


@pytest.fixture
async def database(store_url: str, home: Path) -> AsyncIterator[Database]:
    """An open, migrated database, once of each kind."""
    opened = await prepare_database(store_url, home)
    yield opened
    await opened.close()


@pytest.fixture
def log() -> EventLog:
    """The event log with every projection of the product."""
    return EventLog(Projector(PROJECTIONS))


@pytest.fixture
def settings(request: pytest.FixtureRequest, home: Path) -> Settings:
    """Settings of the app directory; the database is the one that ``--store`` names."""
    if request.config.getoption("--store") == "postgresql":
        return Settings(home=home, port=0, database_url=request.getfixturevalue("postgres_url"))
    request.getfixturevalue("sqlite_url")
    return Settings(home=home, port=0)


@pytest.fixture
async def library(settings: Settings) -> AsyncIterator[Library]:
    """The open library over a fresh database."""
    async with await open_library(settings) as opened:
        yield opened


async def _migrate(url: str, home: Path) -> None:
    database = await prepare_database(url, home)
    await database.write(lambda conn: conn.exec_driver_sql("DELETE FROM store_identity"))
    await database.checkpoint()
    await database.close()
