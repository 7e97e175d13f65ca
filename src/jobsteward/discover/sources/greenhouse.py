"""Greenhouse boards, by their public job board API."""

from html import unescape
from urllib.parse import parse_qs, quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    members,
    moment,
    needed,
    pay_range,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_API = "https://boards-api.greenhouse.io"
_EU_API = "https://boards-api.eu.greenhouse.io"
_API_HOSTS = ("boards-api.greenhouse.io", "boards-api.eu.greenhouse.io", "api.greenhouse.io")
_PLACE_SEPARATORS = str.maketrans(";•", "||")
_WORKPLACE_FIELDS = ("location type", "workplace type", "work location type", "remote status")


class Greenhouse:
    """Boards at greenhouse.io. An EU board is asked for at the EU host, then at the usual one,
    since either may be the one that knows it."""

    name = "greenhouse"
    hosts: tuple[str, ...] = (
        "boards.greenhouse.io",
        "job-boards.greenhouse.io",
        "boards.eu.greenhouse.io",
        "job-boards.eu.greenhouse.io",
        *_API_HOSTS,
    )
    example = "https://job-boards.greenhouse.io/COMPANY"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages, postings, the embedded board (``embed/job_board?for=``) and the API."""
        if url.host not in self.hosts:
            return None
        parts, query = segments(url), parse_qs(url.query)
        posting_id = _first(query, "gh_jid")
        if url.host in _API_HOSTS:
            token, rest = board_token(parts, 2), parts[3:]
        elif parts[:1] == ["embed"]:
            token, rest = board_token(query.get("for", []), 0), []
            posting_id = posting_id or _first(query, "token")
        else:
            token, rest = board_token(parts, 0), parts[1:]
        if token is None:
            return None
        if len(rest) >= 2 and rest[0] == "jobs":
            posting_id = rest[1]
        region = "eu" if ".eu." in url.host else ""
        return Recognised(Board(self.name, token, region), posting_id)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The list with every posting's text: without it, text filters would see nothing."""
        path = f"/v1/boards/{quote(board.token, safe='')}/jobs?content=true"
        hosts = (_EU_API, _API) if board.region == "eu" else (_API,)
        return tuple(Request(host + path) for host in hosts)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobs``; ``meta.total`` is what the board advertises."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        total = member(answer, "meta").get("total")
        return read_each(answer.get("jobs"), lambda item: _posting(board, item), total)


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    host = "job-boards.eu.greenhouse.io" if board.region == "eu" else "job-boards.greenhouse.io"
    page = f"https://{host}/{quote(board.token)}/jobs/{quote(posting_id)}"
    url = web_url(item.get("absolute_url"), page)
    workplace = _workplace(item)
    locations = _locations(item)
    content = item.get("content")
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=url,
        title=needed(one_line(item.get("title")), "no_title"),
        company=one_line(item.get("company_name")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        department=one_line(next((d.get("name") for d in members(item, "departments")), None)),
        pay=_pay(item),
        # The API escapes the HTML once more inside its JSON string.
        description=markdown(unescape(content)) if isinstance(content, str) else None,
        posted_at=moment(item.get("first_published")),
        updated_at=moment(item.get("updated_at")),
    )


def _first(query: dict[str, list[str]], name: str) -> str | None:
    return next(iter(query.get(name, [])), None)


def _locations(item: Item) -> tuple[str, ...]:
    name = one_line(member(item, "location").get("name")) or ""
    stated = distinct([one_line(part) for part in name.translate(_PLACE_SEPARATORS).split("|")])
    if stated:
        return stated
    offices = members(item, "offices")
    return distinct([one_line(office.get("location") or office.get("name")) for office in offices])


def _workplace(item: Item) -> str | None:
    for field in members(item, "metadata"):
        name = one_line(field.get("name")) or ""
        if name.lower() in _WORKPLACE_FIELDS:
            return one_line(field.get("value"))
    return None


def _pay(item: Item) -> tuple[Pay, ...]:
    ranges = [
        pay_range(
            _whole(entry.get("min_cents")),
            _whole(entry.get("max_cents")),
            entry.get("currency_type"),
            "unknown",  # the API names no period
        )
        for entry in members(item, "pay_input_ranges")
    ]
    return tuple(dict.fromkeys(pay for pay in ranges if pay))


def _whole(cents: object) -> float | None:
    return cents / 100 if type(cents) is int else None
