"""What every source reads from its answers, and that one bad posting costs only itself."""

import json
from typing import Any

import pytest

from jobsteward.discover.model import Board, Broken, ParsedBoard, Pay, Posting
from jobsteward.discover.resolve import resolve_board
from jobsteward.discover.source import Closed, Detailed, Paged, Request, belongs
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError, UnsupportedBoardError
from jobsteward.net.urls import check_url
from tests.discover.boards import (
    BOARDS,
    FEEDS,
    SHAPES,
    ashby_item,
    greenhouse_item,
    lever_item,
)

PROVIDERS = sorted(SHAPES)
DETAILED = [name for name in PROVIDERS if isinstance(SOURCES[name], Detailed)]
IN_JSON = [name for name in PROVIDERS if not SHAPES[name].root]
URL_FIELDS = (
    "absolute_url", "hostedUrl", "jobUrl", "applyUrl", "url", "application_url", "careers_url",
    "careers_apply_url", "postingUrl", "jobOpeningShareUrl", "link", "path", "apply_url",
    "applicationLink", "redirect_url",
)  # fmt: skip
URLS_WITHOUT_ID = {"recruitee", "hackernews"}
"""Their own URLs name a posting by a slug, not by its id on its board."""


def parse(provider: str, items: list[Any]) -> ParsedBoard:
    return SOURCES[provider].parse(BOARDS[provider], SHAPES[provider].payload(items))


def only(provider: str, item: Any) -> Posting:
    parsed = parse(provider, [item])
    assert parsed.broken == ()
    return parsed.postings[0]


def test_the_registry_is_keyed_by_name_and_hosts_are_disjoint() -> None:
    assert all(source.name == name for name, source in SOURCES.items())
    assert set(SHAPES) == set(SOURCES) - {"jobposting_page"}
    hosts = [host for source in SOURCES.values() for host in source.hosts]
    assert len(hosts) == len(set(hosts))


@pytest.mark.parametrize("provider", PROVIDERS)
class TestEverySource:
    def test_an_empty_board(self, provider: str) -> None:
        assert parse(provider, []) == ParsedBoard(())

    def test_one_broken_posting_never_loses_the_rest(self, provider: str) -> None:
        shape = SHAPES[provider]
        good = shape.item()
        parsed = parse(provider, [shape.row(None, "Any"), shape.row("x", "  "), good])
        assert len(parsed.postings) == 1 and parsed.rows == 3
        assert parsed.broken == (Broken(0, "no_id"), Broken(1, "no_title"))

    def test_a_repeated_id_counts_once(self, provider: str) -> None:
        item = SHAPES[provider].item()
        parsed = parse(provider, [item, item])
        assert (len(parsed.postings), parsed.rows) == (1, 2)
        assert parsed.postings[0] == only(provider, item)

    @pytest.mark.parametrize(
        "payload",
        [b"", b"<html>challenge</html>", b"null", b"7", b'{"jobs": 3}', b'{"jobs": [', b"\xff\xfe",
         b"[" * 100_000, b'{"error": "x"}', b"<workzag", b"<rss"],
    )  # fmt: skip
    def test_an_answer_that_is_no_list_can_be_tried_again(
        self, provider: str, payload: bytes
    ) -> None:
        with pytest.raises(SourceUnavailableError):
            SOURCES[provider].parse(BOARDS[provider], payload)

    def test_a_posting_with_only_id_and_title_still_has_urls(self, provider: str) -> None:
        found = only(provider, SHAPES[provider].row("abc", "Engineer"))
        assert found.url.startswith("https://") and found.url.endswith("abc")
        assert found.apply_url.startswith(found.url)
        assert (found.remote, found.pay) == (SHAPES[provider].remote, ())
        assert found.description_missing or provider == "hackernews"
        named = provider not in FEEDS or provider == "hackernews"
        assert (found.posted_at, found.company) == (None, "acme" if named else "")

    def test_urls_that_are_no_web_urls_are_replaced(self, provider: str) -> None:
        hostile = dict.fromkeys(URL_FIELDS, "javascript:alert(1)")
        found = only(provider, SHAPES[provider].item(**hostile))
        assert found.url.startswith("https://") and found.apply_url.startswith("https://")
        assert "javascript" not in found.url + found.apply_url

    def test_p025_different_ids_never_merge(self, provider: str) -> None:
        row = SHAPES[provider].row
        same = parse(provider, [row("1a", "Any"), row("2b", "Any")]).postings
        assert len({found.key.job_id for found in same}) == 2

    def test_a_whole_row_gives_title_place_and_urls_on_the_board(self, provider: str) -> None:
        found = only(provider, SHAPES[provider].item())
        board = BOARDS[provider]
        assert (found.key.provider, found.key.board) == (provider, board.key)
        assert found.title and found.locations
        assert belongs(check_url(found.url).host, SOURCES[provider].hosts)

    def test_a_postings_own_url_leads_back_to_its_board(self, provider: str) -> None:
        found = only(provider, SHAPES[provider].item())
        if provider == "workable":  # its short links name no company
            with pytest.raises(UnsupportedBoardError):
                resolve_board(found.url)
            return
        _, recognised = resolve_board(found.url)
        assert recognised.board.key == found.key.board or provider == "hackernews"
        if provider not in URLS_WITHOUT_ID:
            assert recognised.posting_id == found.key.posting_id

    def test_requests_stay_on_hosts_of_the_provider(self, provider: str) -> None:
        source = SOURCES[provider]
        requests = source.list_requests(Board(provider, BOARDS[provider].token))
        assert requests
        for request in requests:
            url = check_url(request.url)
            assert url.scheme == "https" and not any(ord(letter) <= 32 for letter in request.url)


