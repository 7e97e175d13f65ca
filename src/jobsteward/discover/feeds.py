"""What the sources that list many employers' jobs have in common: one list, or one search."""

import re
from typing import Literal, Protocol, runtime_checkable
from urllib.parse import parse_qs

from jobsteward.discover.model import Board, PostingKey
from jobsteward.net.urls import WebUrl

ALL = "all"
"""The token of a feed's whole list; any other token is the words of a search in it."""

_WORDS = re.compile(r"[\w .&+#/'(),-]{1,100}")


@runtime_checkable
class Aggregator(Protocol):
    """A source that repeats what many employers post elsewhere: its ids and URLs are hints
    at a job, and two of them are no proof of two openings (P024)."""

    aggregator: Literal[True]


def feed_board(
    provider: str, words: str | None = None, region: str = "", place: str | None = None
) -> Board:
    """The board of a search, or of the whole list where the words are none or unsafe.

    The place that a search is bound to follows an ``@`` in the token.
    """
    token = _safe(words) or ALL
    near = _safe(place)
    return Board(provider, f"{token}@{near}" if near else token, region)


def searched(board: Board) -> tuple[str | None, str | None]:
    """The words and the place of the board's search; None for what it leaves open."""
    words, _, place = board.token.partition("@")
    return None if words == ALL else words, place or None


def feed_key(provider: str, posting_id: str, region: str = "") -> PostingKey:
    """One posting's identity in a feed, whichever search found it."""
    return PostingKey(provider, Board(provider, ALL, region).key, posting_id)


def parameter(url: WebUrl, *names: str) -> str | None:
    """The first value of the first of these query parameters that the URL has."""
    query = parse_qs(url.query)
    return next((query[name][0] for name in names if name in query), None)


def _safe(words: str | None) -> str | None:
    text = " ".join((words or "").replace("@", " ").split())
    return text if _WORDS.fullmatch(text) else None
