"""Pinpoint career sites, by the public list of their postings."""

from urllib.parse import quote, urljoin

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    identifier,
    load,
    member,
    needed,
    pay_period,
    pay_range,
    place,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments, subdomain
from jobsteward.discover.stated import figure
from jobsteward.discover.text import one_line, sections
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_OWN = frozenset({"www", "app", "api", "developers", "help"})
_TEXTS = ("key_responsibilities", "skills_knowledge_expertise", "benefits")


class Pinpoint:
    """Sites at COMPANY.pinpointhq.com."""

    name = "pinpoint"
    hosts: tuple[str, ...] = (".pinpointhq.com",)
    example = "https://COMPANY.pinpointhq.com"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Site pages and postings in any language, and the list."""
        token = subdomain(url, self.hosts)
        if token is None or token in _OWN:
            return None
        parts = segments(url)
        named = parts[parts.index("postings") + 1 :] if "postings" in parts else []
        return Recognised(Board(self.name, token), named[0] if named else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list with every posting's text."""
        return (Request(f"{_origin(board)}/postings.json"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``data``, without dates; Pinpoint advertises no total."""
        answer = load(payload)
        rows = answer.get("data") if isinstance(answer, dict) else None
        return read_each(rows, lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    page = f"{_origin(board)}/en/postings/{quote(posting_id)}"
    path = one_line(item.get("path")) or ""
    by_path = urljoin(_origin(board), path) if path.startswith("/postings/") else page
    url = web_url(item.get("url"), web_url(by_path, page))
    locations = _locations(member(item, "location"))
    workplace = one_line(item.get("workplace_type"))
    department = member(member(item, "job"), "department") or member(item, "department")
    kind = one_line(item.get("employment_type_text")) or one_line(item.get("employment_type"))
    texts = [(item.get(f"{name}_header"), item.get(name)) for name in _TEXTS]
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}/applications/new",
        title=needed(one_line(item.get("title")), "no_title"),
        company=board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=kind,
        department=one_line(department.get("name")),
        pay=_pay(item),
        description=sections([(None, item.get("description")), *texts]),
    )


def _locations(location: Item) -> tuple[str, ...]:
    """The place as the site shows it; a city is put before a name that lacks it."""
    name, city = one_line(location.get("name")), one_line(location.get("city"))
    where = name if name and city and city in name else place(city, name)
    return (where,) if where else ()


def _pay(item: Item) -> tuple[Pay, ...]:
    if item.get("compensation_visible") is False:
        return ()
    pay = pay_range(
        figure(item.get("compensation_minimum")),
        figure(item.get("compensation_maximum")),
        item.get("compensation_currency"),
        pay_period(item.get("compensation_frequency")),
    )
    return (pay,) if pay else ()


def _origin(board: Board) -> str:
    return f"https://{quote(board.token)}.pinpointhq.com"
