"""What a job source is: it knows its URLs and reads its answers, and does no I/O."""

import re
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import unquote

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


def segments(url: WebUrl) -> list[str]:
    """The parts of the path, escapes undone first: ``%2F`` separates like a slash."""
    return [part for part in unquote(url.path).split("/") if part]


_TOKEN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._&+-]{0,98}[A-Za-z0-9._+-])?")


def board_token(parts: list[str], place: int) -> str | None:
    """The board's token at that place of the path, where there is one in a safe form."""
    if place >= len(parts) or not _TOKEN.fullmatch(parts[place]):
        return None
    return parts[place]
