"""Any page or sitemap whose pages declare schema.org job postings to search engines."""

import hashlib
import re
from dataclasses import replace
from urllib.parse import unquote, urljoin, urlsplit

from jobsteward.discover.feed_xml import read_xml
from jobsteward.discover.identity import web_url
from jobsteward.discover.jsonld import read_postings
from jobsteward.discover.markup_text import first_words
from jobsteward.discover.model import Board, ParsedBoard, Posting, PostingKey
from jobsteward.discover.payload import Item, read_each
from jobsteward.discover.schema_org import JobMarkup
from jobsteward.discover.source import Recognised, Request
from jobsteward.kernel.errors import SourceUnavailableError
from jobsteward.net.urls import WebUrl

_HTML = "text/html, application/xhtml+xml, application/xml;q=0.9, application/ld+json;q=0.9"
_SITEMAP = re.compile(rb"<(?:\w{1,20}:)?(urlset|sitemapindex)[\s>]")
_JOB_WORD = re.compile(
    r"(?:^|[-_])(?:jobs?|careers?|positions?|vacanc(?:y|ies)|openings?|roles?|stellen\w*|offres?"
    r"|emplois?|ofertas?|vagas?|vacatures?|lavora\w*|praca|jobb)(?:$|[-_])"
)
_NUMBER = re.compile(r"^\d+[-_]|[-_](?:[a-z]{0,3}\d+|[0-9a-f]{8,})$", re.IGNORECASE)


class JobPostingPage:
    """A board is one page: of a single posting, of several, or a sitemap of such pages.

    It has no hosts of its own, so a URL is read this way only where a person says so, by
    ``page:`` before it. The pages of a sitemap are leads, named after their URLs, until
    each is read (DIS-6); of a sitemap of sitemaps the one for jobs is followed.
    """

    name = "jobposting_page"
    hosts: tuple[str, ...] = ()
    example = "page:https://www.acme.example/careers"

    def recognise(self, url: WebUrl) -> Recognised:
        """The page itself, whatever its host."""
        return Recognised(Board(self.name, str(url).removeprefix("https://")))

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The page."""
        return (Request(_page(board), accept=_HTML),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """The postings that the page declares, or the leads of a sitemap.

        A page that declares none may show some all the same, so it is never an empty
        list (P032): raises SourceUnavailableError.
        """
        kind = _SITEMAP.search(payload[:4096])
        if kind is not None:
            return _sitemap(board, payload, kind.group(1).decode())
        found = read_postings(payload)
        if not found:
            raise SourceUnavailableError(
                "this page declares no job postings that a program can read; paste the page of"
                " one posting, or the board that it links to"
            )
        page, alone = _page(board), len(found) == 1
        postings = {
            posting.key.posting_id: posting
            for markup in found
            for posting in (_posting(page, markup, alone),)
        }
        return ParsedBoard(tuple(postings.values()), rows=len(found))

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The sitemap of jobs that a sitemap of sitemaps names."""
        return Request(page.more, accept=_HTML) if page.more else None

    def detail_request(self, board: Board, posting: Posting) -> Request:
        """The posting's own page."""
        return Request(posting.url, accept=_HTML)

    def parse_detail(self, board: Board, posting: Posting, payload: bytes) -> Posting:
        """The posting as its own page declares it, its identity kept."""
        found = read_postings(payload)
        named = [each for each in found if each.title == posting.title]
        if not found or (len(found) > 1 and len(named) != 1):
            raise SourceUnavailableError("the page declares no such posting; open it to make sure")
        read = _posting(posting.url, named[0] if named else found[0], alone=True)
        return replace(
            read,
            key=posting.key,
            url=posting.url,
            description=read.description or posting.description,
        )


def _page(board: Board) -> str:
    return board.token if board.token.startswith("http://") else f"https://{board.token}"


def _posting(page: str, markup: JobMarkup, alone: bool) -> Posting:
    stated = web_url(urljoin(page, markup.url), "") if markup.url else ""
    parts, home = urlsplit(stated), urlsplit(page).hostname
    leads = bool(stated) and (parts.path != "/" or bool(parts.query))
    own = leads and (parts.hostname == home or not alone)
    url = stated if own else web_url(page, page)
    # Postings that share a page differ by number, else by what they are and where.
    detail = () if own or alone else (markup.identifier or markup.title, *markup.locations)
    return Posting(
        key=_key(url, *detail),
        url=url,
        apply_url=stated if leads else url,
        title=markup.title,
        company=markup.company or home or "",
        locations=markup.locations,
        remote=markup.remote,
        workplace=markup.workplace,
        employment_type=markup.employment_type,
        department=markup.department,
        pay=markup.pay,
        description=markup.description,
        posted_at=markup.posted_at,
    )


def _key(url: str, *detail: str) -> PostingKey:
    """A posting is its page, on whichever list of the same site it was seen."""
    text = "\n".join((url, *detail))
    posting_id = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]
    return PostingKey(JobPostingPage.name, urlsplit(url).hostname or "", posting_id)


def _sitemap(board: Board, payload: bytes, kind: str) -> ParsedBoard:
    if kind == "sitemapindex":
        links = [
            first_words(item.get("loc")) for item in read_xml(payload, kind, "sitemap") if item
        ]
        jobs = [link for link in links if link and _speaks_of_jobs(link)]
        return ParsedBoard((), rows=1, more=web_url(jobs[0], "") or None if jobs else None)
    return read_each(read_xml(payload, kind, "url"), _lead)


def _lead(item: Item) -> Posting | None:
    """What a sitemap says of a page: where it is. None where it is no posting's page."""
    url = web_url(first_words(item.get("loc")), "")
    sections, _, slug = unquote(urlsplit(url).path).rstrip("/").rpartition("/")
    title = " ".join(re.split(r"[-_+\s]+", _NUMBER.sub("", slug.removesuffix(".html")))).strip()
    if not _speaks_of_jobs(sections) or not any(char.isalpha() for char in title):
        return None
    host = urlsplit(url).hostname or ""
    return Posting(_key(url), url, url, first_words(title.capitalize()) or slug, host)


def _speaks_of_jobs(path: str) -> bool:
    return any(_JOB_WORD.search(part) for part in re.split(r"[/.]", path.lower()))
