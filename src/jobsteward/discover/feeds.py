"""What the sources that list many employers' jobs have in common: one list, or one search."""

from typing import Literal, Protocol, runtime_checkable
from urllib.parse import parse_qs

from jobsteward.discover.model import Board, PostingKey
from jobsteward.discover.source import board_token
from jobsteward.net.urls import WebUrl

ALL = "all"
"""The token of a feed's whole list; any other token is the words of a search in it."""


@runtime_checkable
class Aggregator(Protocol):
    """A source that repeats what many employers post elsewhere: its ids and URLs are hints
    at a job, and two of them are no proof of two openings (P024)."""

    aggregator: Literal[True]


def feed_board(provider: str, words: str | None = None, region: str = "") -> Board:
    """The board of a search, or of the whole list where the words are none or unsafe."""
    return Board(provider, board_token([words.strip()] if words else [], 0) or ALL, region)


def searched(board: Board) -> str | None:
    """The words of the board's search; None for the whole list."""
    return None if board.token == ALL else board.token


def feed_key(provider: str, posting_id: str, region: str = "") -> PostingKey:
    """One posting's identity in a feed, whichever search found it."""
    return PostingKey(provider, Board(provider, ALL, region).key, posting_id)


def parameter(url: WebUrl, *names: str) -> str | None:
    """The first value of the first of these query parameters that the URL has."""
    query = parse_qs(url.query)
    return next((query[name][0] for name in names if name in query), None)
