"""The pages of a board's list: what is new on each, where the next one is, when to stop."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import anyio.to_thread

from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.source import Paged, Request, Source
from jobsteward.kernel.errors import JobstewardError, SourceUnavailableError
from jobsteward.net import Fetched

LIST_BYTES = 64 * 1024 * 1024
"""Cap of a list answer: boards of over 2,000 postings with their texts pass 40 MB."""
DEADLINE = 120.0
MOST_PAGES = 5_000

REFUSALS = frozenset({401, 403, 429, 999})
NOT_THERE = frozenset({404, 410})


class Fetching(Protocol):
    """What answers requests: `Outbound`, or one that adds a person's keys on the way."""

    async def fetch(
        self,
        url: str,
        *,
        accept: str,
        body: bytes | None,
        private: Mapping[str, str] | None,
        max_bytes: int,
        deadline: float,
    ) -> Fetched:
        """As `Outbound.fetch`."""
        ...


@dataclass(frozen=True, slots=True)
class Page:
    """The postings that no earlier page had, and what to ask for next, if anything."""

    postings: tuple[Posting, ...]
    following: Request | None


@dataclass(frozen=True, slots=True)
class Position:
    """Where reading stands in a board's list, and what its pages came to until there.

    ``following`` is the page to ask for next; without one the list begins, or has ``ended``.
    """

    following: Request | None = None
    ended: bool = False
    found: int = 0
    broken: int = 0
    pages: int = 0
    advertised: int | None = None


@dataclass(slots=True)
class Tally:
    """What the pages of one board came to so far.

    ``advertised`` is the highest total that any page named: later pages of Workday say 0.
    ``code`` says why reading stopped before the list's end.
    """

    found: int = 0
    broken: int = 0
    pages: int = 0
    advertised: int | None = None
    http_status: int = 200
    code: str | None = None
    _ids: set[str] = field(default_factory=set)
    _firsts: set[str] = field(default_factory=set)

    @classmethod
    def at(cls, position: Position) -> "Tally":
        """What an earlier reader of the list had counted when it got there."""
        return cls(position.found, position.broken, position.pages, position.advertised)

    def position(self, following: Request | None) -> Position:
        """Where the list goes on after the pages that were counted so far."""
        return Position(
            following, following is None, self.found, self.broken, self.pages, self.advertised
        )

    async def take(self, source: Source, board: Board, request: Request, body: bytes) -> Page:
        """The page that the answer to ``request`` holds, counted; parsed off the event loop.

        Raises SourceUnavailableError where the answer is no list.
        """
        parsed = await anyio.to_thread.run_sync(source.parse, board, body)
        self.pages += 1
        if parsed.advertised is not None:
            self.advertised = max(self.advertised or 0, parsed.advertised)
        if self._repeats(parsed):
            self.code = "list_repeats"
            return Page((), None)
        fresh = tuple(item for item in parsed.postings if item.key.posting_id not in self._ids)
        self._ids.update(item.key.posting_id for item in fresh)
        self.found += len(fresh)
        self.broken += len(parsed.broken)
        return Page(fresh, self._following(source, board, request, parsed))

    def _repeats(self, parsed: ParsedBoard) -> bool:
        """Whether the list starts again: the same first id, or not one that is new (P038)."""
        ids = [posting.key.posting_id for posting in parsed.postings]
        if not ids:
            return False
        repeats = ids[0] in self._firsts or self._ids.issuperset(ids)
        self._firsts.add(ids[0])
        return repeats

    def _following(
        self, source: Source, board: Board, request: Request, parsed: ParsedBoard
    ) -> Request | None:
        # An empty page is a list's end whatever total the board names.
        if not isinstance(source, Paged) or not parsed.rows:
            return None
        known = replace(parsed, advertised=self.advertised)
        following = source.next_request(board, request, known)
        if following is not None and self.pages >= MOST_PAGES:
            self.code = "too_many_pages"
            return None
        return following


async def later_page(
    outbound: Fetching, source: Source, board: Board, request: Request, tally: Tally
) -> Page:
    """A page after the first; an empty last one where it failed, the reason in the tally.

    A failure here costs no page that was read before: the outcome becomes partial (P038).
    """
    try:
        answer = await fetch(outbound, request)
        if answer.status == 200:
            return await tally.take(source, board, request, answer.body)
    except JobstewardError as error:
        tally.code = error.code
        return Page((), None)
    tally.http_status = answer.status
    tally.code = "blocked" if answer.status in REFUSALS else SourceUnavailableError.code
    return Page((), None)


async def fetch(outbound: Fetching, request: Request) -> Fetched:
    """The answer to a source's request, within the caps of a list."""
    return await outbound.fetch(
        request.url,
        accept=request.accept,
        body=request.body,
        private=dict(request.headers),
        max_bytes=LIST_BYTES,
        deadline=DEADLINE,
    )
