"""What one discovery run reads, fixed once and known outside by ids (DIS-5, TOP-2a).

The plan holds what the run looks for, its sources, and each source's search units. Settings
that change afterwards change the next run only.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Integer,
    String,
    Table,
    select,
)

from jobsteward.discover.checkpoint import request_digest
from jobsteward.discover.model import Board, DiscoveryExecutionRef, SourceOutcome
from jobsteward.discover.preferences import Preferences, from_json
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.source import Searched
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.store import save_outcome
from jobsteward.discover.units import SearchUnit, add_units
from jobsteward.discover.views import known_postings
from jobsteward.kernel.errors import InvalidInputError, NotFoundError, UrlBlockedError
from jobsteward.store.engine import METADATA, insert_or_ignore
from jobsteward.store.event_log import EventLog

DISCOVERY_SEARCHES = Table(
    "discovery_searches",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("wanted", JSON, nullable=False),
    Column("job_limit", Integer),
)

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

MOST_UNITS = 500
_MOST_LOOKUPS = 5


@dataclass(frozen=True, slots=True)
class Search:
    """What a run looks for; ``limit`` is how many new jobs are enough, None for all."""

    wanted: Preferences
    limit: int | None = None


def plan_sources(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, search: Search
) -> list[str]:
    """The ids of the run's sources, ``src_1`` …, one for each distinct board.

    The first plan of a run stands, whatever is asked later. A URL that leads to no board
    keeps its place: it is ``unsupported`` from the start, with the reason's code. Raises
    InvalidInputError where the search comes to more than `MOST_UNITS` units.
    """
    planned = _source_ids(conn, ref)
    if planned:
        return planned
    wanted = {"wanted": asdict(search.wanted), "job_limit": search.limit}
    insert_or_ignore(conn, DISCOVERY_SEARCHES, [asdict(ref) | wanted])
    boards: dict[tuple[str, str], tuple[str, Board]] = {}
    for url in search.wanted.boards:
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
            boards[board.provider, board.key] = (row["source_id"], board)
            row |= {"provider": board.provider, "board": board.token, "region": board.region}
        insert_or_ignore(conn, DISCOVERY_SOURCES, [row])
        planned.append(row["source_id"])
    _plan_units(conn, ref, search.wanted, list(boards.values()))
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


def planned_search(conn: Connection, ref: DiscoveryExecutionRef) -> Search:
    """What the run looks for. Raises NotFoundError where it was never planned."""
    columns = DISCOVERY_SEARCHES.c
    row = conn.execute(
        select(columns.wanted, columns.job_limit).where(
            columns.tenant_id == ref.tenant_id,
            columns.workflow_id == ref.workflow_id,
            columns.run_id == ref.run_id,
        )
    ).first()
    if row is None:
        raise NotFoundError("this run has no plan; start a new discovery")
    return Search(from_json(row.wanted), row.job_limit)


def boards_read(conn: Connection, tenant_id: str) -> list[Board]:
    """Every board that some run of the tenant planned to read, as it was written then."""
    columns = DISCOVERY_SOURCES.c
    rows = conn.execute(
        select(columns.provider, columns.board, columns.region)
        .where(columns.tenant_id == tenant_id, columns.provider.is_not(None))
        .distinct()
    )
    return [Board(*row) for row in rows]


def _plan_units(
    conn: Connection,
    ref: DiscoveryExecutionRef,
    wanted: Preferences,
    boards: list[tuple[str, Board]],
) -> None:
    units = [unit for source_id, board in boards for unit in _units(source_id, board, wanted)]
    if len(units) > MOST_UNITS:
        raise InvalidInputError("this search is too wide; name fewer titles, places or boards")
    add_units(conn, ref, units)


def _units(source_id: str, board: Board, wanted: Preferences) -> Iterator[SearchUnit]:
    source = SOURCES[board.provider]
    if not isinstance(source, Searched):
        yield SearchUnit(f"{source_id}_u1", source_id, board, request_digest(source, board))
        return
    questions = product(wanted.titles or ("",), wanted.places or ("",))
    for number, (query, place) in enumerate(questions, start=1):
        asked = source.search(board, query, place)
        digest = request_digest(source, asked)
        yield SearchUnit(f"{source_id}_u{number}", source_id, asked, digest, query, place)


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
