"""Real list answers parse whole, and damaged ones never raise anything unexpected.

Needs the corpus folder beside the checkout, or at JOBSTEWARD_CORPUS.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from jobsteward.discover.identity import canonical_url
from jobsteward.discover.model import Board, Posting
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError
from tests.corpus.damage import flipped, swapped

CORPUS = Path(os.environ.get("JOBSTEWARD_CORPUS") or Path(__file__).parents[2] / "../shared/data")
BOARDS = CORPUS / "A_boards"

if not BOARDS.is_dir():
    pytest.skip(
        "the corpus of board answers is absent; set JOBSTEWARD_CORPUS", allow_module_level=True
    )


def items(provider: str, payload: bytes) -> list[dict[str, Any]] | None:
    answer = json.loads(payload)
    found = answer if provider == "lever" else answer.get("jobs")
    return found if isinstance(found, list) else None


PROVIDERS = {"greenhouse", "lever", "ashby"}
FILES = [
    path
    for provider in sorted(PROVIDERS)
    for path in sorted((BOARDS / provider).glob("*.json"))
    if items(provider, path.read_bytes()) is not None
]


def test_the_corpus_has_lists_of_every_provider() -> None:
    assert {path.parent.name for path in FILES} == PROVIDERS
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_field_that_the_answer_holds_is_read(path: Path) -> None:
    provider, payload = path.parent.name, path.read_bytes()
    parsed = SOURCES[provider].parse(Board(provider, "acme"), payload)
    given = items(provider, payload)
    assert given is not None and parsed.broken == ()
    by_id = {posting.key.posting_id: posting for posting in parsed.postings}
    assert len(by_id) == len({item["id"] for item in given})
    for item in given:
        check = {"greenhouse": greenhouse, "lever": lever, "ashby": ashby}[provider]
        check(item, by_id[str(item["id"])])


def common(posting: Posting, title: str, places: list[str], published: object) -> None:
    assert posting.title == " ".join(title.split())
    assert posting.url.startswith("https://") and posting.apply_url.startswith("https://")
    joined = " ".join(posting.locations)
    assert all(word in joined for place in places for word in place.replace(";", " ").split()
               if word not in "|•")  # fmt: skip
    assert (posting.posted_at is not None) == (published is not None)


def greenhouse(item: dict[str, Any], posting: Posting) -> None:
    common(posting, item["title"], [item["location"]["name"]], item.get("first_published"))
    assert posting.company == item["company_name"].strip()
    assert posting.url == canonical_url(item["absolute_url"])
    assert ("gh_jid=" in posting.url) == ("gh_jid=" in item["absolute_url"])
    assert posting.description_missing == (not item.get("content"))
    if item.get("departments"):
        assert posting.department == " ".join(item["departments"][0]["name"].split())
    assert not any(mark in (posting.description or "") for mark in ("&lt;", "&nbsp;", "<div"))


def lever(item: dict[str, Any], posting: Posting) -> None:
    places = item["categories"].get("allLocations") or [item["categories"]["location"]]
    common(posting, item["text"], places, item["createdAt"])
    assert posting.employment_type == item["categories"]["commitment"].strip()
    assert posting.remote == ("yes" if item["workplaceType"] == "remote" else "no")
    assert posting.description is not None
    for section in item.get("lists", []):
        assert " ".join(section["text"].split())[:20] in posting.description.replace("\\", "")
    salary = item.get("salaryRange")
    assert bool(posting.pay) == bool(salary)
    if salary:
        pay = posting.pay[0]
        assert (pay.minimum, pay.maximum) == (salary["min"], salary["max"])
        assert (pay.currency, pay.period) == (salary["currency"], "year")


def ashby(item: dict[str, Any], posting: Posting) -> None:
    places = [item["location"], *(place["location"] for place in item["secondaryLocations"])]
    common(posting, item["title"], places, item["publishedAt"])
    assert posting.description and posting.employment_type == item["employmentType"]
    match item["workplaceType"]:
        case "Remote":
            assert posting.remote == "yes"
        case "Hybrid" | "OnSite":
            assert posting.remote == "no"
        case _:
            assert posting.remote in {"yes", "unknown"}
    salaries = {
        (part["minValue"], part["maxValue"])
        for tier in (item.get("compensation") or {}).get("compensationTiers", [])
        for part in tier["components"]
        if part["compensationType"] == "Salary"
    }
    assert {(pay.minimum, pay.maximum) for pay in posting.pay} == salaries


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_damaged_answer_is_read_as_far_as_it_goes_or_refused(path: Path) -> None:
    """DIS-3: truncation, flipped bytes and swapped values end in postings or one known error."""
    provider, payload = path.parent.name, path.read_bytes()
    chance = random.Random(path.stem)
    small = json.dumps(smaller(provider, payload)).encode()
    damaged = [small[: chance.randrange(len(small))] for _ in range(20)]
    damaged += [flipped(small, chance) for _ in range(40)]
    damaged += [swapped(small, chance) for _ in range(40)]
    for variant in damaged:
        try:
            parsed = SOURCES[provider].parse(Board(provider, "acme"), variant)
        except SourceUnavailableError:
            continue
        for posting in parsed.postings:
            json.dumps(posting.title).encode()
            assert posting.title and posting.key.posting_id and posting.url


def smaller(provider: str, payload: bytes) -> Any:
    answer = json.loads(payload)
    found = items(provider, payload) or []
    for item in found:
        for name, value in item.items():
            if isinstance(value, str):
                item[name] = value[:300]
    short = found[:2]
    return short if provider == "lever" else answer | {"jobs": short}
