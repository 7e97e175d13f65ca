"""BambooHR career pages, whose provider's terms keep programs out."""

from dataclasses import replace
from typing import Literal
from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    identifier,
    load,
    member,
    moment,
    needed,
    place,
    read_each,
    read_one,
)
from jobsteward.discover.source import Recognised, Request, segments, subdomain
from jobsteward.discover.stated import stated_pay
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from, workplace_from
from jobsteward.net.urls import WebUrl

_OWN = frozenset({"www", "app", "api", "help", "partners", "resources", "documentation"})
_WORKPLACES = {"0": "On-site", "1": "Remote", "2": "Hybrid"}


class BambooHr:
    """Pages at COMPANY.bamboohr.com/careers.

    The terms of the provider forbid automated reading, so nothing is fetched. Answers that
    come another way, by capture, are read all the same.
    """

    name = "bamboohr"
    hosts: tuple[str, ...] = (".bamboohr.com",)
    example = "https://COMPANY.bamboohr.com/careers"
    closed: Literal["robots", "terms"] = "terms"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """The list, postings and their details, also in the older ``jobs/view.php`` form."""
        token = subdomain(url, self.hosts)
        if token is None or token in _OWN:
            return None
        parts = segments(url)
        posting_id = parts[1] if len(parts) > 1 and parts[0] == "careers" else ""
        return Recognised(Board(self.name, token), posting_id if posting_id.isdigit() else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list, without texts."""
        return (Request(f"{_origin(board)}/careers/list"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``result``; ``meta.totalCount`` is the board's total."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        total = member(answer, "meta").get("totalCount")
        return read_each(answer.get("result"), lambda item: _posting(board, item), total)

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """The posting's own answer, which has its text, pay and date."""
        return Request(f"{_origin(board)}/careers/{quote(posting.key.posting_id, safe='')}/detail")

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """The whole posting anew: its own answer has every field of the list and more."""
        answer = load(payload)
        result = member(answer, "result") if isinstance(answer, dict) else {}
        whole = read_one(
            result.get("jobOpening"),
            posting.key.posting_id,
            "id",
            lambda item: _posting(board, item),
        )
        return replace(whole, description=whole.description or posting.description)


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    page = f"{_origin(board)}/careers/{quote(posting_id)}"
    locations = _locations(item)
    # Where the kind is given it decides; older answers have only the flag.
    kind = _WORKPLACES.get(one_line(item.get("locationType")) or "")
    workplace = workplace_from(remote=item.get("isRemote"), hybrid=None) or kind
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=web_url(item.get("jobOpeningShareUrl"), page),
        apply_url=page,
        title=needed(one_line(item.get("jobOpeningName")), "no_title"),
        company=board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(item.get("employmentStatusLabel")),
        department=one_line(item.get("departmentLabel")),
        pay=stated_pay(one_line(item.get("compensation"))),
        description=markdown(item.get("description")),
        posted_at=moment(item.get("datePosted")),
    )


def _locations(item: Item) -> tuple[str, ...]:
    """The place of the office, or the one that was written for the advertisement."""
    office, written = member(item, "location"), member(item, "atsLocation")
    where = place(office.get("city"), office.get("state"), office.get("addressCountry"))
    region = written.get("state") or written.get("province")
    where = where or place(written.get("city"), region, written.get("country"))
    return (where,) if where else ()


def _origin(board: Board) -> str:
    return f"https://{quote(board.token)}.bamboohr.com"
