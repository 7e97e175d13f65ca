"""Workday career sites, by the public answers behind their own pages."""

import json
import re
from dataclasses import replace
from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    moment,
    needed,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments
from jobsteward.discover.text import markdown, one_line
from jobsteward.discover.workplace import remote_from
from jobsteward.kernel.errors import SourceUnavailableError
from jobsteward.net.urls import WebUrl

_PAGE = 20
_MOST_TOTAL = 2_000
"""The highest total that a site names; it may have more (P040)."""
_JOBS_HOST = re.compile(r"([a-z0-9_-]+)(?:\.(wd\d+))?\.myworkdayjobs\.com")
_SITE_HOST = re.compile(r"(wd\d+)\.myworkdaysite\.com")
_LOCALE = re.compile(r"[a-z]{2}-[A-Z]{2}")
_HIDDEN_PLACES = re.compile(r"\d+ \w+")


class Workday:
    """Sites at myworkdayjobs.com and myworkdaysite.com.

    A board's token is ``tenant/site@where/locale``: what follows the ``@`` says where and
    in which language the site is read and is no part of its identity (P041).
    """

    name = "workday"
    hosts: tuple[str, ...] = (".myworkdayjobs.com", ".myworkdaysite.com")
    example = "https://COMPANY.wd1.myworkdayjobs.com/SITE"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Site pages and postings, with or without a locale or ``/apply``, and the API."""
        parts = segments(url)
        locale = parts.pop(0) if parts and _LOCALE.fullmatch(parts[0]) else ""
        if jobs := _JOBS_HOST.fullmatch(url.host):
            tenant, where = jobs.group(1), jobs.group(2) or ""
            parts = parts[3:] if parts[:2] == ["wday", "cxs"] else parts
        elif (site := _SITE_HOST.fullmatch(url.host)) and len(parts) > 1:
            tenant, where = parts[1], f"{site.group(1)}-site"
            parts = parts[2:] if parts[0] == "recruiting" else []
        else:
            return None
        if board_token([tenant], 0) is None or board_token(parts, 0) is None:
            return None
        reading = "/".join((where, locale)).rstrip("/")
        token = f"{tenant}/{parts[0]}@{reading}".rstrip("@")
        return Recognised(Board(self.name, token), _posting_id(parts[1:]))

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The first page; Workday gives at most 20 postings at a time."""
        return (_page(board, 0),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobPostings``: no texts, and days since posting instead of dates."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        rows = answer.get("jobPostings")
        return read_each(rows, lambda item: _posting(board, item), answer.get("total"))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next offset after a full page, past a total only where it is the highest named."""
        following = request.place + page.rows
        total = page.advertised or _MOST_TOTAL
        ended = page.rows < _PAGE or following >= total != _MOST_TOTAL
        return None if ended else _page(board, following)

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """The posting's own answer, which has its text, places and date."""
        site = _parts(board)[1]
        path = posting.url.partition(f"/{quote(site)}/job/")[2]
        return Request(f"{_api(board)}/job/{path}", headers=_language(board))

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """Text, places, kind of employment and the day from which it is posted."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        info = member(answer, "jobPostingInfo")
        if not info:
            raise SourceUnavailableError("the answer holds no posting; try again later")
        others = info.get("additionalLocations")
        places = [info.get("location"), *(others if isinstance(others, list) else [])]
        locations = distinct([one_line(text) for text in places]) or posting.locations
        workplace = one_line(info.get("remoteType")) or posting.workplace
        return replace(
            posting,
            title=one_line(info.get("title")) or posting.title,
            company=one_line(member(answer, "hiringOrganization").get("name")) or posting.company,
            locations=locations,
            remote=remote_from(workplace, locations),
            workplace=workplace,
            employment_type=one_line(info.get("timeType")) or posting.employment_type,
            description=markdown(info.get("jobDescription")) or posting.description,
            posted_at=moment(info.get("startDate")) or posting.posted_at,
        )


def _posting(board: Board, item: Item) -> Posting:
    stated_path = one_line(item.get("externalPath")) or ""
    path = stated_path if stated_path.startswith("/") else ""
    bullets = item.get("bulletFields")
    stated = bullets[0] if isinstance(bullets, list) and bullets else None
    posting_id = identifier(_posting_id(path.strip("/").split("/")) or stated)
    tenant, _, _, locale = _parts(board)
    page = f"{_origin(board)}{f'/{locale}' if locale else ''}{_site_path(board)}"
    url = web_url(f"{page}{path}" if path else None, page)
    place = one_line(item.get("locationsText")) or ""
    locations = () if not place or _HIDDEN_PLACES.fullmatch(place) else (place,)
    workplace = one_line(item.get("remoteType"))
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}/apply" if path else url,
        title=needed(one_line(item.get("title")), "no_title"),
        company=tenant,
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        employment_type=one_line(item.get("timeType")),
    )


def _posting_id(rest: list[str]) -> str | None:
    """What follows the last underscore of a posting's path; titles before it change."""
    if len(rest) < 2 or rest[0] not in {"job", "details"}:
        return None
    steps = rest[: rest.index("apply")] if "apply" in rest else rest
    return steps[-1].rpartition("_")[2] or None


def _page(board: Board, offset: int) -> Request:
    body = {"appliedFacets": {}, "limit": _PAGE, "offset": offset, "searchText": ""}
    return Request(
        f"{_api(board)}/jobs",
        body=json.dumps(body).encode(),
        place=offset,
        headers=_language(board),
    )


def _parts(board: Board) -> tuple[str, str, str, str]:
    """Tenant, site, data centre and locale."""
    identity, _, reading = board.token.partition("@")
    tenant, _, site = identity.partition("/")
    where, _, locale = reading.partition("/")
    return tenant, site, where, locale


def _origin(board: Board) -> str:
    tenant, _, where, _ = _parts(board)
    if where.endswith("-site"):
        return f"https://{where.removesuffix('-site')}.myworkdaysite.com"
    return f"https://{'.'.join(part for part in (tenant, where) if part)}.myworkdayjobs.com"


def _site_path(board: Board) -> str:
    tenant, site, where, _ = _parts(board)
    return f"/recruiting/{tenant}/{quote(site)}" if where.endswith("-site") else f"/{quote(site)}"


def _api(board: Board) -> str:
    tenant, site, _, _ = _parts(board)
    return f"{_origin(board)}/wday/cxs/{quote(tenant)}/{quote(site)}"


def _language(board: Board) -> tuple[tuple[str, str], ...]:
    locale = _parts(board)[3]
    return (("Accept-Language", locale),) if locale else ()
