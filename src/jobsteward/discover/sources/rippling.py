"""Rippling boards, by their public board API."""

import re
from dataclasses import replace
from urllib.parse import quote

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
    pay_period,
    pay_range,
    read_each,
    read_one,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments
from jobsteward.discover.text import one_line, sections
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_HOST, _API_HOST = "ats.rippling.com", "api.rippling.com"
_LOCALE = re.compile(r"[a-z]{2}-[A-Z]{2}")


class Rippling:
    """Boards at ats.rippling.com."""

    name = "rippling"
    hosts: tuple[str, ...] = (_HOST, _API_HOST)
    example = f"https://{_HOST}/COMPANY/jobs"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages and postings, with or without a locale or ``/apply``, and both APIs."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        if "board" in parts and (url.host == _API_HOST or parts[0] == "api"):
            parts = parts[parts.index("board") + 1 :]
        elif url.host == _API_HOST:
            return None
        elif parts and _LOCALE.fullmatch(parts[0]):
            parts = parts[1:]
        token = board_token(parts, 0)
        if token is None:
            return None
        named = parts[2] if len(parts) > 2 and parts[1] == "jobs" else None
        return Recognised(Board(self.name, token), named)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list, without texts or dates."""
        return (Request(_jobs(board)),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of the bare list, or of ``items`` in the newer form of the answer.

        One that is open in several places comes once for each.
        """
        answer = load(payload)
        rows = answer.get("items") if isinstance(answer, dict) else answer
        return read_each(rows, lambda item: _posting(board, item))

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """The posting's own answer, which has its text, pay and date."""
        return Request(f"{_jobs(board)}/{quote(posting.key.posting_id, safe='')}")

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """Text, pay, date, kind of employment and every place."""
        whole = read_one(
            load(payload), posting.key.posting_id, "uuid", lambda item: _posting(board, item)
        )
        locations = whole.locations or posting.locations
        return replace(
            whole,
            url=posting.url,
            apply_url=posting.apply_url,
            locations=locations,
            remote=remote_from(whole.workplace or posting.workplace, locations),
            workplace=whole.workplace or posting.workplace,
            department=whole.department or posting.department,
            description=whole.description or posting.description,
        )


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("uuid") or item.get("id"))
    page = f"https://{_HOST}/{quote(board.token)}/jobs/{quote(posting_id)}"
    url = web_url(item.get("url"), page)
    locations = _locations(item)
    kinds = {one_line(entry.get("workplaceType")) for entry in members(item, "locations")}
    workplace = kinds.pop() if len(kinds) == 1 else None
    department, kind = member(item, "department"), member(item, "employmentType")
    text = member(item, "description")
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}/apply",
        title=needed(one_line(item.get("name")), "no_title"),
        company=one_line(item.get("companyName")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        # The API has the words for people under "id" and its own code under "label".
        employment_type=one_line(kind.get("id")) or one_line(kind.get("label")),
        department=one_line(department.get("label")) or one_line(department.get("name")),
        pay=_pay(item),
        description=sections((None, text[name]) for name in text),
        posted_at=moment(item.get("createdOn")),
    )


def _locations(item: Item) -> tuple[str, ...]:
    several = item.get("workLocations")
    named = [entry.get("name") for entry in members(item, "locations")]
    every = [
        member(item, "workLocation").get("label"),
        *(several if isinstance(several, list) else []),
        *named,
    ]
    return distinct([one_line(text) for text in every])


def _pay(item: Item) -> tuple[Pay, ...]:
    ranges = [
        pay_range(
            entry.get("rangeStart"),
            entry.get("rangeEnd"),
            entry.get("currency"),
            pay_period(entry.get("frequency")),
        )
        for entry in members(item, "payRangeDetails")
    ]
    return tuple(dict.fromkeys(pay for pay in ranges if pay))


def _jobs(board: Board) -> str:
    token = quote(board.token, safe="")
    return f"https://{_API_HOST}/platform/api/ats/v1/board/{token}/jobs"
