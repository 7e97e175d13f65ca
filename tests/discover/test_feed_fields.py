"""What the feeds of many employers hold is read field by field (DIS-4, P011, P024, P040)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import SecretStr

from jobsteward.discover.feeds import Aggregator
from jobsteward.discover.keys import signing
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting
from jobsteward.discover.pages import fetch
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.source import Paged, Request, Searched
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.net import Fetched
from jobsteward.settings import Settings
from tests.discover.boards import BOARDS, SHAPES


def only(provider: str, **changes: Any) -> Posting:
    payload = SHAPES[provider].payload([SHAPES[provider].item(**changes)])
    (found,) = SOURCES[provider].parse(BOARDS[provider], payload).postings
    return found


def test_remoteok() -> None:
    found = only("remoteok")
    assert (found.title, found.company) == ("Kiln Engineer", "Acme Clay & Glass")
    assert (found.locations, found.remote) == (("Worldwide",), "yes")
    assert found.pay == (Pay(60000, 90000, "USD", "year"),)
    assert found.description == "**Fire** pots \u2014 gently."
    assert found.posted_at == "2026-08-03T06:37:28.000000Z"
    notice = json.dumps([{"legal": "Mention us."}, SHAPES["remoteok"].item()]).encode()
    parsed = SOURCES["remoteok"].parse(BOARDS["remoteok"], notice)
    assert (len(parsed.postings), parsed.broken) == (1, ())


def test_p011_remoteok_does_not_vouch_for_a_town() -> None:
    assert only("remoteok", location="South Turku, ").remote == "unknown"
    assert only("remoteok", location="").remote == "yes"
    assert only("remoteok", salary_min=0, salary_max=0).pay == ()


def test_remotive() -> None:
    found = only("remotive")
    assert (found.locations, found.remote) == (("Europe, Canada",), "yes")
    assert found.pay == (Pay(50000, 60000, "USD", "year"),)
    assert found.description == "Draw **vases**."
    assert found.posted_at == "2026-07-12T06:35:18"  # P112: the API names no zone
    assert only("remotive", salary="Competitive").pay == ()


def test_arbeitnow() -> None:
    found = only("arbeitnow")
    assert (found.remote, found.employment_type) == ("unknown", "full_time, permanent")
    assert (found.department, found.posted_at) == ("Craft", "2026-07-23T00:00:00.000000Z")
    assert only("arbeitnow", remote=True).remote == "yes"


def test_himalayas() -> None:
    found = only("himalayas")
    assert found.locations == ("Portugal", "Spain")
    assert found.pay == (Pay(50000, 70000, "EUR", "year"),)
    assert found.description == "Mix enamel.\n\nTime zones: UTC+0, UTC+1"
    assert only("himalayas", pubDate=1784764800000).posted_at == found.posted_at


def test_weworkremotely() -> None:
    found = only("weworkremotely")
    assert (found.title, found.company) == ("Weaver, Linen", "Acme Looms")
    assert found.locations == ("Europe Only", "Uusimaa, Finland")
    assert found.posted_at == "2026-07-16T14:57:15.000000Z"
    assert found.description == "Weave & mend."
    assert only("weworkremotely", region="Anywhere in the World").locations == (
        "Anywhere in the World",
    )


def test_adzuna() -> None:
    found = only("adzuna")
    assert found.locations == ("Leith, Edinburgh, Scotland, UK",)
    assert found.pay == (Pay(30000, 34000.5, "GBP", "year"),)
    assert (found.key.board, found.employment_type) == ("gb:all", "full_time, permanent")
    assert found.url == "https://www.adzuna.co.uk/details/9000001"
    assert only("adzuna", salary_is_predicted="1").pay == ()


def test_usajobs() -> None:
    found = only("usajobs")
    assert (found.title, found.company) == ("Lighthouse Keeper", "Bureau of Lights")
    assert found.locations == ("Portland, Maine", "Guam")
    assert (found.remote, found.pay) == ("no", (Pay(25.5, 31, "USD", "hour"),))
    assert found.url == "https://www.usajobs.gov/job/600001"
    assert found.description == (
        "Keep the light.\n\n## Duties\n\n- Trim the wick\n- Log ships\n\n"
        "## Qualifications\n\nCalm at night."
    )


def test_hackernews() -> None:
    found = only("hackernews")
    assert (found.title, found.company) == ("Senior Backend Engineer", "Acme Dyes")
    assert (found.locations, found.remote) == (("Oslo, Norway", "Remote (EU)"), "yes")
    assert found.pay == (Pay(90000, 110000, "USD", "year"),)
    assert found.apply_url == "https://dyes.example/jobs"
    assert "We dye & we weave." in (found.description or "")


def test_hackernews_replies_and_empty_messages_are_no_postings() -> None:
    rows = [
        SHAPES["hackernews"].item(parent_id=7),
        SHAPES["hackernews"].item(comment_text=None),
    ]
    parsed = SOURCES["hackernews"].parse(BOARDS["hackernews"], SHAPES["hackernews"].payload(rows))
    assert (parsed.postings, parsed.broken, parsed.rows) == ((), (), 2)


def test_hackernews_finds_the_newest_thread_then_reads_page_by_page() -> None:
    source, board = SOURCES["hackernews"], Board("hackernews", "all")
    assert isinstance(source, Paged)
    threads = {
        "hits": [
            {"objectID": "41", "title": "Ask HN: Who wants to be hired? (July)"},
            {"objectID": "42", "title": "Ask HN: Who is hiring? (July)"},
            {"objectID": "40", "title": "Ask HN: Who is hiring? (June)"},
        ]
    }
    (first,) = source.list_requests(board)
    page = source.parse(board, json.dumps(threads).encode())
    answers = source.next_request(board, first, page)
    assert page.rows and answers is not None and "story_42&" in answers.url
    hits = {"hits": [SHAPES["hackernews"].item()], "page": 0, "nbPages": 2}
    second = source.next_request(board, answers, source.parse(board, json.dumps(hits).encode()))
    assert second is not None and second.url.endswith("page=1")
    last = source.parse(board, json.dumps(hits | {"page": 1}).encode())
    assert source.next_request(board, second, last) is None
    assert "story_77&" in source.list_requests(Board("hackernews", "77"))[0].url


@pytest.mark.parametrize(
    ("url", "board"),
    [
        ("https://remoteok.com/", Board("remoteok", "all")),
        ("https://remotive.com/remote-jobs?search=glass%20blower",
         Board("remotive", "glass blower")),
        ("https://himalayas.app/jobs?q=enamel", Board("himalayas", "enamel")),
        ("https://weworkremotely.com/categories/remote-design-jobs",
         Board("weworkremotely", "remote-design-jobs")),
        ("https://www.adzuna.de/search?q=Glaser", Board("adzuna", "Glaser", "de")),
        ("https://www.usajobs.gov/search/results/?k=keeper", Board("usajobs", "keeper")),
        ("https://news.ycombinator.com/item?id=42", Board("hackernews", "42")),
        ("https://news.ycombinator.com/", Board("hackernews", "all")),
        ("https://remotive.com/?search=%3Cscript%3E", Board("remotive", "all")),
    ],
)  # fmt: skip
def test_searches_and_lists_by_what_people_paste(url: str, board: Board) -> None:
    assert resolve_board(url)[1].board == board


@pytest.mark.parametrize(
    ("provider", "part"),
    [
        ("remotive", "search=two+words"), ("himalayas", "q=two+words&page=1"),
        ("adzuna", "what=two+words"), ("usajobs", "Keyword=two+words"),
    ],
)  # fmt: skip
def test_the_words_of_a_search_are_asked_for(provider: str, part: str) -> None:
    assert part in SOURCES[provider].list_requests(Board(provider, "two words"))[0].url


@pytest.mark.parametrize(
    ("provider", "place", "rows", "total", "following"),
    [
        ("arbeitnow", 1, 100, None, 2), ("arbeitnow", 2, 100, 200, None),
        ("himalayas", 0, 20, 100_000, 20), ("himalayas", 20, 20, 40, None),
        ("himalayas", 1980, 20, 100_000, None),
        ("adzuna", 1, 50, 51, 2), ("adzuna", 2, 50, 51, None), ("adzuna", 20, 50, 9999, None),
        ("usajobs", 1, 500, 501, 2), ("usajobs", 1, 500, 500, None),
    ],
)  # fmt: skip
def test_p040_the_next_page(
    provider: str, place: int, rows: int, total: int | None, following: int | None
) -> None:
    source = SOURCES[provider]
    assert isinstance(source, Paged)
    board = BOARDS[provider]
    request = Request("https://feed.example/", place=place)
    after = source.next_request(board, request, ParsedBoard((), (), total, rows))
    assert (after.place if after else None) == following


SETTINGS = Settings(
    adzuna_app_id=SecretStr("mine-1"),
    adzuna_app_key=SecretStr("mine-2"),
    usajobs_key=SecretStr("mine-3"),
    usajobs_email="me@acme.example",
)


class Wire:
    """Keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Mapping[str, str] | None]] = []

    async def fetch(
        self,
        url: str,
        *,
        accept: str,
        body: bytes | None,
        private: Mapping[str, str] | None,
        max_bytes: int,
        deadline: float,
    ) -> Fetched:
        self.sent.append((url, private))
        return Fetched(200, url, {}, b"{}")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("provider", "names"),
    [("adzuna", ["JOBSTEWARD_ADZUNA_APP_ID", "JOBSTEWARD_ADZUNA_APP_KEY"]),
     ("usajobs", ["JOBSTEWARD_USAJOBS_KEY", "JOBSTEWARD_USAJOBS_EMAIL"])],
)  # fmt: skip
async def test_without_its_keys_a_source_says_what_to_set(provider: str, names: list[str]) -> None:
    half = Settings(adzuna_app_id=SecretStr("mine"), usajobs_key=SecretStr("mine"))
    for settings in (Settings(), half):
        wire = Wire()
        with pytest.raises(ConfigurationError) as raised:
            await fetch(
                signing(wire, SOURCES[provider], settings),
                SOURCES[provider].list_requests(BOARDS[provider])[0],
            )
        assert all(name in str(raised.value) for name in names) and not wire.sent


