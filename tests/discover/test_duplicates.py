"""One opening or two: keys from URLs, comparing, and the labelled pairs (DIS-8)."""

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.duplicate_quality import PAIRS, own_pairs
from jobsteward.discover.duplicates import compare, likeness, title_key
from jobsteward.discover.model import Posting, PostingKey
from jobsteward.discover.url_keys import opening_key, same_opening
from tests.discover.boards import posting

TEXT = "You keep the kilns running, order clay and teach two apprentices how to glaze tiles."


def job(posting_id: str = "p1", provider: str = "lever", **fields: Any) -> Posting:
    key = PostingKey(provider, "acme", posting_id)
    url = f"https://jobs.lever.co/acme/{posting_id}"
    if provider != "lever":
        url = f"https://{provider}.test/{posting_id}"
    shared = {"title": "Potter", "description": TEXT}
    return posting(1, **{"key": key, "url": url, "apply_url": url} | shared | fields)


def test_labelled_pairs_are_told_apart() -> None:
    """P023-P026, P028, J09: the published set, each pair in both orders."""
    wrong = [row for row in own_pairs() if row.expected != row.got]
    assert wrong == []
    assert len(PAIRS.read_text().splitlines()) >= 100


def test_different_ids_of_one_system_never_merge() -> None:
    """P025: whatever title, text and even address they share."""
    one, other = job("p1"), job("p2")
    shared = replace(other, apply_url=one.apply_url, url=one.url)
    assert compare(one, other).link == "possible_duplicate"
    assert compare(one, replace(other, title="Associate Potter")).link == "different"
    assert compare(one, shared).link == "same"  # the address names the other's own id


@pytest.mark.parametrize("days", [("2026-01-05", "2026-03-01"), ("2026-03-01", "2026-01-05")])
def test_a_repost_is_linked_not_merged(days: tuple[str, str]) -> None:
    """P026."""
    one, other = job("p1", posted_at=days[0]), job("p2", posted_at=days[1])
    assert compare(one, other).link == compare(other, one).link == "repost_of"


def test_an_aggregators_own_url_proves_nothing() -> None:
    """P024: two sites that repeat others are linked; the employer's id in a link merges."""
    one = job("77", "remotive")
    assert compare(one, job("88", "adzuna")).link == "possible_duplicate"
    assert compare(one, job("77", "remotive")).link == "same"
    named = job("88", "adzuna", apply_url="https://jobs.lever.co/acme/p1/apply?utm_source=x")
    assert compare(job("p1"), named).because == "same_id"


@pytest.mark.parametrize(
    ("url", "provider", "posting_id"),
    [
        ("https://acme.example/jobs?gh_jid=1234567", "greenhouse", "1234567"),
        ("https://jobs.lever.co/acme/p1/apply?lever-source=x#top", "lever", "p1"),
        ("https://acme.fa.oraclecloud.com/hcmUI/CandidateExperience/en/sites/CX_1/job/41/",
         "oraclehcm", "41"),
        ("https://careers-acme.icims.com/jobs/91/baker/job", "icims", "91"),
        ("https://acme.eightfold.ai/careers?pid=12345678&domain=acme.example", "eightfold",
         "12345678"),
        ("https://careers.acme.example/job/lyon/1234567890", "successfactors", "1234567890"),
        ("https://jobs.acme.example/job/lyon/baker/275/81234567", "radancy", "81234567"),
        ("https://www.linkedin.com/jobs/view/baker-at-acme-1234567", "linkedin", "1234567"),
    ],
)  # fmt: skip
def test_urls_name_openings(url: str, provider: str, posting_id: str) -> None:
    """quality.url_key: also of providers that are not read here."""
    key = opening_key(url)
    assert key is not None
    assert (key.provider, key.posting_id) == (provider, posting_id)


@pytest.mark.parametrize(
    "url",
    ["", "careers/baker", "https://acme.example/careers", "http://127.0.0.1/jobs/1",
     "https://acme.wd1.myworkdayjobs.com/careers/job/Lyon/Head-Baker",
     "https://jobs.lever.co/acme"],
)  # fmt: skip
def test_other_urls_name_none(url: str) -> None:
    assert opening_key(url) is None


def test_a_key_without_a_board_fits_any_board_of_its_provider() -> None:
    embedded = opening_key("https://acme.example/jobs?gh_jid=1234567")
    assert embedded is not None
    assert same_opening(embedded, PostingKey("greenhouse", "acme", "1234567"))
    assert not same_opening(embedded, PostingKey("lever", "acme", "1234567"))
    assert not same_opening(PostingKey("lever", "a", "1"), PostingKey("lever", "b", "1"))


def test_title_keys_hold_rank_and_level_only() -> None:
    assert title_key("Sr. Potter II (m/w/d)") == title_key("Potter 2, Senior")
    assert title_key("Potter - Berlin", ("Berlin",)) == title_key("Potter (Remote)")
    assert title_key("Associate Potter") != title_key("Potter")


def test_likeness_is_of_the_shorter_text() -> None:
    assert likeness(TEXT, TEXT[:49]) > 0.8
    assert likeness(TEXT, "We sell boats to sailors of every age and purse.") == 0.0
    assert likeness("", TEXT) == 0.0