@pytest.mark.parametrize("provider", IN_JSON)
class TestEveryJsonSource:
    def test_rows_that_are_no_objects_are_counted(self, provider: str) -> None:
        parsed = parse(provider, [None, SHAPES[provider].item(), []])
        assert len(parsed.postings) == 1
        assert parsed.broken == (Broken(0, "not_an_object"), Broken(2, "not_an_object"))

    @pytest.mark.parametrize("value", [None, 7, True, "text", [], [None], {}, {"a": {}}])
    def test_a_field_of_another_kind_costs_at_most_its_posting(
        self, provider: str, value: Any
    ) -> None:
        item = SHAPES[provider].item()
        rows = [item | {name: value} for name in item]
        parsed = parse(provider, [*rows, SHAPES[provider].row("last", "Any")])
        assert parsed.postings[-1].key.posting_id == "last"

    def test_s24_lone_surrogates_and_invisible_characters_are_dropped(self, provider: str) -> None:
        title = "Eng\ud800in\u200beer\u202e \U000e0041\x00X"
        assert only(provider, SHAPES[provider].row("abc", title)).title == "Eng?ineer X"


@pytest.mark.parametrize("provider", DETAILED)
class TestEveryDetailedSource:
    def test_a_detail_adds_to_the_same_posting(self, provider: str) -> None:
        source, shape, board = SOURCES[provider], SHAPES[provider], BOARDS[provider]
        assert isinstance(source, Detailed)
        listed = only(provider, shape.item())
        assert listed.description_missing
        whole = source.parse_detail(board, listed, json.dumps(shape.detail).encode())
        assert (whole.key, whole.title) == (listed.key, listed.title)
        assert whole.description and whole.posted_at and whole.employment_type
        assert set(listed.locations) <= set(whole.locations) or provider == "bamboohr"

    def test_what_a_detail_leaves_out_stays(self, provider: str) -> None:
        source, shape, board = SOURCES[provider], SHAPES[provider], BOARDS[provider]
        assert isinstance(source, Detailed)
        listed = only(provider, shape.item())
        whole = source.parse_detail(board, listed, json.dumps(shape.detail).encode())
        thin = without_texts(shape.detail)
        again = source.parse_detail(board, whole, json.dumps(thin).encode())
        assert again.description == whole.description

    @pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b"null", b'{"error": "gone"}', b"<p>"])
    def test_an_answer_that_is_no_posting_can_be_tried_again(
        self, provider: str, payload: bytes
    ) -> None:
        source, shape, board = SOURCES[provider], SHAPES[provider], BOARDS[provider]
        assert isinstance(source, Detailed)
        with pytest.raises(SourceUnavailableError):
            source.parse_detail(board, only(provider, shape.item()), payload)


