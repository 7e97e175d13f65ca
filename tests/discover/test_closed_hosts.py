"""A host that is left alone for now reads as blocked, never as a board without jobs (P044)."""

import json

import anyio
import pytest
from anyio.abc import SocketStream

from jobsteward.discover.model import Board, SourceOutcome
from jobsteward.discover.service import Batch, discover_board
from jobsteward.discover.sources import SOURCES
from jobsteward.net import Manners, MemoryHostRecords, Outbound
from tests.discover.boards import answer, lever_item
from tests.support.raw_http import raw_server, reply

pytestmark = pytest.mark.anyio
API = "api.lever.co"
LIST = reply(json.dumps(answer("lever", [lever_item()])).encode(), connection="close")


async def outcomes(times: int, listing: bytes, robots: bytes) -> list[SourceOutcome]:
    """How reading the same board went, once after another."""

    async def serve(stream: SocketStream, head: bytes) -> None:
        await stream.send(robots if head.startswith(b"GET /robots.txt ") else listing)

    async def take(batch: Batch) -> None:
        return None

    async with (
        raw_server(serve) as origin,
        Outbound(origin_map={API: origin}, manners=Manners(MemoryHostRecords())) as outbound,
    ):
        with anyio.fail_after(10):
            board = Board("lever", "acme")
            return [
                await discover_board(outbound, SOURCES["lever"], board, take) for _ in range(times)
            ]


async def test_a_robots_txt_that_says_no_is_blocked() -> None:
    closed = reply(b"User-agent: *\nDisallow: /v0/\n", connection="close")
    assert await outcomes(1, LIST, closed) == [
        SourceOutcome("lever/acme", "blocked", code="closed_by_robots")
    ]


async def test_p095_a_refusal_stops_the_next_reader_before_it_asks() -> None:
    none = reply(status=404, connection="close")
    first, second = await outcomes(2, reply(status=999, connection="close"), none)
    assert (first.status, first.http_status) == ("blocked", 999)
    assert second == SourceOutcome("lever/acme", "blocked", code="host_cooling_down")


async def test_an_open_host_is_read() -> None:
    (only,) = await outcomes(1, LIST, reply(status=404, connection="close"))
    assert (only.status, only.found) == ("ok", 1)
