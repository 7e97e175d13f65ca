"""Arbeitnow, mostly jobs in Germany, by its public API."""

from typing import Literal
from urllib.parse import quote

from jobsteward.discover.feeds import feed_board, feed_key
from jobsteward.discover.identity import web_url
from jobsteward.discover.markup_text import every_words, first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.payload import Item, identifier, load, member, needed, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_SITE = "https://www.arbeitnow.com"


class Arbeitnow:
    """The list at arbeitnow.com, newest first, a hundred to a page."""

    name = "arbeitnow"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("www.arbeitnow.com", "arbeitnow.com")
    example = f"{_SITE}/jobs"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Any page of the site; a posting's page ends in its id."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        named = parts[:2] == ["jobs", "companies"] and len(parts) > 3
        return Recognised(feed_board(self.name), parts[3] if named else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The first page."""
        return (_page(1),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``data``; ``meta.total`` where the API gives one."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        return read_each(answer.get("data"), _posting, member(answer, "meta").get("total"))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next page, until the total is reached or a page is empty."""
        if page.advertised is not None and request.place * page.rows >= page.advertised:
            return None
        return _page(request.place + 1)


def _page(number: int) -> Request:
    return Request(f"{_SITE}/api/job-board-api?page={number}", place=number)


def _posting(item: Item) -> Posting:
    posting_id = identifier(item.get("slug"))
    url = web_url(item.get("url"), f"{_SITE}/jobs/{quote(posting_id)}")
    place = first_words(item.get("location"))
    locations = (place,) if place else ()
    return Posting(
        key=feed_key(Arbeitnow.name, posting_id),
        url=url,
        apply_url=url,
        title=needed(first_words(item.get("title")), "no_title"),
        company=first_words(item.get("company_name")) or "",
        locations=locations,
        # A false flag may be a mere default, so it says nothing.
        remote="yes" if item.get("remote") is True else remote_from(None, locations),
        employment_type=", ".join(every_words(item.get("job_types"))) or None,
        department=", ".join(every_words(item.get("tags"))) or None,
        description=text_block(item.get("description")),
        posted_at=stated_moment(item.get("created_at")),
    )