@pytest.mark.anyio
async def test_keys_are_added_on_the_way_out_and_named_nowhere_else() -> None:
    wire = Wire()
    for provider in ("adzuna", "usajobs"):
        (request,) = SOURCES[provider].list_requests(BOARDS[provider])
        answer = await fetch(signing(wire, SOURCES[provider], SETTINGS), request)
        assert "mine" not in repr(request) + answer.url
    (adzuna, none), (usajobs, headers) = wire.sent
    assert "/jobs/gb/search/1?" in adzuna and adzuna.endswith("&app_id=mine-1&app_key=mine-2")
    assert none == {} and "mine" not in usajobs
    assert headers == {"Authorization-Key": "mine-3", "User-Agent": "me@acme.example"}
    assert signing(wire, SOURCES["lever"], SETTINGS) is wire


@pytest.mark.parametrize(
    ("provider", "parts"),
    [("adzuna", ("what=c%23+entwickler", "where=K%C3%B6ln")),
     ("usajobs", ("Keyword=c%23+entwickler", "LocationName=K%C3%B6ln"))],
)  # fmt: skip
def test_dis_5_a_search_by_words_and_place(provider: str, parts: tuple[str, ...]) -> None:
    source = SOURCES[provider]
    assert isinstance(source, Searched)
    asked = source.search(Board(provider, "all", "de"), "c# entwickler", "Köln")
    assert all(part in source.list_requests(asked)[0].url for part in parts)
    assert source.search(asked, "", "") == Board(provider, asked.token, asked.region)
    other = source.search(asked, "", "Bonn")
    assert asked.key == other.key and asked != other


def test_p024_sources_that_repeat_others_are_known() -> None:
    assert {name for name, source in SOURCES.items() if isinstance(source, Aggregator)} == {
        "remoteok", "remotive", "arbeitnow", "himalayas", "weworkremotely", "hackernews", "adzuna",
    }  # fmt: skip
