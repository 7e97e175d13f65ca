"""What a posting costs on its way from a board on this machine into the store."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from benchmarks.machinery import temporary_home
from benchmarks.report import Report, say
from jobsteward.discover.model import DiscoveryExecutionRef, Posting, PostingKey
from jobsteward.discover.plan import Search, plan_sources
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.store import save_postings
from jobsteward.discover.unit_reader import UnitReader
from jobsteward.discover.units import claim, finish, units_of_source
from jobsteward.library import Library, open_library
from jobsteward.net import Outbound
from jobsteward.settings import Settings

BOARD = 1_000
BOARDS = 10
FEW = 1_000
MANY = 100_000
SAMPLE = 2
_TENANT = "local"
_HOST = "api.lever.co"


async def discovery() -> Report:
    """Postings a second, new and as before, and the cost of one in a full store.

    Boards of 1,000 postings are fetched over loopback and parsed, admitted, stored with
    events, memberships and receipts, made searchable and acknowledged, by the code that the
    worker runs. ``cost_growth`` is the cost of a new posting with 100,000 jobs stored, over
    that with 1,000.
    """
    report = Report("discovery")
    async with temporary_home() as home, _served() as origin:
        async with await open_library(Settings(home=home / "rates")) as library:
            rates = _Reading(library, origin)
            report.set("new_per_s", BOARDS * BOARD / await rates.read(range(BOARDS)))
            report.set("same_per_s", BOARDS * BOARD / await rates.read(range(BOARDS)))
        async with await open_library(Settings(home=home / "growth")) as library:
            growing = _Reading(library, origin)
            await growing.fill(0, FEW)
            few = await growing.read(range(100, 100 + SAMPLE))
            say(f"discovery: making {MANY} jobs")
            await growing.fill(FEW, MANY)
            many = await growing.read(range(200, 200 + SAMPLE))
    report.set("cost_growth", many / few)
    report.settings = {"boards": BOARDS, "postings_per_board": BOARD, "few": FEW, "many": MANY}
    return report


@dataclass
class _Reading:
    """Runs over one library, each of them over some boards."""

    library: Library
    origin: str
    runs: int = field(default=0)

    async def read(self, numbers: range) -> float:
        """Seconds that a new run takes to read the boards of these numbers, one by one."""
        self.runs += 1
        ref = DiscoveryExecutionRef(_TENANT, "discover-local", f"run-{self.runs}")
        urls = tuple(f"https://jobs.lever.co/crowd{number}" for number in numbers)
        search = Search(Preferences(boards=urls))
        library, database = self.library, self.library.database
        async with Outbound(origin_map={_HOST: self.origin}) as outbound:
            began = time.perf_counter()
            sources = await database.write(
                partial(plan_sources, log=library.log, ref=ref, search=search)
            )
            for source in sources:
                await self._read_source(outbound, ref, source, search)
            took = time.perf_counter() - began
        await database.checkpoint()
        return took

    async def _read_source(
        self, outbound: Outbound, ref: DiscoveryExecutionRef, source: str, search: Search
    ) -> None:
        library, database = self.library, self.library.database
        (unit,) = await database.read(partial(units_of_source, ref=ref, source_id=source))
        lease = await database.write(
            partial(claim, ref=ref, unit_id=unit.unit_id, attempt=1, owner="measured")
        )
        reader = UnitReader(database, library.log, outbound, lease, search)
        outcome = await reader.read()
        assert (outcome.status, outcome.found) == ("ok", BOARD), outcome
        await database.write(partial(finish, lease=lease, outcome=outcome))

    async def fill(self, start: int, end: int) -> None:
        """Store jobs of other boards directly."""
        ref = DiscoveryExecutionRef(_TENANT, "discover-local", "run-0")
        for first in range(start, end, 500):
            postings = [_posting(number) for number in range(first, min(first + 500, end))]
            await self.library.database.write(
                partial(save_postings, log=self.library.log, ref=ref, postings=postings)
            )
            await self.library.database.checkpoint()


@asynccontextmanager
async def _served() -> AsyncIterator[str]:
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
    board = path.partition("/postings/")[2].partition("?")[0]
    body = json.dumps([_item(board, number) for number in range(BOARD)]).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
    await writer.drain()
    writer.close()


def _item(board: str, number: int) -> dict[str, object]:
    page = f"https://jobs.lever.co/{board}/{number:08d}-0000-4000-8000-000000000000"
    return {
        "id": page.rpartition("/")[2],
        "text": f"Engineer for {board} {number}",
        "hostedUrl": page,
        "applyUrl": f"{page}/apply",
        "workplaceType": "hybrid",
        "categories": {"commitment": "Full-time", "department": "Docks", "location": "Oslo"},
        "createdAt": 1_790_000_000_000 + number,
        "description": f"<p>Keep ferry {number} on time.</p>" + "<p>You will plan docks.</p>" * 40,
        "lists": [{"text": "You bring", "content": "<li>5+ years of Python</li><li>Care</li>"}],
    }


def _posting(number: int) -> Posting:
    key = PostingKey("greenhouse", f"town{number % 500}", str(number))
    page = f"https://jobs.crowd.example/{number}"
    text = f"Keep ferry {number} on time. " + "You will plan docks. " * 40
    title, town = f"Clerk {number}", f"Town {number % 500}"
    return Posting(key, page, page, title, town, ("Port Alder",), description=text)