def without_texts(value: Any) -> Any:
    """The answer without anything that holds a description."""
    if not isinstance(value, dict):
        return value
    texts = {"description", "jobDescription", "jobAd"}
    return {name: without_texts(entry) for name, entry in value.items() if name not in texts}


def test_a_source_is_closed_only_by_word_of_its_provider() -> None:
    closed = {name: source.closed for name, source in SOURCES.items() if isinstance(source, Closed)}
    assert closed == {"smartrecruiters": "robots", "bamboohr": "terms", "breezy": "terms"}


@pytest.mark.parametrize(
    ("provider", "rows", "total", "following"),
    [
        ("workday", 20, 644, 20),
        ("workday", 20, 20, None),
        ("workday", 19, 644, None),
        ("workday", 20, 0, 20),
        ("workday", 20, 2000, 20),
        ("smartrecruiters", 100, 101, 100),
        ("smartrecruiters", 100, 100, None),
        ("teamtailor", 100, None, 100),
        ("teamtailor", 99, None, None),
    ],
)
def test_p040_the_next_page_by_rows_and_total(
    provider: str, rows: int, total: int | None, following: int | None
) -> None:
    source = SOURCES[provider]
    assert isinstance(source, Paged)
    first = source.list_requests(BOARDS[provider])[0]
    after = source.next_request(BOARDS[provider], first, ParsedBoard((), (), total, rows))
    assert (after.place if after else None) == following
    if after:
        assert after != first and str(after.place) in (after.url + str(after.body))


def test_p040_a_total_of_2000_is_a_ceiling_not_the_end() -> None:
    source, board = SOURCES["workday"], BOARDS["workday"]
    assert isinstance(source, Paged)
    last = Request("https://x", place=1980)
    after = source.next_request(board, last, ParsedBoard((), (), 2000, 20))
    assert after is not None and after.place == 2000


def test_greenhouse_fields() -> None:
    found = only("greenhouse", greenhouse_item())
    assert (found.key.provider, found.key.board, found.key.posting_id) == (
        "greenhouse",
        "acme",
        "4000001",
    )
    assert found.url == "https://job-boards.greenhouse.io/acme/jobs/4000001"
    assert (found.title, found.company) == ("Staff Engineer, Pricing Platform", "Acme Robotics")
    assert found.locations == ("Berlin, Germany", "Remote, Germany")
    assert (found.remote, found.workplace, found.department) == ("no", "Hybrid", "Engineering")
    assert found.posted_at == "2026-05-11T21:58:31.000000Z"
    assert found.updated_at == "2026-07-14T22:35:00.000000Z"


def test_p034_greenhouse_texts_are_asked_for_and_unescaped_once() -> None:
    source = SOURCES["greenhouse"]
    assert all(
        "content=true" in request.url
        for request in source.list_requests(Board("greenhouse", "acme"))
    )
    found = only("greenhouse", greenhouse_item())
    assert found.description == "## About\n\nBuild arms & legs."
    without = greenhouse_item()
    del without["content"]
    assert only("greenhouse", without).description_missing


def test_greenhouse_advertised_total_and_pay() -> None:
    pays = [{"min_cents": 9000000, "max_cents": 12000000, "currency_type": "USD"}]
    payload = {"jobs": [greenhouse_item(pay_input_ranges=pays)], "meta": {"total": 37}}
    parsed = SOURCES["greenhouse"].parse(BOARDS["greenhouse"], json.dumps(payload).encode())
    assert parsed.advertised == 37
    assert parsed.postings[0].pay == (Pay(90000, 120000, "USD", "unknown"),)


@pytest.mark.parametrize(
    ("place", "remote"),
    [("Remote, Italy", "yes"), ("Remote", "yes"), ("Berlin", "unknown"), ("Remotely", "unknown"),
     ("Hybrid - Oslo", "no"), ("Hybrid or Remote", "unknown")],
)  # fmt: skip
def test_p011_greenhouse_remote_by_its_places(place: str, remote: str) -> None:
    assert (
        only("greenhouse", greenhouse_item(metadata=None, location={"name": place})).remote
        == remote
    )


def test_p043_a_posting_on_the_companys_own_page_keeps_its_id() -> None:
    own = greenhouse_item(absolute_url="https://acme.example/jobs?gh_jid=4000001&utm_source=x")
    assert only("greenhouse", own).url == "https://acme.example/jobs?gh_jid=4000001"


