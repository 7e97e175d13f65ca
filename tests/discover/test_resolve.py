"""From what people paste to the board behind it (DIS-4, P042, P043)."""

import pytest

from jobsteward.discover.model import Board
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.source import Request
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import UnsupportedBoardError, UrlBlockedError, UrlInvalidError

UUID = "1f0c9a52-0000-4000-8000-000000000001"
G, L, A = "greenhouse", "lever", "ashby"


@pytest.mark.parametrize(
    ("url", "board", "posting_id"),
    [
        ("https://boards.greenhouse.io/acme", Board(G, "acme"), None),
        ("http://BOARDS.Greenhouse.io/acme/", Board(G, "acme"), None),
        (" https://job-boards.greenhouse.io/acme?utm_source=x#top ", Board(G, "acme"), None),
        ("https://job-boards.greenhouse.io/acme/jobs/12?gh_src=a", Board(G, "acme"), "12"),
        ("https://job-boards.greenhouse.io/acme%2Fjobs%2F12", Board(G, "acme"), "12"),
        ("https://job-boards.eu.greenhouse.io/acme/jobs/12", Board(G, "acme", "eu"), "12"),
        ("https://boards.greenhouse.io/embed/job_board?for=acme", Board(G, "acme"), None),
        ("https://boards.greenhouse.io/embed/job_board/js?for=acme", Board(G, "acme"), None),
        ("https://boards.greenhouse.io/embed/job_app?for=acme&token=12", Board(G, "acme"), "12"),
        ("https://boards.greenhouse.io/acme?gh_jid=12", Board(G, "acme"), "12"),
        ("https://boards-api.greenhouse.io/v1/boards/acme/jobs", Board(G, "acme"), None),
        ("https://boards-api.greenhouse.io/v1/boards/acme/jobs/12", Board(G, "acme"), "12"),
        ("https://jobs.lever.co/acme", Board(L, "acme"), None),
        (f"https://jobs.lever.co/acme/{UUID}/apply?lever-source=x", Board(L, "acme"), UUID),
        (f"https://jobs.eu.lever.co/acme/{UUID}", Board(L, "acme", "eu"), UUID),
        ("https://api.eu.lever.co/v0/postings/acme?mode=json", Board(L, "acme", "eu"), None),
        (f"https://api.lever.co/v0/postings/acme/{UUID}", Board(L, "acme"), UUID),
        ("https://jobs.ashbyhq.com/Acme%20Robotics", Board(A, "Acme Robotics"), None),
        (f"https://jobs.ashbyhq.com/acme.ai/{UUID}/application", Board(A, "acme.ai"), UUID),
        ("https://api.ashbyhq.com/posting-api/job-board/acme", Board(A, "acme"), None),
    ],
)
def test_board_posting_embed_and_api_urls(url: str, board: Board, posting_id: str | None) -> None:
    source, found = resolve_board(url)
    assert (source.name, found.board, found.posting_id) == (board.provider, board, posting_id)


@pytest.mark.parametrize(
    ("url", "token", "posting_id"),
    [
        ("https://acme.wd3.myworkdayjobs.com/Careers", "acme/Careers@wd3", None),
        ("https://acme.wd3.myworkdayjobs.com/de-DE/Careers", "acme/Careers@wd3/de-DE", None),
        ("https://acme.wd3.myworkdayjobs.com/de-DE/Careers/job/Bonn/Cook--Chef_R-7-1/apply",
         "acme/Careers@wd3/de-DE", "R-7-1"),
        ("https://acme.wd3.myworkdayjobs.com/Careers/details/Cook_R7?q=cook",
         "acme/Careers@wd3", "R7"),
        ("https://acme.myworkdayjobs.com/Careers/job/Bonn/Cook_R7", "acme/Careers", "R7"),
        ("https://acme.wd3.myworkdayjobs.com/wday/cxs/acme/Careers/jobs", "acme/Careers@wd3", None),
        ("https://wd5.myworkdaysite.com/en-US/recruiting/acme/Careers/job/Bonn/Cook_R7",
         "acme/Careers@wd5-site/en-US", "R7"),
        ("https://careers.smartrecruiters.com/AcmeLooms", "AcmeLooms", None),
        ("https://jobs.smartrecruiters.com/AcmeLooms/744000100000001-weaver", "AcmeLooms",
         "744000100000001"),
        ("https://jobs.smartrecruiters.com/oneclick-ui/company/AcmeLooms/publication/ab-12?x=1",
         "AcmeLooms", None),
        ("https://api.smartrecruiters.com/v1/companies/acme/postings/744000100000001", "acme",
         "744000100000001"),
        ("https://apply.workable.com/acme/", "acme", None),
        ("https://apply.workable.com/acme/j/A1B2C3D4E5/apply/", "acme", "A1B2C3D4E5"),
        ("https://acme.workable.com/jobs/77", "acme", "77"),
        ("https://apply.workable.com/api/v1/widget/accounts/acme?details=true", "acme", None),
        ("https://acme.recruitee.com/o/harbour-pilot/c/new", "acme", "harbour-pilot"),
        ("https://acme.recruitee.com/en/o/harbour-pilot", "acme", "harbour-pilot"),
        ("https://acme.jobs.personio.de/?language=de", "acme", None),
        ("https://acme.jobs.personio.com/job/4103#apply", "acme@com", "4103"),
        ("https://acme.teamtailor.com/sv/jobs/5012345-ferry-captain", "acme", "5012345"),
        ("https://acme.teamtailor.com/jobs.rss", "acme", None),
        ("https://acme.bamboohr.com/careers/86/detail", "acme", "86"),
        ("https://acme.bamboohr.com/jobs/", "acme", None),
        ("https://acme.breezy.hr/p/9f8e7d6c5b4a-tram-driver/apply", "acme", "9f8e7d6c5b4a"),
        ("https://acme.pinpointhq.com/en/postings/770001", "acme", "770001"),
        (f"https://ats.rippling.com/en-GB/acme/jobs/{UUID}/apply", "acme", UUID),
        (f"https://ats.rippling.com/api/v2/board/acme/jobs/{UUID}", "acme", UUID),
        (f"https://api.rippling.com/platform/api/ats/v1/board/acme/jobs/{UUID}", "acme", UUID),
    ],
)  # fmt: skip
def test_p041_career_sites(url: str, token: str, posting_id: str | None) -> None:
    source, found = resolve_board(url)
    assert (found.board.token, found.posting_id) == (token, posting_id)
    assert found.board.provider == source.name
    assert all(request.url.startswith("https://") for request in source.list_requests(found.board))


