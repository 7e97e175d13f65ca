"""Recruitee career sites, by the public offers of their own pages."""

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
    needed,
    pay_period,
    pay_range,
    place,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments, subdomain
from jobsteward.discover.stated import figure, stated_moment
from jobsteward.discover.text import one_line, sections
from jobsteward.discover.workplace import remote_from, workplace_from
from jobsteward.net.urls import WebUrl

_OWN = frozenset({"www", "app", "api", "docs", "support", "careers"})


class Recruitee:
    """Sites at COMPANY.recruitee.com.

    From February 2027 the offers need a token of the employer; a site that then refuses
    is reported as blocked like any other.
    """

    name = "recruitee"
    hosts: tuple[str, ...] = (".recruitee.com",)
    example = "https://COMPANY.recruitee.com"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Site pages, offers with or without their form, and the API; an offer by its slug."""
        token = subdomain(url, self.hosts)
        if token is None or token in _OWN:
            return None
        parts = segments(url)
        slug = parts[parts.index("o") + 1 :] if "o" in parts else []
        return Recognised(Board(self.name, token), slug[0] if slug else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list with every offer's text."""
        return (Request(f"https://{quote(board.token)}.recruitee.com/api/offers/"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Offers that are published; Recruitee advertises no total."""
        answer = load(payload)
        offers = answer.get("offers") if isinstance(answer, dict) else None
        return read_each(offers, lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting | None:
    if (one_line(item.get("status")) or "published") != "published":
        return None
    posting_id = identifier(item.get("id"))
    slug = one_line(item.get("slug")) or posting_id
    url = web_url(
        item.get("careers_url"), f"https://{quote(board.token)}.recruitee.com/o/{quote(slug)}"
    )
    locations = _locations(item)
    workplace = workplace_from(
        remote=item.get("remote"), hybrid=item.get("hybrid"), on_site=item.get("on_site")
    )
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=web_url(item.get("careers_apply_url"), f"{url}/c/new"),
        title=needed(one_line(item.get("title")), "no_title"),
        company=one_line(item.get("company_name")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(item.get("employment_type_code")),
        department=one_line(item.get("department")),
        pay=_pay(member(item, "salary")),
        description=sections([(None, item.get("description")), (None, item.get("requirements"))]),
        posted_at=stated_moment(item.get("published_at")),
        updated_at=stated_moment(item.get("updated_at")),
    )


def _locations(item: Item) -> tuple[str, ...]:
    listed = [_place(entry, "state") for entry in members(item, "locations")]
    stated = one_line(item.get("location"))
    places = listed or [place(*stated.split(",")) if stated else _place(item, "state_name")]
    return distinct(places)


def _place(item: Item, state: str) -> str | None:
    where = place(item.get("city"), item.get(state), item.get("country"))
    return where or one_line(item.get("name"))


def _pay(salary: Item) -> tuple[Pay, ...]:
    pay = pay_range(
        figure(salary.get("min")),
        figure(salary.get("max")),
        salary.get("currency"),
        pay_period(salary.get("period")),
    )
    return (pay,) if pay else ()
