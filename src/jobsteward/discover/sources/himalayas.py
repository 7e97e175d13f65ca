"""Himalayas, remote jobs with the countries and time zones that they are open to."""

from typing import Literal
from urllib.parse import quote, quote_plus, urlsplit

from jobsteward.discover.feeds import feed_board, feed_key, parameter, searched
from jobsteward.discover.identity import web_url
from jobsteward.discover.markup_text import every_words, first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.payload import Item, identifier, load, needed, pay_range, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment
from jobsteward.net.urls import WebUrl

_SITE = "https://himalayas.app"
_PAGE = 20
_MOST_PAGES = 100
"""The list holds over 100,000 postings, newest first; reading them all would be no use."""


class Himalayas:
    """The list at himalayas.app, whole or by the words of a search, twenty to a page.

    Of the whole list the newest 2,000 are read; the outcome tells the total (P040).
    """

    name = "himalayas"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("himalayas.app", "www.himalayas.app")
    example = f"{_SITE}/jobs?q=WORDS"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Any page of the site; a search keeps its words, a posting's page names its id."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        named = len(parts) == 4 and parts[0] == "companies" and parts[2] == "jobs"
        board = feed_board(self.name, parameter(url, "q", "query"))
        return Recognised(board, "/".join(parts) if named else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The newest postings."""
        return (_page(board, 0),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobs``; ``totalCount`` is the list's total."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        return read_each(answer.get("jobs"), _posting, answer.get("totalCount"))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next twenty, while the total is not reached."""
        read = request.place + page.rows
        if read >= (page.advertised or 0) or read >= _MOST_PAGES * _PAGE:
            return None
        return _page(board, read)


def _page(board: Board, offset: int) -> Request:
    words, _ = searched(board)
    if words is None:
        return Request(f"{_SITE}/jobs/api?limit={_PAGE}&offset={offset}", place=offset)
    query = f"q={quote_plus(words)}&page={offset // _PAGE + 1}"
    return Request(f"{_SITE}/jobs/api/search?{query}", place=offset)


def _posting(item: Item) -> Posting:
    posting_id = identifier(_identity(item.get("guid")))
    url = web_url(item.get("guid"), f"{_SITE}/{quote(posting_id)}")
    pay = pay_range(item.get("minSalary"), item.get("maxSalary"), item.get("currency"), "year")
    return Posting(
        key=feed_key(Himalayas.name, posting_id),
        url=url,
        apply_url=web_url(item.get("applicationLink"), url),
        title=needed(first_words(item.get("title")), "no_title"),
        company=first_words(item.get("companyName")) or "",
        locations=tuple(dict.fromkeys(every_words(item.get("locationRestrictions")))),
        remote="yes",  # the site lists nothing else
        employment_type=first_words(item.get("employmentType")),
        department=first_words(item.get("parentCategories")) or first_words(item.get("categories")),
        pay=(pay,) if pay else (),
        description=_description(item),
        posted_at=stated_moment(item.get("pubDate")),
    )


def _identity(guid: object) -> object:
    """The path of a posting's page, which is its id, within an id's usual length."""
    if not isinstance(guid, str):
        return guid
    page = web_url(guid, "")
    return (urlsplit(page).path.strip("/") if page else guid)[-100:]


def _description(item: Item) -> str | None:
    text = text_block(item.get("description")) or text_block(item.get("excerpt"))
    zones = [_zone(word) for word in every_words(item.get("timezoneRestrictions"))]
    if not zones:
        return text
    return f"{text or ''}\n\nTime zones: {', '.join(zones)}".strip()


def _zone(word: str) -> str:
    return word if not word.lstrip("+-").replace(".", "").isdigit() else f"UTC{float(word):+g}"
