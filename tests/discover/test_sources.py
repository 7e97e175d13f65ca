"""What every source reads from its answers, and that one bad posting costs only itself."""

import json
from typing import Any

import pytest

from jobsteward.discover.model import Board, Broken, ParsedBoard, Pay, Posting
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError
from tests.discover.boards import BOARDS, ITEMS, answer, ashby_item, greenhouse_item, lever_item

PROVIDERS = sorted(SOURCES)


def parse(provider: str, items: list[Any]) -> ParsedBoard:
    payload = json.dumps(answer(provider, items)).encode()
    return SOURCES[provider].parse(BOARDS[provider], payload)


def only(provider: str, item: Any) -> Posting:
    parsed = parse(provider, [item])
    assert parsed.broken == ()
    return parsed.postings[0]


def test_the_registry_is_keyed_by_name_and_hosts_are_disjoint() -> None:
    assert all(source.name == name for name, source in SOURCES.items())
    hosts = [host for source in SOURCES.values() for host in source.hosts]
    assert len(hosts) == len(set(hosts))


@pytest.mark.parametrize("provider", PROVIDERS)
class TestEverySource:
    def test_an_empty_board(self, provider: str) -> None:
        assert parse(provider, []) == ParsedBoard(())

    def test_one_broken_posting_never_loses_the_rest(self, provider: str) -> None:
        title = "text" if provider == "lever" else "title"
        good = ITEMS[provider]()
        bad: list[Any] = [
            None,
            good | {"id": None},
            good | {"id": "x", title: "  "},
            [],
            good | {"id": {}},
        ]
        parsed = parse(provider, [*bad[:3], good, *bad[3:]])
        assert [posting.key.posting_id for posting in parsed.postings] == [str(good["id"])]
        assert parsed.broken == (
            Broken(0, "not_an_object"),
            Broken(1, "no_id"),
            Broken(2, "no_title"),
            Broken(4, "not_an_object"),
            Broken(5, "no_id"),
        )

    def test_a_repeated_id_counts_once(self, provider: str) -> None:
        assert len(parse(provider, [ITEMS[provider](), ITEMS[provider]()]).postings) == 1

    @pytest.mark.parametrize(
        "payload",
        [b"", b"<html>challenge</html>", b"null", b"7", b'{"jobs": 3}', b'{"jobs": [', b"\xff\xfe",
         b"[" * 100_000, b'{"error": "x"}'],
    )  # fmt: skip
    def test_an_answer_that_is_no_list_can_be_tried_again(
        self, provider: str, payload: bytes
    ) -> None:
        with pytest.raises(SourceUnavailableError):
            SOURCES[provider].parse(BOARDS[provider], payload)

    def test_a_posting_with_only_id_and_title_still_has_urls(self, provider: str) -> None:
        title = "text" if provider == "lever" else "title"
        found = only(provider, {"id": "abc", title: "Engineer"})
        assert found.url.startswith("https://") and found.url.endswith("abc")
        assert found.apply_url.startswith(found.url)
        assert (found.remote, found.description_missing, found.pay) == ("unknown", True, ())
        assert (found.posted_at, found.company) == (None, "acme")

    def test_urls_that_are_no_web_urls_are_replaced(self, provider: str) -> None:
        hostile = dict.fromkeys(("absolute_url", "hostedUrl", "jobUrl", "applyUrl"),
                                "javascript:alert(1)")  # fmt: skip
        found = only(provider, ITEMS[provider](**hostile))
        assert found.url.startswith("https://") and found.apply_url.startswith("https://")

    def test_p025_different_ids_never_merge(self, provider: str) -> None:
        same = parse(provider, [ITEMS[provider](id="1a"), ITEMS[provider](id="2b")]).postings
        assert len({found.key.job_id for found in same}) == 2

    def test_s24_lone_surrogates_and_invisible_characters_are_dropped(self, provider: str) -> None:
        title = "text" if provider == "lever" else "title"
        found = only(
            provider, ITEMS[provider](**{title: "Eng\ud800in\u200beer\u202e \U000e0041\x00X"})
        )
        assert found.title == "Eng?ineer X"


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
