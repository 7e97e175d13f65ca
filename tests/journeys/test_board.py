"""The demo's boards are read by the real fetcher and parsers, and misbehave when told."""

from collections.abc import AsyncIterator

import anyio
import pytest

from jobsteward.discover.model import Posting, SourceOutcome
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.service import Batch, discover_board
from jobsteward.kernel.errors import SourceUnavailableError, TransientNetworkError
from jobsteward.net import Outbound
from jobsteward_server.demo.board import BoardServer, Manner
from jobsteward_server.demo.companies import crowd, fernweh, harbour, moorland, quillbank

COMPANIES = {
    "greenhouse/harbourlight": harbour(),
    "lever/fernwehrail": fernweh(),
    "lever-eu/moorlandsensors": moorland(),
    "ashby/quillbank": quillbank(),
    "greenhouse/crowd": crowd("crowd", 450),
}
HARBOUR = "greenhouse/harbourlight"


@pytest.fixture
async def boards() -> AsyncIterator[BoardServer]:
    async with BoardServer(COMPANIES) as server:
        yield server


async def read(boards: BoardServer, board: str) -> tuple[SourceOutcome, list[Posting]]:
    """How the board fares in the real reader, and what it gave."""
    source, found = resolve_board(boards.url(board))
    postings: list[Posting] = []

    async def keep(batch: Batch) -> None:
        postings.extend(batch.postings)

    async with Outbound(origin_map=boards.origin_map) as outbound:
        with anyio.fail_after(10):
            outcome = await discover_board(outbound, source, found.board, keep)
    return outcome, postings


@pytest.mark.anyio
@pytest.mark.parametrize("board", COMPANIES)
async def test_every_board_reads_whole(boards: BoardServer, board: str) -> None:
    """DIS-4: titles, places, pay and text of each opening arrive as they were written."""
    outcome, postings = await read(boards, board)
    openings = COMPANIES[board].openings
    assert (outcome.status, outcome.found, outcome.broken) == ("ok", len(openings), 0)
    for opening, posting in zip(openings, postings, strict=True):
        assert posting.title == opening.title
        assert posting.locations == opening.places
        assert bool(posting.pay) == bool(opening.pay)
        assert posting.description
        if opening.pay:
            assert (posting.pay[0].minimum, posting.pay[0].maximum) == opening.pay[:2]


@pytest.mark.anyio
async def test_each_region_is_asked_at_its_own_host(boards: BoardServer) -> None:
    """P042: a European board is asked at the European host first."""
    await read(boards, "lever-eu/moorlandsensors")
    assert boards.asked[0].host == "api.eu.lever.co"


@pytest.mark.anyio
@pytest.mark.parametrize(("status", "expected"), [(403, "blocked"), (429, "blocked")])
async def test_a_refusal_is_blocked(boards: BoardServer, status: int, expected: str) -> None:
    """P044: a refusing board is blocked, not empty."""
    boards.behave(HARBOUR, Manner(status=status, headers={"Retry-After": "7"}))
    outcome, postings = await read(boards, HARBOUR)
    assert (outcome.status, outcome.http_status, postings) == (expected, status, [])


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("manner", "error"),
    [
        (Manner(status=500), SourceUnavailableError),
        (Manner(torn=True), SourceUnavailableError),
        (Manner(cut=True), TransientNetworkError),
    ],
)
async def test_a_broken_board_is_worth_a_retry(
    boards: BoardServer, manner: Manner, error: type[Exception]
) -> None:
    """DIS-3: 5xx, torn JSON and a connection that ends early are told apart from no jobs."""
    boards.behave(HARBOUR, manner)
    with pytest.raises(error):
        await read(boards, HARBOUR)


@pytest.mark.anyio
async def test_a_gate_holds_the_answer_until_released(boards: BoardServer) -> None:
    """What the demo relies on when it kills a worker in the middle."""
    gate = boards.hold(HARBOUR)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, boards, HARBOUR)
        with anyio.fail_after(10):
            await gate.reached.wait()
        assert len(boards.asked) == 1
        gate.release()


@pytest.mark.anyio
async def test_an_unknown_company_is_not_found(boards: BoardServer) -> None:
    """DIS-3: a board that is not there is an error with its own code."""
    outcome, _ = await read(boards, "ashby/nobody")
    assert (outcome.status, outcome.code) == ("error", "board_not_found")
