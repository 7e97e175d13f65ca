"""A made-up Workday board of many pages, answered from a script instead of the network."""

import json
from collections.abc import Callable
from typing import Any

from jobsteward.net import Fetched, Outbound
from tests.discover.boards import BOARDS, SHAPES

BOARD = BOARDS["workday"]
PAGE = 20
Refusal = Callable[[int], int | None]


class WorkdaySite(Outbound):
    """A board with that many postings. ``refuse`` maps an offset to a status to answer there.

    ``asked`` keeps the offsets of list requests, ``details`` counts the other requests.
    """

    def __init__(self, size: int, refuse: Refusal = lambda _offset: None) -> None:
        self.size = size
        self.refuse = refuse
        self.asked: list[int] = []
        self.details = 0
        self.titles: Callable[[int], str] = lambda number: f"Weaver {number}"

    async def fetch(self, url: str, *, body: bytes | None = None, **_more: Any) -> Fetched:
        if body is None:
            self.details += 1
            return Fetched(500, url, {}, b"")
        offset = json.loads(body)["offset"]
        self.asked.append(offset)
        status = self.refuse(offset)
        if status is not None:
            return Fetched(status, url, {}, b"")
        numbers = range(offset, min(offset + PAGE, self.size))
        rows = [SHAPES["workday"].row(f"R-{number}", self.titles(number)) for number in numbers]
        total = self.size if offset == 0 else 0
        payload = json.dumps({"total": total, "jobPostings": rows}).encode()
        return Fetched(200, url, {}, payload)
