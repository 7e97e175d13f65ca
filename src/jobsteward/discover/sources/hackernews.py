"""Hacker News, the monthly thread "Who is hiring?", by the search API that its site uses."""

from typing import Literal
from urllib.parse import parse_qs, quote

from jobsteward.discover.feeds import ALL, feed_board, feed_key
from jobsteward.discover.hiring_header import read_header
from jobsteward.discover.markup_text import first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.payload import (
    BrokenPostingError,
    Item,
    identifier,
    load,
    read_each,
)
from jobsteward.discover.source import Recognised, Request
from jobsteward.discover.stated import stated_moment
from jobsteward.kernel.errors import SourceUnavailableError
from jobsteward.net.urls import WebUrl

_API = "https://hn.algolia.com/api/v1/search_by_date"
_SITE = "https://news.ycombinator.com"
_PAGE = 500


class HackerNews:
    """The newest thread, or the thread whose number is the board's token.

    Only answers to the thread itself are postings. One whose first line is no header of
    employer and role is counted as broken: what it offers cannot be told.
    """

    name = "hackernews"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("news.ycombinator.com", "hn.algolia.com")
    example = f"{_SITE}/item?id=THREAD"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """A thread's page, else the newest thread."""
        if url.host not in self.hosts:
            return None
        number = parse_qs(url.query).get("id", [""])[0]
        return Recognised(feed_board(self.name, number if number.isdigit() else None))

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """For the newest thread its number, for a named one its first answers."""
        if board.token != ALL:
            return (_answers(board.token, 0),)
        query = "tags=story,author_whoishiring&query=%22who%20is%20hiring%22&hitsPerPage=5"
        return (Request(f"{_API}?{query}"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """The postings among ``hits``; of a list of threads, only which is the newest."""
        answer = load(payload)
        hits = answer.get("hits") if isinstance(answer, dict) else None
        threads = [hit for hit in hits if _is_thread(hit)] if isinstance(hits, list) else []
        if threads:
            return ParsedBoard((), rows=1, more=f"{_number(threads[0])}/0")
        page = read_each(hits, _posting)
        return ParsedBoard(page.postings, page.broken, None, page.rows, _next_page(answer))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The newest thread's answers, then page by page."""
        if page.more is None:
            return None
        thread, _, number = page.more.partition("/")
        return _answers(thread, int(number))


def _answers(thread: str, number: int) -> Request:
    query = f"tags=comment,story_{thread}&hitsPerPage={_PAGE}&page={number}"
    return Request(f"{_API}?{query}", place=number)


def _is_thread(hit: object) -> bool:
    return isinstance(hit, dict) and "who is hiring" in str(hit.get("title")).lower()


def _number(thread: Item) -> str:
    number = str(thread.get("objectID"))
    if not number.isascii() or not number.isdigit():
        raise SourceUnavailableError("the hiring thread has no number; try again later")
    return number


def _next_page(answer: Item) -> str | None:
    number, pages = answer.get("page"), answer.get("nbPages")
    hits = answer["hits"]
    thread = hits[0].get("story_id") if hits and isinstance(hits[0], dict) else None
    if type(number) is int and type(pages) is int and type(thread) is int:
        return f"{thread}/{number + 1}" if number + 1 < pages else None
    return None


def _posting(hit: Item) -> Posting | None:
    if hit.get("parent_id") != hit.get("story_id") or not hit.get("comment_text"):
        return None
    posting_id = identifier(hit.get("objectID"))
    url = f"{_SITE}/item?id={quote(posting_id)}"
    text = str(hit["comment_text"])
    # A header may spread over the lines of its paragraph, one part on each.
    lines = text.partition("<p>")[0].strip()[:600].split("\n")
    header = read_header(first_words(lines[0]) or "") or read_header(" | ".join(lines))
    if header is None or header.title is None:
        raise BrokenPostingError("no_title")
    return Posting(
        key=feed_key(HackerNews.name, posting_id),
        url=url,
        apply_url=header.url or url,
        title=header.title,
        company=header.company,
        locations=header.locations,
        remote=header.remote,
        workplace=header.workplace,
        employment_type=header.employment_type,
        pay=header.pay,
        description=text_block(text),
        posted_at=stated_moment(hit.get("created_at")),
    )
