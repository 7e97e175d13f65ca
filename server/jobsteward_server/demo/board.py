"""A server of job boards on this machine, in place of the providers' hosts.

It answers the public lists of Greenhouse, Lever (both regions) and Ashby for the companies
it is given, and can refuse, stall, tear or withhold an answer. `BoardServer.origin_map` is
what ``JOBSTEWARD_ORIGIN_MAP`` takes.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from jobsteward_server.demo import shapes
from jobsteward_server.demo.companies import Company

_HEAD_LIMIT = 16 * 1024
_DRIP_BYTES = 64


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider's lists are: their host, and the path before a company's token."""

    host: str
    prefix: str
    shape: shapes.Shape


PROVIDERS = {
    "greenhouse": Provider("boards-api.greenhouse.io", "/v1/boards/", shapes.greenhouse),
    "lever": Provider("api.lever.co", "/v0/postings/", shapes.lever),
    "lever-eu": Provider("api.eu.lever.co", "/v0/postings/", shapes.lever_eu),
    "ashby": Provider("api.ashbyhq.com", "/posting-api/job-board/", shapes.ashby),
}
PAGES = {
    "greenhouse": "https://job-boards.greenhouse.io/",
    "lever": "https://jobs.lever.co/",
    "lever-eu": "https://jobs.eu.lever.co/",
    "ashby": "https://jobs.ashbyhq.com/",
}
"""What a person pastes: this and the company's token."""


class Gate:
    """Holds a board's answers back until released."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        """Set when a request waits here."""
        self._open = asyncio.Event()

    def release(self) -> None:
        """Let every request through, now and later."""
        self._open.set()

    async def passed(self) -> None:
        """Wait for the release."""
        self.reached.set()
        await self._open.wait()


@dataclass(frozen=True, slots=True)
class Manner:
    """How a board answers. ``delay`` and ``drip`` (between 64-byte pieces) are in seconds."""

    status: int = 200
    delay: float = 0.0
    drip: float = 0.0
    torn: bool = False
    """Only the first half of the body's text, under a length that fits it."""
    cut: bool = False
    """The connection ends in the middle of the body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    gate: Gate | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived."""

    host: str
    target: str
    headers: Mapping[str, str]


class BoardServer:
    """The boards of ``boards``: ``provider/token`` → company. Used as an async context manager."""

    def __init__(self, boards: Mapping[str, Company]) -> None:
        self._boards = dict(boards)
        self._bodies: dict[str, bytes] = {}
        self._manners: dict[str, Manner] = {}
        self._server: asyncio.Server | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self.asked: list[Asked] = []
        """Every request, oldest first."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", limit=_HEAD_LIMIT)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._answering:
            task.cancel()
        await asyncio.gather(*self._answering, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def origin(self) -> str:
        """Where it listens: ``http://127.0.0.1:PORT``."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def origin_map(self) -> dict[str, str]:
        """Every provider's host, led here."""
        return {provider.host: self.origin for provider in PROVIDERS.values()}

    def url(self, board: str) -> str:
        """The page of ``provider/token`` that a person would paste."""
        provider, _, token = board.partition("/")
        return PAGES[provider] + token

    def behave(self, board: str, manner: Manner) -> None:
        """From now on the board answers like that."""
        self._manners[board] = manner

    def hold(self, board: str) -> Gate:
        """Hold the board's answers back, until the gate is released."""
        gate = Gate()
        self.behave(board, Manner(gate=gate))
        return gate

    def publish(self, board: str, company: Company) -> None:
        """Put this company on the board, in place of what it showed."""
        self._boards[board] = company
        self._bodies.pop(board, None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._answering.add(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._answer(_asked(await reader.readuntil(b"\r\n\r\n")), writer)
        finally:
            self._answering.discard(task)
            writer.close()

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        self.asked.append(asked)
        board = self._board_of(asked)
        manner = self._manners.get(board, Manner())
        if manner.gate:
            await manner.gate.passed()
        await asyncio.sleep(manner.delay)
        if board not in self._boards:
            manner = Manner(status=404)
        body = self._body(board) if manner.status == 200 else b'{"error":"refused"}'
        if manner.torn:
            body = body[: len(body) // 2]
        writer.write(_head(manner, len(body)))
        await _send(writer, body[: len(body) // 2] if manner.cut else body, manner.drip)

    def _board_of(self, asked: Asked) -> str:
        path = urlsplit(asked.target).path
        for name, provider in PROVIDERS.items():
            if asked.host == provider.host and path.startswith(provider.prefix):
                return f"{name}/{path.removeprefix(provider.prefix).split('/')[0]}"
        return ""

    def _body(self, board: str) -> bytes:
        if board not in self._bodies:
            shape = PROVIDERS[board.partition("/")[0]].shape
            self._bodies[board] = shape(self._boards[board])
        return self._bodies[board]


def _asked(head: bytes) -> Asked:
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    target = ([*first.split(" "), ""])[1]
    return Asked(headers.get("host", ""), target, headers)


def _head(manner: Manner, length: int) -> bytes:
    reason = HTTPStatus(manner.status).phrase
    lines = [
        f"HTTP/1.1 {manner.status} {reason}",
        "Content-Type: application/json; charset=utf-8",
        f"Content-Length: {length}",
        "Connection: close",
        *(f"{name}: {value}" for name, value in manner.headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


async def _send(writer: asyncio.StreamWriter, body: bytes, drip: float) -> None:
    step = _DRIP_BYTES if drip else max(len(body), 1)
    for start in range(0, len(body), step):
        writer.write(body[start : start + step])
        await writer.drain()
        await asyncio.sleep(drip)
