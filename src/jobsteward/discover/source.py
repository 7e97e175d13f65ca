"""What a job source is: it knows its URLs and reads its answers, and does no I/O."""

import re
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable
from urllib.parse import unquote

from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.net.urls import WebUrl


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a URL leads to: a board, and where it names one, a posting on it."""

    board: Board
    posting_id: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What to ask a provider for: a GET, or with a ``body`` a POST of that JSON.

    ``place`` says where in a list of many pages this one starts, in the provider's own
    counting (an offset or a page number). ``headers`` never follow a redirect to another host.
    """

    url: str
    body: bytes | None = None
    place: int = 0
    accept: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


class Source(Protocol):
    """One provider of job boards. A new one is one file here and one entry in SOURCES.

    A source whose lists come in pages is `Paged` too, one whose lists leave out the texts
    is `Detailed`, one that is asked for words and places is `Searched`, and one that its
    provider keeps closed is `Closed`.
    """

    name: str
    """The provider, as in ``Board.provider``."""
    hosts: tuple[str, ...]
    """Hosts whose URLs belong to this provider; ``.acme.example`` means every host below."""
    example: str
    """A URL to paste, for messages."""

    def recognise(self, url: WebUrl) -> Recognised | None:
        """The board that a URL of this provider names, or None."""
        ...

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """Where the board's list starts; a later one is tried where an earlier has nothing."""
        ...

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """The postings in a list answer; one broken posting never loses the rest.

        Raises SourceUnavailableError where the answer is no list at all.
        """
        ...


@runtime_checkable
class Paged(Protocol):
    """A source whose lists may need more than one request."""

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """What to ask after ``request`` was answered with ``page``; None at the list's end.

        The page's ``advertised`` is the highest total that any page named so far. It need
        not fear an endless list: the reader stops where a page repeats.
        """
        ...


@runtime_checkable
class Detailed(Protocol):
    """A source whose lists leave out what only a posting's own answer holds."""

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """Where the whole of a posting is read."""
        ...

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """The posting with all that its own answer adds; what that leaves out stays.

        Raises SourceUnavailableError where the answer is no posting.
        """
        ...


@runtime_checkable
class Searched(Protocol):
    """A source that answers words and places, rather than being read whole."""

    def search(self, board: Board, query: str, place: str) -> Board:
        """The board whose list answers that question; "" leaves a part of it open."""
        ...


@runtime_checkable
class Closed(Protocol):
    """A source that its provider does not let programs read: nothing is fetched (DIS-11)."""

    closed: Literal["robots", "terms"]
    """Where the provider says so; the outcome's code is ``closed_by_`` and this word."""


def belongs(host: str, hosts: tuple[str, ...]) -> bool:
    """Whether the host is one of a source's ``hosts`` or below one that starts with a dot."""
    return any(host == name or (name[0] == "." and host.endswith(name)) for name in hosts)


def subdomain(url: WebUrl, suffixes: tuple[str, ...]) -> str | None:
    """The part before one of the suffixes (``.acme.example``), where it is a single label."""
    for suffix in suffixes:
        if url.host.endswith(suffix):
            label = url.host.removesuffix(suffix)
            return label if label and "." not in label else None
    return None


def segments(url: WebUrl) -> list[str]:
    """The parts of the path, escapes undone first: ``%2F`` separates like a slash."""
    return [part for part in unquote(url.path).split("/") if part]


_TOKEN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._&+-]{0,98}[A-Za-z0-9._+-])?")


def board_token(parts: list[str], place: int) -> str | None:
    """The board's token at that place of the path, where there is one in a safe form."""
    if place >= len(parts) or not _TOKEN.fullmatch(parts[place]):
        return None
    return parts[place]
