"""Breezy career pages, whose provider's terms keep programs out."""

from typing import Literal
from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    members,
    moment,
    needed,
    place,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments, subdomain
from jobsteward.discover.stated import stated_pay
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from, workplace_from
from jobsteward.net.urls import WebUrl

_OWN = frozenset({"www", "app", "api", "developer", "help", "marketplace"})


class Breezy:
    """Pages at COMPANY.breezy.hr.

    The terms of the provider forbid automated reading, so nothing is fetched. Answers that
    come another way, by capture, are read all the same.
    """

    name = "breezy"
    hosts: tuple[str, ...] = (".breezy.hr",)
    example = "https://COMPANY.breezy.hr"
    closed: Literal["robots", "terms"] = "terms"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """The list, postings with or without ``/apply``, and the feed."""
        token = subdomain(url, self.hosts)
        if token is None or token in _OWN:
            return None
        parts = segments(url)
        named = parts[parts.index("p") + 1 :] if "p" in parts else []
        return Recognised(Board(self.name, token), named[0].partition("-")[0] if named else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list with every posting's text."""
        return (Request(f"https://{quote(board.token)}.breezy.hr/json?verbose=true"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of the answer, which is a bare list and advertises no total."""
        return read_each(load(payload), lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    page = f"https://{quote(board.token)}.breezy.hr/p/{quote(posting_id)}"
    url = web_url(item.get("url"), page)
    places = members(item, "locations") or [member(item, "location")]
    locations = distinct([_place(entry) for entry in places])
    remote = any(entry.get("is_remote") is True for entry in places)
    workplace = workplace_from(remote=remote, hybrid=None)
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}/apply",
        title=needed(one_line(item.get("name")), "no_title"),
        company=one_line(member(item, "company").get("name")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(member(item, "type").get("name")),
        department=one_line(item.get("department")),
        pay=stated_pay(one_line(item.get("salary"))),
        description=markdown(item.get("description")),
        posted_at=moment(item.get("published_date")),
    )


def _place(entry: Item) -> str | None:
    state, country = member(entry, "state").get("name"), member(entry, "country").get("name")
    return one_line(entry.get("name")) or place(entry.get("city"), state, country)
