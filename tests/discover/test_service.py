"""Reading a board end to end over a server on this machine (DIS-3, P042, P044)."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from anyio.abc import SocketStream

from jobsteward.discover.model import Board, Posting, SourceOutcome
from jobsteward.discover.service import BATCH, Batch, discover_board
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import (
    JobstewardError,
    SourceUnavailableError,
    TransientNetworkError,
)
from jobsteward.net import Outbound
from tests.discover.boards import ITEMS, answer, greenhouse_item, lever_item
from tests.support.raw_http import raw_server, reply

pytestmark = pytest.mark.anyio

LEVER = Board("lever", "acme")
GREENHOUSE = Board("greenhouse", "acme")
API_HOSTS = (
    "boards-api.greenhouse.io",
    "boards-api.eu.greenhouse.io",
    "api.lever.co",
    "api.eu.lever.co",
    "api.ashbyhq.com",
)


class BoardServer:
    """Answers by host; unknown ones get 404. Remembers the hosts that were asked."""

    def __init__(self, **answers: bytes) -> None:
        self.answers = {name.replace("__", "-").replace("_", "."): value
                        for name, value in answers.items()}  # fmt: skip
        self.asked: list[str] = []

    @asynccontextmanager
    async def outbound(self) -> AsyncIterator[Outbound]:
        async with (
            raw_server(self._serve) as origin,
            Outbound(origin_map=dict.fromkeys(API_HOSTS, origin)) as outbound,
        ):
            yield outbound

    async def _serve(self, stream: SocketStream, head: bytes) -> None:
        host = next(line[6:] for line in head.decode().splitlines() if line.startswith("Host: "))
        self.asked.append(host)
        await stream.send(self.answers.get(host, reply(status=404)))


def listing(provider: str, items: list[Any], **more: Any) -> bytes:
    value = answer(provider, items)
    return reply(json.dumps(value | more if more else value).encode())


async def discover(
    server: BoardServer, board: Board, stop_after: int | None = None
) -> tuple[SourceOutcome, list[list[Posting]]]:
    batches: list[list[Posting]] = []

    async def on_batch(batch: Batch) -> None:
        batches.append(list(batch.postings))

    def cancelled() -> bool:
        return stop_after is not None and len(batches) >= stop_after

    async with server.outbound() as outbound:
        with anyio.fail_after(20):
            try:
                source = SOURCES[board.provider]
                outcome = await discover_board(outbound, source, board, on_batch, cancelled)
            except JobstewardError as error:
                failure = error
            else:
                return outcome, batches
    raise failure


@pytest.mark.parametrize(
    ("provider", "host"),
    [("greenhouse", "boards_api"), ("lever", "api_lever_co"), ("ashby", "api_ashbyhq_com")],
)
async def test_every_source_reads_its_board(provider: str, host: str) -> None:
    host = host.replace("boards_api", "boards__api_greenhouse_io")
    server = BoardServer(**{host: listing(provider, [ITEMS[provider]()])})
    outcome, batches = await discover(server, Board(provider, "acme"))
    assert outcome == SourceOutcome(f"{provider}/acme", "ok", 200, found=1)
    assert [len(batch) for batch in batches] == [1]


async def test_an_empty_board_is_empty() -> None:
    outcome, batches = await discover(BoardServer(api_lever_co=listing("lever", [])), LEVER)
    assert (outcome.status, outcome.http_status, batches) == ("empty", 200, [])


@pytest.mark.parametrize("status", [401, 403, 429, 999])
async def test_p044_a_refusal_is_blocked_and_never_empty(status: int) -> None:
    outcome, batches = await discover(BoardServer(api_lever_co=reply(status=status)), LEVER)
    assert (outcome.status, outcome.http_status, batches) == ("blocked", status, [])


async def test_a_missing_board_is_an_error_with_its_own_code() -> None:
    outcome, _ = await discover(BoardServer(), LEVER)
    assert outcome == SourceOutcome("lever/acme", "error", 404, code="board_not_found")


@pytest.mark.parametrize("status", [500, 502, 503, 504, 204])
async def test_j13_a_failing_board_can_be_tried_again(status: int) -> None:
    with pytest.raises(SourceUnavailableError):
        await discover(BoardServer(api_lever_co=reply(status=status)), LEVER)


async def test_a_page_instead_of_a_list_can_be_tried_again() -> None:
    with pytest.raises(SourceUnavailableError):
        await discover(BoardServer(api_lever_co=reply(b"<html>wait</html>")), LEVER)


async def test_a_broken_connection_can_be_tried_again() -> None:
    with pytest.raises(TransientNetworkError):
        await discover(BoardServer(api_lever_co=reply(b"[", content_length="90")), LEVER)


async def test_p040_fewer_than_advertised_is_partial_with_both_numbers() -> None:
    payload = listing("greenhouse", [greenhouse_item()], meta={"total": 5})
    outcome, _ = await discover(BoardServer(boards__api_greenhouse_io=payload), GREENHOUSE)
    assert (outcome.status, outcome.found, outcome.advertised) == ("partial", 1, 5)
    assert outcome.code == "fewer_than_advertised"


async def test_an_empty_list_of_a_board_that_advertises_jobs_is_not_empty() -> None:
    payload = listing("greenhouse", [], meta={"total": 5})
    outcome, _ = await discover(BoardServer(boards__api_greenhouse_io=payload), GREENHOUSE)
    assert (outcome.status, outcome.found, outcome.advertised) == ("partial", 0, 5)


async def test_broken_postings_make_it_partial_and_are_counted() -> None:
    payload = listing("lever", [lever_item(), {"id": 1}, None])
    outcome, batches = await discover(BoardServer(api_lever_co=payload), LEVER)
    assert (outcome.status, outcome.found, outcome.broken) == ("partial", 1, 2)
    assert len(batches[0]) == 1


async def test_large_boards_come_in_batches_and_stop_between_them() -> None:
    many = listing("lever", [{"id": f"p{n}", "text": "Engineer"} for n in range(2 * BATCH + 1)])
    outcome, batches = await discover(BoardServer(api_lever_co=many), LEVER)
    assert [len(batch) for batch in batches] == [BATCH, BATCH, 1] and outcome.status == "ok"
    outcome, batches = await discover(BoardServer(api_lever_co=many), LEVER, stop_after=1)
    assert [len(batch) for batch in batches] == [BATCH]
    assert (outcome.status, outcome.found, outcome.code) == ("partial", BATCH, "canceled")


async def test_a_run_that_is_cancelled_already_fetches_nothing() -> None:
    server = BoardServer()
    outcome, _ = await discover(server, LEVER, stop_after=0)
    assert outcome.code == "canceled" and server.asked == []


async def test_p042_an_eu_board_is_asked_for_at_eu_hosts() -> None:
    server = BoardServer(api_eu_lever_co=listing("lever", [lever_item()]))
    outcome, batches = await discover(server, Board("lever", "acme", "eu"))
    assert outcome.status == "ok" and server.asked == ["api.eu.lever.co"]
    assert batches[0][0].key.board == "eu:acme"


async def test_an_eu_greenhouse_board_falls_back_to_the_usual_host() -> None:
    listed = listing("greenhouse", [greenhouse_item()])
    server = BoardServer(boards__api_greenhouse_io=listed)
    outcome, _ = await discover(server, Board("greenhouse", "acme", "eu"))
    assert outcome.status == "ok"
    assert server.asked == ["boards-api.eu.greenhouse.io", "boards-api.greenhouse.io"]
    refused = BoardServer(
        boards__api_eu_greenhouse_io=reply(status=403), boards__api_greenhouse_io=listed
    )
    outcome, _ = await discover(refused, Board("greenhouse", "acme", "eu"))
    assert outcome.status == "blocked" and len(refused.asked) == 1