def test_lever_fields() -> None:
    found = only("lever", lever_item())
    assert (found.remote, found.workplace, found.employment_type) == ("yes", "remote", "Full-time")
    assert found.locations == ("Lisbon", "Porto") and found.department == "Data"
    assert found.pay == (Pay(50000, 70000, "EUR", "year"),)
    assert found.posted_at == "2026-06-29T17:15:06.506000Z"
    assert found.description == (
        "Opening words.\n\n### What you'll do\n\n- Ask\n- Answer\n\nClosing words."
    )


def test_lever_plain_texts_are_used_where_there_is_no_html() -> None:
    bare = lever_item(description=None, descriptionPlain="Plain.", lists=[], additional="")
    assert only("lever", bare).description == "Plain."


@pytest.mark.parametrize("workplace", ["onsite", "on-site", "hybrid"])
def test_lever_other_workplaces_are_not_remote(workplace: str) -> None:
    assert only("lever", lever_item(workplaceType=workplace)).remote == "no"


def test_p013_swapped_bounds_are_put_right_and_marked() -> None:
    salary = {"min": 120000, "max": 90000, "currency": "usd", "interval": "per-hour-wage"}
    found = only("lever", lever_item(salaryRange=salary))
    assert found.pay == (Pay(90000, 120000, "USD", "hour", swapped=True),)


@pytest.mark.parametrize("figure", [0, -5, True, "90000", None, 1e300, [1]])
def test_pay_that_is_no_figure_is_no_pay(figure: Any) -> None:
    salary = {"min": figure, "max": figure, "currency": "USD", "interval": "per-year-salary"}
    assert only("lever", lever_item(salaryRange=salary)).pay == ()


def test_ashby_fields() -> None:
    found = only("ashby", ashby_item())
    assert found.title == "Security Engineer"
    assert found.locations == ("New York", "Remote (Canada)")
    assert found.description == "Guard the **gates**."
    assert found.posted_at == "2026-04-07T17:12:35.753000Z"


@pytest.mark.parametrize(
    ("workplace", "flag", "remote"),
    [("Hybrid", True, "no"), ("OnSite", True, "no"), ("Remote", False, "yes"),
     (None, True, "yes"), (None, False, "unknown"), (None, None, "unknown")],
)  # fmt: skip
def test_p011_ashby_hybrid_is_not_remote_whatever_its_flag(
    workplace: str | None, flag: bool | None, remote: str
) -> None:
    item = ashby_item(workplaceType=workplace, isRemote=flag, secondaryLocations=[])
    assert only("ashby", item).remote == remote


def test_p021_ashby_pay_is_every_salary_of_every_tier_and_nothing_else() -> None:
    def part(kind: str, low: int | None, high: int | None) -> dict[str, Any]:
        return {
            "compensationType": kind,
            "interval": "1 YEAR",
            "currencyCode": "USD",
            "minValue": low,
            "maxValue": high,
        }

    tiers = [
        {"components": [part("EquityCashValue", 1, 2), part("Salary", 136000, 187000)]},
        {"components": [part("Commission", 5, 6), part("Salary", 122400, None)]},
        {"components": [part("Salary", 136000, 187000), part("Bonus", 1, 2)]},
    ]
    found = only("ashby", ashby_item(compensation={"compensationTiers": tiers}))
    assert found.pay == (Pay(136000, 187000, "USD", "year"), Pay(122400, None, "USD", "year"))
    url = SOURCES["ashby"].list_requests(BOARDS["ashby"])[0].url
    assert "includeCompensation=true" in url


def test_ashby_unlisted_postings_are_not_on_offer() -> None:
    assert parse("ashby", [ashby_item(isListed=False)]) == ParsedBoard(())


def test_p112_a_date_without_a_zone_stays_as_given() -> None:
    found = only("ashby", ashby_item(publishedAt="2026-04-22T00:00:00"))
    assert found.posted_at == "2026-04-22T00:00:00"


@pytest.mark.parametrize("value", ["yesterday", "", 10**30, -(10**30), {}, True])
def test_a_date_that_is_none_is_unknown(value: Any) -> None:
    assert only("ashby", ashby_item(publishedAt=value)).posted_at is None
