"""Pages and sitemaps that declare postings, at any host (DIS-4, DIS-6, DIS-8, P032)."""

import json
from typing import Any

import pytest

from jobsteward.discover.model import Board, Posting
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.source import Detailed, Paged
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError, UrlBlockedError

SOURCE = SOURCES["jobposting_page"]
PAGE = "https://acme.example/careers/kiln"
BOARD = Board("jobposting_page", "acme.example/careers/kiln")


def posting(**changes: Any) -> dict[str, Any]:
    return {
        "@type": "JobPosting",
        "title": "Kiln Engineer",
        "hiringOrganization": {"name": "Acme Clay"},
        "jobLocation": {"address": {"addressLocality": "Turku", "addressCountry": "FI"}},
        "description": "<p>Fire pots.</p>",
        "datePosted": "2026-10-20",
    } | changes


def page(*values: Any) -> bytes:
    script = json.dumps(list(values))
    return f"<html><script type='application/ld+json'>{script}</script></html>".encode()


def parse(*values: Any) -> tuple[Posting, ...]:
    return SOURCE.parse(BOARD, page(*values)).postings


def test_a_page_is_asked_for_only_where_a_person_says_so() -> None:
    source, found = resolve_board(f" PAGE:{PAGE}?lang=fi ")
    assert source is SOURCE and found.board.token == "acme.example/careers/kiln?lang=fi"
    (request,) = source.list_requests(found.board)
    assert request.url == f"{PAGE}?lang=fi" and "text/html" in request.accept
    plain = resolve_board("page:http://acme.example/jobs")[1].board
    assert SOURCE.list_requests(plain)[0].url == "http://acme.example/jobs"
    with pytest.raises(UrlBlockedError):
        resolve_board("page:http://127.0.0.1/jobs")


def test_a_page_of_one_posting_is_that_posting() -> None:
    (found,) = parse(posting(url="https://acme.example/"))
    assert (found.url, found.apply_url) == (PAGE, PAGE)
    assert (found.title, found.company, found.locations) == (
        "Kiln Engineer", "Acme Clay", ("Turku, FI",),
    )  # fmt: skip
    assert (found.description, found.posted_at) == ("Fire pots.", "2026-10-20")
    assert found.key.board == "acme.example"


def test_dis_8_a_posting_is_the_same_on_its_own_page_and_on_a_list() -> None:
    (alone,) = parse(posting(url="/careers/kiln?utm_source=x"))
    listed = parse(posting(url="/careers/kiln"), posting(title="Potter", url="/careers/potter"))
    assert alone.key == listed[0].key != listed[1].key
    assert listed[1].url == "https://acme.example/careers/potter"


def test_a_posting_elsewhere_is_applied_to_there() -> None:
    (found,) = parse(posting(url="https://boards.example.net/acme/7"))
    assert (found.url, found.apply_url) == (PAGE, "https://boards.example.net/acme/7")
    assert parse(posting(url="javascript:alert(1)"))[0].apply_url == PAGE


def test_postings_without_urls_of_their_own_stay_apart() -> None:
    found = parse(
        posting(), posting(jobLocation="Oslo"), posting(identifier="7"), posting(title="Potter")
    )
    assert len({each.key.posting_id for each in found}) == 4
    assert {each.url for each in found} == {PAGE}
    assert len(parse(posting(), posting())) == 1


@pytest.mark.parametrize(
    "payload", [b"", b"<html><h1>Jobs</h1></html>", b"{}", b"[]", page(posting(title=None))]
)
def test_p032_a_page_that_declares_nothing_is_no_empty_list(payload: bytes) -> None:
    with pytest.raises(SourceUnavailableError):
        SOURCE.parse(BOARD, payload)


SITEMAP = b"""<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://acme.example/jobs/kiln-engineer-turku-4711</loc></url>
  <url><loc>https://acme.example/about</loc></url>
  <url><loc>https://acme.example/jobs/</loc></url>
  <url><loc>https://acme.example/de/stellenangebote/8812-t%C3%B6pfer.html</loc></url>
  <url><loc>javascript:alert(1)</loc></url>
</urlset>"""


def test_a_sitemap_gives_leads_that_their_own_pages_complete() -> None:
    parsed = SOURCE.parse(BOARD, SITEMAP)
    assert [(lead.title, lead.url) for lead in parsed.postings] == [
        ("Kiln engineer turku", "https://acme.example/jobs/kiln-engineer-turku-4711"),
        ("Töpfer", "https://acme.example/de/stellenangebote/8812-t%C3%B6pfer.html"),
    ]
    assert (parsed.rows, parsed.broken) == (5, ())
    lead = parsed.postings[0]
    assert lead.description_missing and lead.company == "acme.example"
    assert isinstance(SOURCE, Detailed)
    assert SOURCE.detail_request(BOARD, lead).url == lead.url
    whole = SOURCE.parse_detail(BOARD, lead, page(posting()))
    assert (whole.key, whole.url) == (lead.key, lead.url)
    assert (whole.title, whole.description) == ("Kiln Engineer", "Fire pots.")
    thin = SOURCE.parse_detail(BOARD, whole, page(posting(description=None)))
    assert thin.description == "Fire pots."


def test_dis_6_a_lead_stays_where_its_page_declares_nothing() -> None:
    lead = SOURCE.parse(BOARD, SITEMAP).postings[0]
    assert isinstance(SOURCE, Detailed)
    for payload in (b"", b"<html></html>", page(posting(title="A"), posting(title="B"))):
        with pytest.raises(SourceUnavailableError):
            SOURCE.parse_detail(BOARD, lead, payload)


def test_of_a_sitemap_of_sitemaps_the_one_for_jobs_is_followed() -> None:
    links = ["https://acme.example/sitemap-blog.xml", "https://acme.example/sitemap-jobs.xml"]
    body = "".join(f"<sitemap><loc>{link}</loc></sitemap>" for link in links)
    parsed = SOURCE.parse(BOARD, f"<sitemapindex>{body}</sitemapindex>".encode())
    assert isinstance(SOURCE, Paged) and parsed.rows
    first = SOURCE.list_requests(BOARD)[0]
    following = SOURCE.next_request(BOARD, first, parsed)
    assert following is not None and following.url == links[1]
    assert SOURCE.next_request(BOARD, first, SOURCE.parse(BOARD, SITEMAP)) is None
