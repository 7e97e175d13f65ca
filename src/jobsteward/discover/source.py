"""What a job source is: it knows its URLs and reads its answers, and does no I/O."""

from dataclasses import dataclass
from typing import Protocol

from jobsteward.discover.model import Board, ParsedBoard
from jobsteward.net.urls import WebUrl


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a URL leads to: a board, and where it names one, a posting on it."""

    board: Board
    posting_id: str | None = None


class Source(Protocol):
    """One provider of job boards. A new one is one file here and one entry in SOURCES."""

    name: str
    """The provider, as in ``Board.provider``."""
    hosts: tuple[str, ...]
    """Hosts whose URLs belong to this provider."""
    example: str
    """A URL to paste, for messages."""

    def recognise(self, url: WebUrl) -> Recognised | None:
        """The board that a URL of this provider names, or None."""
        ...

    def list_urls(self, board: Board) -> tuple[str, ...]:
        """Where the board's list is read; a later one is tried where an earlier has nothing."""
        ...

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """The postings in a list answer; one broken posting never loses the rest.

        Raises SourceUnavailableError where the answer is no list at all.
        """
        ...
