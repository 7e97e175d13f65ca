"""The sources of one discovery run, fixed once and known outside by ids (DIS-5, TOP-2a)."""

from collections.abc import Sequence
from dataclasses import asdict
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import Column, ColumnElement, Connection, String, Table, select

from jobsteward.discover.model import Board, DiscoveryExecutionRef, SourceOutcome
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.store import save_outcome
from jobsteward.discover.views import known_postings
from jobsteward.kernel.errors import InvalidInputError, NotFoundError, UrlBlockedError
from jobsteward.store.engine import METADATA, insert_or_ignore
from jobsteward.store.event_log import EventLog

DISCOVERY_SOURCES = Table(
    "discovery_sources",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("source_id", String, primary_key=True),
    Column("url", String, nullable=False),
    Column("provider", String),
    Column("board", String),
    Column("region", String),
    Column("code", String),
)

_MOST_LOOKUPS = 5


def plan_sources(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, urls: Sequence[str]
) -> list[str]:
    """The ids of the run's sources, ``src_1`` …, one for each distinct board.

    The first plan of a run stands, whatever is asked later. A URL that leads to no board
    keeps its place: it is ``unsupported`` from the start, with the reason's code.
    """
    planned = _source_ids(conn, ref)
    if planned:
        return planned
    boards: set[tuple[str, str]] = set()
    for url in urls:
        row = asdict(ref) | {"source_id": f"src_{len(planned) + 1}", "url": url}
        try:
            board = resolve_board(url, _known(conn, ref.tenant_id, url))[1].board
        except (InvalidInputError, UrlBlockedError) as error:
            name = row["source_id"]
            row["code"] = error.code
            save_outcome(conn, log, ref, SourceOutcome(name, "unsupported", code=error.code))
        else:
            if (board.provider, board.key) in boards:
                continue
            boards.add((board.provider, board.key))
            row |= {"provider": board.provider, "board": board.token, "region": board.region}
        insert_or_ignore(conn, DISCOVERY_SOURCES, [row])
        planned.append(row["source_id"])
    return planned


def planned_source(
    conn: Connection, ref: DiscoveryExecutionRef, source_id: str
) -> Board | SourceOutcome:
    """The board to read, or the outcome that was known when the run was planned.

    Raises NotFoundError for a source that is not in the plan.
    """
    columns = DISCOVERY_SOURCES.c
    row = conn.execute(
        select(DISCOVERY_SOURCES).where(*_of_run(ref), columns.source_id == source_id)
    ).first()
    if row is None:
        raise NotFoundError("this source is not in the run's plan; start a new discovery")
    if row.code:
        return SourceOutcome(source_id, "unsupported", code=row.code)
    return Board(row.provider, row.board, row.region)


def _source_ids(conn: Connection, ref: DiscoveryExecutionRef) -> list[str]:
    ids = conn.scalars(select(DISCOVERY_SOURCES.c.source_id).where(*_of_run(ref)))
    return sorted(ids, key=lambda source_id: int(source_id.removeprefix("src_")))


def _of_run(ref: DiscoveryExecutionRef) -> tuple[ColumnElement[bool], ...]:
    columns = DISCOVERY_SOURCES.c
    return (
        columns.tenant_id == ref.tenant_id,
        columns.workflow_id == ref.workflow_id,
        columns.run_id == ref.run_id,
    )


def _known(conn: Connection, tenant_id: str, url: str) -> list[tuple[Board, str]]:
    # A company's own page names a posting in its query; the board is one that has it (P043).
    try:
        values = [value for found in parse_qs(urlsplit(url).query).values() for value in found]
    except ValueError:
        return []
    known: list[tuple[Board, str]] = []
    for value in values[:_MOST_LOOKUPS]:
        known += known_postings(conn, tenant_id, value)
    return known
