"""Rows of one database in another, of either kind, so that a backup fits both (DOM-1).

Both sides stand at the same schema revision. JSON travels as its text, so that a JSON null
stays apart from a missing value and no number is read and written again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Inspector,
    MetaData,
    Table,
    Text,
    bindparam,
    cast,
    create_engine,
    func,
    insert,
    inspect,
    select,
    text,
)

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.store.engine import connect_read_only

_CHUNK = 500
_BOOKKEEPING = frozenset({"alembic_version"})


@contextmanager
def reading(path: Path) -> Iterator[Connection]:
    """A connection that only reads a SQLite file and leaves no file beside it."""
    engine = create_engine("sqlite://", creator=lambda: connect_read_only(path))
    try:
        with engine.connect() as conn:
            yield conn
    finally:
        engine.dispose()


def tables_of(conn: Connection) -> list[Table]:
    """Our tables as they stand in the database, those that others refer to first.

    Search indexes and computed columns are left out: the database derives them.
    """
    inspector = inspect(conn)
    derived = _BOOKKEEPING | _search_tables(conn)
    names = [name for name, _ in inspector.get_sorted_table_and_fkc_names() if name]
    return [_table(inspector, name) for name in names if name not in derived]


def _search_tables(conn: Connection) -> set[str]:
    if conn.dialect.name != "sqlite":
        return set()
    query = "SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')"
    return set(conn.scalars(text(query)))


def _table(inspector: Inspector, name: str) -> Table:
    columns = inspector.get_columns(name)
    kept = [Column(c["name"], c["type"]) for c in columns if not c.get("computed")]
    return Table(name, MetaData(), *kept)


def count_rows(conn: Connection) -> dict[str, int]:
    """The number of rows of each table."""
    return {
        table.name: conn.scalar(select(func.count()).select_from(table)) or 0
        for table in tables_of(conn)
    }


def copy_rows(source: Connection, target: Connection) -> None:
    """Put every row of the source into the target, whose tables are empty.

    Raises ConfigurationError where the target has not the same tables.
    """
    origins = {table.name: table for table in tables_of(source)}
    targets = tables_of(target)
    if origins.keys() != {table.name for table in targets}:
        raise ConfigurationError("the databases have different tables; start jobsteward up first")
    for table in targets:
        statement = _insertion(target, table)
        for rows in _chunks(source, origins[table.name]):
            target.execute(statement, rows)
        if target.dialect.name == "postgresql":
            _continue_sequences(target, table)


def _chunks(source: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    columns = [
        cast(column, Text).label(column.name) if isinstance(column.type, JSON) else column
        for column in table.c
    ]
    with source.execute(select(*columns), execution_options={"yield_per": _CHUNK}) as result:
        for rows in result.mappings().partitions():
            yield [dict(row) for row in rows]


def _insertion(target: Connection, table: Table) -> Any:
    """An insert that takes JSON as text; SQLite keeps it as such, PostgreSQL parses it."""
    values: dict[str, Any] = {}
    for column in table.c:
        if not isinstance(column.type, JSON):
            values[column.name] = bindparam(column.name, type_=column.type)
            continue
        value = bindparam(column.name, type_=Text())
        values[column.name] = value if target.dialect.name == "sqlite" else cast(value, column.type)
    if target.dialect.name == "sqlite":
        names = ", ".join(f'"{name}"' for name in values)
        places = ", ".join(f":{name}" for name in values)
        raw = text(f'INSERT INTO "{table.name}" ({names}) VALUES ({places})')
        return raw.bindparams(*values.values())
    return insert(table).values(values)


def _continue_sequences(target: Connection, table: Table) -> None:
    for column in table.c:
        sequence = target.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        if sequence:
            last = target.scalar(select(func.max(column)))
            target.execute(select(func.setval(sequence, last or 1, last is not None)))
