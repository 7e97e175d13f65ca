"""Lever boards, by their public postings API, on the US and the EU hosts."""

from html import escape
from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Pay, PayPeriod, Posting, PostingKey
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
from jobsteward.discover.text import markdown, one_line, paragraphs
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_API_HOSTS = ("api.lever.co", "api.eu.lever.co")
_PERIODS: dict[str, PayPeriod] = {
    "per-year-salary": "year",
    "per-month-salary": "month",
    "semi-month-salary": "unknown",
    "bi-week-salary": "unknown",
    "per-week-salary": "week",
    "per-day-wage": "day",
    "per-hour-wage": "hour",
}


class Lever:
    """Boards at lever.co; an EU board exists only at the EU hosts (P042)."""

    name = "lever"
    hosts: tuple[str, ...] = ("jobs.lever.co", "jobs.eu.lever.co", *_API_HOSTS)
    example = "https://jobs.lever.co/COMPANY"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages, postings with or without ``/apply``, and the API."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        if url.host in _API_HOSTS:
            parts = parts[2:]
        token = board_token(parts, 0)
        if token is None:
            return None
        region = "eu" if ".eu." in url.host else ""
        return Recognised(Board(self.name, token, region), parts[1] if len(parts) > 1 else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list; the API gives it in one answer."""
        host = "api.eu.lever.co" if board.region == "eu" else "api.lever.co"
        return (Request(f"https://{host}/v0/postings/{quote(board.token, safe='')}?mode=json"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of the answer, which is a bare list and advertises no total."""
        return read_each(load(payload), lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    host = "jobs.eu.lever.co" if board.region == "eu" else "jobs.lever.co"
    url = web_url(item.get("hostedUrl"), f"https://{host}/{quote(board.token)}/{quote(posting_id)}")
    categories = member(item, "categories")
    locations = _locations(categories)
    workplace = one_line(item.get("workplaceType"))
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=web_url(item.get("applyUrl"), url + "/apply"),
        title=needed(one_line(item.get("text")), "no_title"),
        company=board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(categories.get("commitment")),
        department=one_line(categories.get("department")) or one_line(categories.get("team")),
        pay=_pay(member(item, "salaryRange")),
        description=_description(item),
        posted_at=moment(item.get("createdAt")),
        updated_at=moment(item.get("updatedAt")),
    )


def _locations(categories: Item) -> tuple[str, ...]:
    every = categories.get("allLocations")
    texts = [categories.get("location"), *(every if isinstance(every, list) else [])]
    return distinct([one_line(text) for text in texts])


def _pay(salary: Item) -> tuple[Pay, ...]:
    interval = salary.get("interval")
    period = _PERIODS.get(interval, "unknown") if isinstance(interval, str) else "unknown"
    pay = pay_range(salary.get("min"), salary.get("max"), salary.get("currency"), period)
    return (pay,) if pay else ()


def _description(item: Item) -> str | None:
    """The posting's parts in the order the page shows them."""
    lists = [_section(entry) for entry in members(item, "lists")]
    parts = [
        markdown(item.get("description")) or paragraphs(item.get("descriptionPlain")),
        *lists,
        markdown(item.get("additional")) or paragraphs(item.get("additionalPlain")),
        markdown(item.get("salaryDescription")) or paragraphs(item.get("salaryDescriptionPlain")),
    ]
    return "\n\n".join(part for part in parts if part) or None


def _section(entry: Item) -> str | None:
    heading, content = one_line(entry.get("text")), entry.get("content")
    items = f"<ul>{content}</ul>" if isinstance(content, str) else ""
    return markdown((f"<h3>{escape(heading)}</h3>" if heading else "") + items)
