"""Workable boards, by the public feed of their job widget."""

from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    members,
    moment,
    needed,
    place,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments, subdomain
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from, workplace_from
from jobsteward.net.urls import WebUrl

_HOST = "apply.workable.com"
_OWN = frozenset({"www", "jobs", "help", "apply", "resources", "workable"})


class Workable:
    """Boards at apply.workable.com and at COMPANY.workable.com."""

    name = "workable"
    hosts: tuple[str, ...] = (_HOST, ".workable.com")
    example = f"https://{_HOST}/COMPANY"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages, postings with or without ``/apply``, and the widget's feed.

        A short link (``/j/CODE``) names no company and so no board.
        """
        parts = segments(url)
        if url.host == _HOST:
            if parts[:1] == ["api"]:
                parts = parts[parts.index("accounts") + 1 :] if "accounts" in parts else []
            token, rest = board_token(parts, 0), parts[1:]
            token = None if token == "j" else token
        else:
            token, rest = subdomain(url, (".workable.com",)), parts
            token = None if token in _OWN else token
        if token is None:
            return None
        posting_id = rest[1] if len(rest) > 1 and rest[0] in {"j", "jobs"} else None
        return Recognised(Board(self.name, token), posting_id)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list with every posting's text."""
        token = quote(board.token, safe="")
        return (Request(f"https://{_HOST}/api/v1/widget/accounts/{token}?details=true"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobs``; one that is open in several places comes once for each."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        company = one_line(answer.get("name")) or board.token
        return read_each(answer.get("jobs"), lambda item: _posting(board, company, item))


def _posting(board: Board, company: str, item: Item) -> Posting:
    posting_id = identifier(item.get("shortcode"))
    page = f"https://{_HOST}/{quote(board.token)}/j/{quote(posting_id)}"
    url = web_url(item.get("url"), page)
    locations = _locations(item)
    stated = one_line(item.get("workplace_type"))
    workplace = stated or workplace_from(remote=item.get("telecommuting"), hybrid=None)
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=web_url(item.get("application_url"), f"{url}/apply"),
        title=needed(one_line(item.get("title")), "no_title"),
        company=company,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(item.get("employment_type")),
        department=one_line(item.get("department")),
        description=markdown(item.get("description")),
        posted_at=moment(item.get("published_on")) or moment(item.get("created_at")),
    )


def _locations(item: Item) -> tuple[str, ...]:
    """The places that the board shows; an employer may hide single ones."""
    listed = members(item, "locations")
    shown = [entry for entry in listed if entry.get("hidden") is not True]
    places = [
        place(entry.get("city"), entry.get("region"), entry.get("country")) for entry in shown
    ]
    if listed:
        return distinct(places)
    return distinct([place(item.get("city"), item.get("state"), item.get("country"))])
