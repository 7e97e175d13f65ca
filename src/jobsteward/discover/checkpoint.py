"""A place in a board's list as it is kept between attempts, without anything secret in it.

A request may carry a person's key, in its headers or its URL. So the stored form leaves out
the headers and every URL parameter that the list's first request has just the same: those
come from the first request again when the place is read back (DIS-6).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from jobsteward.discover.model import Board
from jobsteward.discover.pages import Position
from jobsteward.discover.source import Request, Source
from jobsteward.kernel.canonical import digest
from jobsteward.kernel.errors import CursorSchemaError

SCHEMA = 1
"""Rises with every change of the stored form."""


def request_digest(source: Source, board: Board) -> str:
    """What stands for the question that a source asks about a board, as hex digits."""
    asked = [
        [request.url, (request.body or b"").decode("latin-1"), request.place]
        for request in source.list_requests(board)
    ]
    return digest(asked)


def written(position: Position, first: Request) -> dict[str, Any]:
    """The position as JSON; ``first`` is the first request of the list."""
    following = position.following
    return {
        "schema": SCHEMA,
        "next": _written_request(following, first) if following else None,
        "ended": position.ended,
        "found": position.found,
        "broken": position.broken,
        "pages": position.pages,
        "advertised": position.advertised,
    }


def read(stored: Mapping[str, Any] | None, first: Request) -> Position:
    """The position, the list's start where none is stored.

    Raises CursorSchemaError where another version of this code wrote it.
    """
    if stored is None:
        return Position()
    if stored.get("schema") != SCHEMA:
        raise CursorSchemaError("this list was begun by another version; start a new discovery")
    following = stored["next"]
    return Position(
        _read_request(following, first) if following else None,
        stored["ended"],
        stored["found"],
        stored["broken"],
        stored["pages"],
        stored["advertised"],
    )


def _written_request(request: Request, first: Request) -> dict[str, Any]:
    parts = urlsplit(request.url)
    shared = set(_parameters(first.url))
    own = [pair for pair in _parameters(request.url) if pair not in shared]
    kept = sorted({name for name, _ in shared} - {name for name, _ in own})
    return {
        "url": urlunsplit(parts._replace(query=urlencode(own))),
        "kept": kept,
        "body": request.body.decode("utf-8") if request.body is not None else None,
        "place": request.place,
        "accept": request.accept,
    }


def _read_request(stored: Mapping[str, Any], first: Request) -> Request:
    parts = urlsplit(stored["url"])
    kept = [pair for pair in _parameters(first.url) if pair[0] in stored["kept"]]
    query = urlencode([*kept, *_parameters(stored["url"])])
    body = stored["body"]
    return replace(
        first,
        url=urlunsplit(parts._replace(query=query)),
        body=body.encode() if body is not None else None,
        place=stored["place"],
        accept=stored["accept"],
    )


def _parameters(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)
