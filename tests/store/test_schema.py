"""A database is brought to this code's schema once, or refused with a remedy (DOM-5, SEC-9)."""

import asyncio
import importlib
import pkgutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import anyio
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

import jobsteward
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.store.engine import METADATA, Database, open_database
from jobsteward.store.schema import (
    HEAD,
    REVISIONS,
    current_revision,
    downgrade,
    prepare_database,
    upgrade,
)

pytestmark = pytest.mark.anyio

for _module in pkgutil.walk_packages(jobsteward.__path__, "jobsteward."):
    if ".migrations" not in _module.name:
        importlib.import_module(_module.name)  # whichever of them declares tables


def _tables(conn: Connection) -> set[str]:
    return set(inspect(conn).get_table_names())


def _derived(conn: Connection) -> set[str]:
    """What only the database knows: search indexes, of expressions or in tables of their own."""
    if conn.dialect.name == "postgresql":
        return {"jobs_words", "jobs_place_words"}
    query = "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')"
    return set(conn.scalars(text(query)))


def _differences(conn: Connection) -> list[object]:
    own = {"compare_type": True, "include_name": lambda name, *_: name not in _derived(conn)}
    context = MigrationContext.configure(conn, opts=own)
    return list(compare_metadata(context, METADATA))


async def test_migrations_make_the_declared_tables(database: Database) -> None:
    """The tables that the code declares are the ones that the migrations leave."""
    assert await database.read(_differences) == []
    assert await database.read(current_revision) == HEAD


@pytest.fixture
async def unguarded(store_url: str) -> AsyncIterator[Database]:
    """The migrated database, opened without an identity to hold on to."""
    opened = open_database(store_url)
    yield opened
    await opened.close()


async def test_every_revision_goes_down_and_up(unguarded: Database) -> None:
    """Each step can be undone and done again, and nothing is left behind at the base."""
    full = await unguarded.read(_tables)
    for revision in [*reversed(REVISIONS[:-1]), "base"]:
        await unguarded.write(partial(downgrade, revision=revision))
    assert await unguarded.read(_tables) <= {"alembic_version", "sqlite_sequence"}
    for revision in REVISIONS:
        await unguarded.write(partial(upgrade, revision=revision))
        assert await unguarded.read(current_revision) == revision
    assert await unguarded.read(_tables) == full
    assert await unguarded.read(_differences) == []


async def test_a_failing_migration_leaves_the_old_schema(unguarded: Database) -> None:
    """F45: a migration is one transaction; its failure takes all of it back."""
    await unguarded.write(partial(downgrade, revision="base"))

    def work(conn: Connection) -> None:
        upgrade(conn)
        raise ArithmeticError("in the middle")

    with pytest.raises(ArithmeticError):
        await unguarded.write(work)
    assert await unguarded.read(current_revision) is None
    assert await unguarded.read(_tables) <= {"alembic_version", "sqlite_sequence"}


async def test_a_newer_schema_is_refused(database: Database, store_url: str, home: Path) -> None:
    """F45: older code says what to do and writes nothing."""
    await database.write(
        lambda conn: conn.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    )
    with pytest.raises(ConfigurationError, match=r"9999, newer .* install the newer jobsteward"):
        await prepare_database(store_url, home)
    assert await database.read(current_revision) == "9999"


async def test_opening_again_keeps_the_identity(
    database: Database, store_url: str, home: Path
) -> None:
    """ACT-4: the id belongs to the database, not to the process."""
    again = await prepare_database(store_url, home)
    assert again.identity == database.identity
    assert len(again.identity) == 16
    await again.close()


async def test_two_databases_have_two_identities(tmp_path: Path) -> None:
    """ACT-4: a new database gets an id of its own, in a file that only its owner can read."""
    identities = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "jobsteward.db"
        database = await prepare_database(f"sqlite:///{path}", tmp_path / name)
        identities.add(database.identity)
        await database.close()
        assert path.stat().st_mode & 0o777 == 0o600
    assert len(identities) == 2


_STARTS = """
import asyncio, sys
from pathlib import Path
from jobsteward.store.schema import prepare_database

async def one(url, home):
    database = await prepare_database(url, home)
    await database.close()
    return database.identity

async def main(url, home):
    print(*await asyncio.gather(*(one(url, home) for _ in range(8))))

sys.stdin.read(1)
asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
"""


@pytest.mark.slow
async def test_many_starts_migrate_once(store_url: str, home: Path) -> None:
    """P109: 24 starts at once, from three processes, on a database with no tables yet."""
    if store_url.startswith("sqlite"):
        (home / "jobsteward.db").unlink()
    else:
        empty = open_database(store_url)
        await empty.write(partial(downgrade, revision="base"))
        await empty.close()
    starts = [
        await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _STARTS,
            store_url,
            str(home),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    with anyio.fail_after(120):
        answers = await asyncio.gather(*(start.communicate(b"x") for start in starts))
    identities = b" ".join(output for output, _ in answers).split()
    assert len(identities) == 24
    assert len(set(identities)) == 1
    database = await prepare_database(store_url, home)
    assert database.identity == identities[0].decode()
    assert await database.read(_differences) == []
    await database.close()


def _cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 4096 * 3 + 17])


def _spoil_header(path: Path) -> None:
    path.write_bytes(b"not a database  " + path.read_bytes()[16:])


def _spoil_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : 4096 * 12] = b"\xff" * (4096 * 11)
    path.write_bytes(bytes(data))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    path.chmod(0o600)


def _loose(path: Path) -> None:
    path.chmod(0o640)


@pytest.mark.parametrize(
    ("harm", "remedy"),
    [
        (_cut_short, "is damaged; run: jobsteward restore"),
        (_spoil_header, "is damaged; run: jobsteward restore"),
        (_spoil_pages, "is damaged; run: jobsteward restore"),
        (_empty, "is empty; restore the newest backup"),
        (_foreign, "belongs to another program; choose another JOBSTEWARD_HOME"),
        (_loose, "can be read by others; run: chmod 600"),
    ],
)
async def test_a_bad_file_is_refused_untouched(
    sqlite_url: str, home: Path, harm: Callable[[Path], None], remedy: str
) -> None:
    """F36, F37, SEC-9: one line names the path and the remedy; the file stays as it is."""
    path = home / "jobsteward.db"
    harm(path)
    content = path.read_bytes()
    with pytest.raises(ConfigurationError, match=remedy) as caught:
        await prepare_database(sqlite_url, home)
    assert str(path) in caught.value.message
    assert path.read_bytes() == content
