"""Two made-up boards served on this machine, for tests whose readers are other processes."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from anyio.abc import SocketStream

from tests.discover.boards import SHAPES, answer, lever_item
from tests.support.raw_http import raw_server, reply

LEVER = "https://jobs.lever.co/acme"
WORKDAY = "https://acme.wd1.myworkdayjobs.com/Careers"
HOSTS = ("api.lever.co", "acme.wd1.myworkdayjobs.com")
PAGE = 20


async def _at_once(_request: str) -> None:
    return


@dataclass
class MadeBoards:
    """A board that answers once, of ``single`` postings, and one of pages, of ``paged``.

    ``before`` is awaited with each request before it is answered; ``lists`` counts the list
    requests of each host.
    """

    single: int = 450
    paged: int = 50
    before: Callable[[str], Awaitable[None]] = _at_once
    lists: dict[str, int] = field(default_factory=lambda: dict.fromkeys(HOSTS, 0))

    @property
    def size(self) -> int:
        """How many postings both boards have."""
        return self.single + self.paged

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[dict[str, str]]:
        """The origin map that leads to them."""
        async with raw_server(self._answer) as origin:
            yield dict.fromkeys(HOSTS, origin)

    async def _answer(self, stream: SocketStream, head: bytes) -> None:
        text = head.decode()
        if text.startswith("GET /robots.txt"):
            await stream.send(reply(status=404))
            return
        await self.before(text.splitlines()[0])
        if "Host: api.lever.co" in text:
            self.lists["api.lever.co"] += 1
            await stream.send(reply(self._single()))
        elif text.startswith("POST"):
            self.lists["acme.wd1.myworkdayjobs.com"] += 1
            _, _, body = text.partition("\r\n\r\n")
            body = body or (await stream.receive()).decode()
            await stream.send(reply(self._page(json.loads(body)["offset"])))
        else:
            await stream.send(reply(status=404))

    def _single(self) -> bytes:
        items = [
            lever_item(id=f"00000000-0000-4000-8000-{number:012d}", text=f"Potter {number}")
            for number in range(self.single)
        ]
        return json.dumps(answer("lever", items)).encode()

    def _page(self, offset: int) -> bytes:
        numbers = range(offset, min(offset + PAGE, self.paged))
        rows = [SHAPES["workday"].row(f"R-{number}", f"Weaver {number}") for number in numbers]
        total = self.paged if offset == 0 else 0
        return json.dumps({"total": total, "jobPostings": rows}).encode()
