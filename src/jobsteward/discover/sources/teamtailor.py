"""Teamtailor career sites, by the RSS feed that they publish."""

import re
from typing import Any
from urllib.parse import quote, urlsplit

from jobsteward.discover.feed_xml import read_xml, several
from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import Item, distinct, identifier, member, needed, place, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_HOST = re.compile(r"([a-z0-9-]+)(?:\.([a-z]{2,12}))?\.teamtailor\.com")
_OWN = frozenset({"www", "app", "api", "docs", "support", "status"})
_PAGE = 100
_JOB = re.compile(r"(?:^|/)jobs/(\d+)(?:-|/|$)")
_REMOTE = {"fully": "Remote", "hybrid": "Hybrid"}
"""``none`` is no answer: a job has it that was never asked; ``temporary`` binds to nothing."""


class Teamtailor:
    """Sites at COMPANY.teamtailor.com, also of a region (COMPANY.na.teamtailor.com).

    A site on the company's own domain has the same feed; its host says nothing of it, so
    it is known by its address at teamtailor.com.
    """

    name = "teamtailor"
    hosts: tuple[str, ...] = (".teamtailor.com",)
    example = "https://COMPANY.teamtailor.com"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Site pages, postings in any language, their forms and the feed."""
        host = _HOST.fullmatch(url.host)
        if host is None or host.group(1) in _OWN:
            return None
        job = _JOB.search("/".join(segments(url)))
        board = Board(self.name, host.group(1), host.group(2) or "")
        return Recognised(board, job.group(1) if job else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The first hundred, which is also where the feed stops by itself."""
        return (_page(board, 0),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Every ``item`` of the feed, with its text; it advertises no total."""
        return read_each(read_xml(payload, "rss", "item"), lambda item: _posting(board, item))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next offset after a full page."""
        return _page(board, request.place + page.rows) if page.rows >= _PAGE else None


def _posting(board: Board, item: Item) -> Posting:
    link = one_line(item.get("link"))
    path = _JOB.search(urlsplit(link).path) if link and link.isascii() else None
    posting_id = identifier(path.group(1) if path else item.get("guid"))
    url = web_url(link, f"{_origin(board)}/jobs/{quote(posting_id)}")
    listed = several(member(item, "locations").get("location"))
    locations = distinct([_place(entry) for entry in listed])
    status = one_line(item.get("remoteStatus")) or ""
    workplace = _REMOTE.get(status)
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}/applications/new",
        title=needed(one_line(item.get("title")), "no_title"),
        company=one_line(item.get("company_name")) or board.token,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        department=one_line(item.get("department")) or one_line(item.get("role")),
        description=markdown(item.get("description")),
        posted_at=stated_moment(item.get("pubDate")),
    )


def _place(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return one_line(entry)
    return place(entry.get("city"), entry.get("country")) or one_line(entry.get("name"))


def _origin(board: Board) -> str:
    host = f"{board.token}.{board.region}" if board.region else board.token
    return f"https://{host}.teamtailor.com"


def _page(board: Board, offset: int) -> Request:
    return Request(
        f"{_origin(board)}/jobs.rss?offset={offset}&per_page={_PAGE}",
        place=offset,
        accept="application/rss+xml, application/xml",
    )
