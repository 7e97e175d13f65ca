"""Remotive, by its public API; its terms ask to name it and to link to the posting there."""

from typing import Literal
from urllib.parse import quote, quote_plus

from jobsteward.discover.feeds import feed_board, feed_key, parameter, searched
from jobsteward.discover.identity import web_url
from jobsteward.discover.markup_text import first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.payload import Item, identifier, load, needed, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment, stated_pay
from jobsteward.net.urls import WebUrl

_SITE = "https://remotive.com"


class Remotive:
    """The list at remotive.com, whole or by the words of a search, in one answer."""

    name = "remotive"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("remotive.com", "www.remotive.com", "remotive.io")
    example = "https://remotive.com/remote-jobs?search=WORDS"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Any page of the site; a search keeps its words, a posting's page names its id."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        number = parts[-1].rpartition("-")[2] if len(parts) > 2 else ""
        board = feed_board(self.name, parameter(url, "search", "query"))
        return Recognised(board, number if number.isdigit() else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """All that is on offer, with the texts."""
        words, _ = searched(board)
        query = f"?search={quote_plus(words)}" if words else ""
        return (Request(f"{_SITE}/api/remote-jobs{query}"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobs``; ``job-count`` is what the answer should hold."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        return read_each(answer.get("jobs"), _posting, answer.get("job-count"))


def _posting(item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    url = web_url(item.get("url"), f"{_SITE}/remote-jobs/{quote(posting_id)}")
    place = first_words(item.get("candidate_required_location"))
    return Posting(
        key=feed_key(Remotive.name, posting_id),
        url=url,
        apply_url=url,
        title=needed(first_words(item.get("title")), "no_title"),
        company=first_words(item.get("company_name")) or "",
        locations=(place,) if place else (),
        remote="yes",  # the site lists nothing else
        employment_type=first_words(item.get("job_type")),
        department=first_words(item.get("category")),
        pay=stated_pay(first_words(item.get("salary"))),
        description=text_block(item.get("description")),
        posted_at=stated_moment(item.get("publication_date")),
    )
