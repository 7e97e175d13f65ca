"""What the suite has to know of a provider's list answer, to write one."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from jobsteward.discover.model import Board, Remote

Row = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """One provider's list: a whole row with all its fields, and how rows become an answer.

    ``item(**changes)`` gives the whole row, ``row(id, title)`` one with nothing else;
    where either is None its field is left out. ``wrap`` makes the answer of rows;
    ``root`` is the XML element around it, "" for JSON.
    """

    board: Board
    item: Callable[..., Row]
    row: Callable[[str | None, str | None], Row]
    wrap: Callable[[list[Any]], Any]
    root: str = ""
    detail: Row | None = None
    """The answer for the single posting, where lists leave something out."""
    remote: Remote = "unknown"
    """What a row with nothing but id and title says of remote work: some sites list no other."""

    def payload(self, rows: list[Any]) -> bytes:
        """A list answer of those rows."""
        value = self.wrap(rows)
        return _xml(self.root, value).encode() if self.root else json.dumps(value).encode()


def fields(id_name: str, title_name: str) -> Callable[[str | None, str | None], Row]:
    """A `Shape.row` for rows that have their id and title under plain names."""

    def row(posting_id: str | None, title: str | None) -> Row:
        given = {id_name: posting_id, title_name: title}
        return {name: value for name, value in given.items() if value is not None}

    return row


def under(name: str) -> Callable[[list[Any]], Any]:
    """A `Shape.wrap` for answers with their rows under a name."""
    return lambda rows: {name: rows}


def _xml(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "".join(_xml(name, entry) for entry in value)
    tag = name.partition(" ")[0]
    if isinstance(value, dict):
        return f"<{name}>{''.join(_xml(key, entry) for key, entry in value.items())}</{tag}>"
    return f"<{name}>{escape(str(value))}</{tag}>" if value is not None else ""