def test_a_regional_teamtailor_site_is_read_at_its_region() -> None:
    source, found = resolve_board("https://acme.na.teamtailor.com/jobs")
    assert found.board == Board("teamtailor", "acme", "na")
    assert source.list_requests(found.board)[0].url.startswith("https://acme.na.teamtailor.com/")


@pytest.mark.parametrize(
    "url",
    ["https://apply.workable.com/j/A1B2C3D4E5", "https://www.workable.com/jobs",
     "https://www.bamboohr.com/careers", "https://app.recruitee.com/", "https://www.teamtailor.com/",
     "https://jobs.personio.de/", "https://a.b.jobs.personio.de/", "https://acme.wd3.myworkdayjobs.com/",
     "https://acme.wd3.myworkdayjobs.com/de-DE", "https://wd5.myworkdaysite.com/recruiting/acme",
     "https://ats.rippling.com/", "https://api.rippling.com/platform", "https://breezy.hr.evil.example/"],
)  # fmt: skip
def test_pages_of_a_provider_that_name_no_board_are_refused(url: str) -> None:
    with pytest.raises(UnsupportedBoardError):
        resolve_board(url)


def test_every_sources_example_resolves_to_itself() -> None:
    for source in SOURCES.values():
        assert resolve_board(source.example)[0] is source


def test_p042_eu_boards_are_read_at_eu_hosts() -> None:
    lever = SOURCES[L].list_requests(Board(L, "acme", "eu"))
    assert lever == (Request("https://api.eu.lever.co/v0/postings/acme?mode=json"),)
    greenhouse = SOURCES[G].list_requests(Board(G, "acme", "eu"))
    assert [request.url.split("/")[2] for request in greenhouse] == [
        "boards-api.eu.greenhouse.io",
        "boards-api.greenhouse.io",
    ]


def test_regions_are_different_boards_and_case_is_not() -> None:
    assert Board(L, "acme", "eu").key != Board(L, "acme").key
    assert Board(L, "Acme").key == Board(L, "acme").key


def test_p043_a_company_page_resolves_through_known_postings() -> None:
    known = [(Board(L, "other"), "123"), (Board(G, "acme"), "123")]
    source, found = resolve_board("https://acme.example/careers?gh_jid=123", known)
    assert (source.name, found.board.token, found.posting_id) == (G, "acme", "123")


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://acme.example/careers?gh_jid=123", ["greenhouse", "job-boards.greenhouse.io"]),
        (f"https://acme.example/careers?ashby_jid={UUID}", ["ashby", "jobs.ashbyhq.com"]),
        ("https://acme.icims.com/jobs/search", ["iCIMS", "jobs.lever.co", "workday"]),
        ("https://www.linkedin.com/jobs/view/1", ["LinkedIn"]),
        ("https://acme.example/careers", ["no job board", "job-boards.greenhouse.io"]),
        ("https://boards.greenhouse.io/", ["greenhouse", "COMPANY"]),
        ("https://boards.greenhouse.io/embed/job_app?token=12", ["greenhouse"]),
        ("https://jobs.lever.co/..%2f..%2f", ["lever"]),
        ("https://jobs.lever.co.evil.example/acme", ["no job board"]),
    ],
)
def test_other_urls_say_what_was_seen_and_what_to_paste(url: str, names: list[str]) -> None:
    with pytest.raises(UnsupportedBoardError) as caught:
        resolve_board(url)
    assert caught.value.code == "unsupported_board" and not caught.value.retryable
    assert all(name in caught.value.message for name in names)


def test_bad_urls_are_refused_before_anything_else() -> None:
    with pytest.raises(UrlInvalidError):
        resolve_board("acme")
    with pytest.raises(UrlBlockedError):
        resolve_board("http://127.0.0.1/acme")
