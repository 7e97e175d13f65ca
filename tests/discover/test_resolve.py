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
