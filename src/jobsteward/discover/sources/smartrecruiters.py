"""SmartRecruiters boards, whose provider lets programs of others read none of them."""

from dataclasses import replace
from typing import Literal
from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    identifier,
    load,
    member,
    members,
    moment,
    needed,
    pay_period,
    pay_range,
    place,
    read_each,
    read_one,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments
from jobsteward.discover.text import one_line, sections
from jobsteward.discover.workplace import remote_from, workplace_from
from jobsteward.net.urls import WebUrl

_API_HOST = "api.smartrecruiters.com"
_PAGE = 100
_PARTS = ("companyDescription", "jobDescription", "qualifications", "additionalInformation")


class SmartRecruiters:
    """Boards at smartrecruiters.com.

    The robots.txt of the API's host keeps all but one named reader out, so nothing is
    fetched. Answers that come another way, by capture, are read all the same.
    """

    name = "smartrecruiters"
    hosts: tuple[str, ...] = (
        "jobs.smartrecruiters.com",
        "careers.smartrecruiters.com",
        _API_HOST,
    )
    example = "https://careers.smartrecruiters.com/COMPANY"
    closed: Literal["robots", "terms"] = "robots"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages, postings with their slug, the one-click form and the API."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        if url.host == _API_HOST:
            parts = [part for part in parts[2:] if part != "postings"]
        elif parts[:2] == ["oneclick-ui", "company"]:
            parts = parts[2:3]
        token = board_token(parts, 0)
        if token is None:
            return None
        posting_id = parts[1].partition("-")[0] if len(parts) > 1 else ""
        return Recognised(Board(self.name, token), posting_id if posting_id.isdigit() else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The first hundred; an unknown company has an empty list, not a 404."""
        return (_page(board, 0),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``content``, without texts; ``totalFound`` is the board's total."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        rows, total = answer.get("content"), answer.get("totalFound")
        return read_each(rows, lambda item: _posting(board, item), total)

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next offset, while the total is not reached."""
        following = request.place + page.rows
        return _page(board, following) if following < (page.advertised or 0) else None

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """The posting's own answer, which has its text and pay."""
        return Request(f"{_postings(board)}/{quote(posting.key.posting_id, safe='')}")

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """The whole posting anew: its own answer has every field of the list and more."""
        whole = read_one(
            load(payload), posting.key.posting_id, "id", lambda item: _posting(board, item)
        )
        return replace(whole, description=whole.description or posting.description)


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    page = f"https://jobs.smartrecruiters.com/{quote(board.token)}/{quote(posting_id)}"
    url = web_url(item.get("postingUrl"), page)
    location = member(item, "location")
    stated = one_line(location.get("fullLocation"))
    parts = [location.get(name) for name in ("city", "region", "country")]
    # A missing region leaves "Warsaw, , Poland".
    where = place(*stated.split(",")) if stated else place(*parts)
    locations = (where,) if where else ()
    workplace = workplace_from(remote=location.get("remote"), hybrid=location.get("hybrid"))
    ad = member(member(item, "jobAd"), "sections")
    parts_of_ad = [member(ad, name) for name in _PARTS]
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=web_url(item.get("applyUrl"), url),
        title=needed(one_line(item.get("name")), "no_title"),
        company=one_line(member(item, "company").get("name")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(member(item, "typeOfEmployment").get("label")),
        department=_department(item),
        pay=_pay(member(item, "compensation")),
        description=sections((part.get("title"), part.get("text")) for part in parts_of_ad),
        posted_at=moment(item.get("releasedDate")),
    )


def _department(item: Item) -> str | None:
    stated = [member(item, name).get("label") for name in ("department", "function")]
    stated += [
        field.get("valueLabel")
        for field in members(item, "customField")
        if field.get("fieldLabel") == "Department"
    ]
    return next((line for label in stated if (line := one_line(label))), None)


def _pay(compensation: Item) -> tuple[Pay, ...]:
    pay = pay_range(
        compensation.get("min"),
        compensation.get("max"),
        compensation.get("currency"),
        pay_period(compensation.get("period")),
    )
    return (pay,) if pay else ()


def _postings(board: Board) -> str:
    return f"https://{_API_HOST}/v1/companies/{quote(board.token, safe='')}/postings"


def _page(board: Board, offset: int) -> Request:
    return Request(f"{_postings(board)}?limit={_PAGE}&offset={offset}", place=offset)
