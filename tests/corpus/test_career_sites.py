"""Real answers of career sites parse whole, and damaged ones never raise anything unexpected.

Needs the corpus folder beside the checkout, or at JOBSTEWARD_CORPUS.
"""

import json
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest

from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.source import Detailed
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError
from tests.corpus.damage import flipped, swapped

CORPUS = Path(os.environ.get("JOBSTEWARD_CORPUS") or Path(__file__).parents[2] / "../shared/data")
ANSWERS = CORPUS / "A_boards"

if not ANSWERS.is_dir():
    pytest.skip(
        "the corpus of board answers is absent; set JOBSTEWARD_CORPUS", allow_module_level=True
    )

ROWS = {
    "workday": "jobPostings",
    "smartrecruiters": "content",
    "workable": "jobs",
    "recruitee": "offers",
    "pinpoint": "data",
    "bamboohr": "result",
    "rippling": "",
}
IDS = {"workable": "shortcode", "rippling": "uuid"}
TITLES = {"smartrecruiters": "name", "rippling": "name", "bamboohr": "jobOpeningName"}
TOKENS = {"workday": "acme/Careers@wd5"}


def _answers() -> list[tuple[str, str, Any]]:
    """Provider, name of the file, and every JSON value that a provider answered with."""
    found: list[tuple[str, str, Any]] = []
    for provider in ROWS:
        paths = [*ANSWERS.glob(f"{provider}/*.json"), *ANSWERS.glob(f"other/{provider}*.json")]
        for path in sorted(paths):
            value = json.loads(path.read_bytes())
            if isinstance(value, dict) and "list_pages" in value:
                pages, details = value["list_pages"], list(value["details"].values())
                found += [(provider, path.stem, part) for part in [*pages, *details]]
            else:
                found.append((provider, path.stem, value))
    return found


def _rows(provider: str, value: Any) -> list[dict[str, Any]] | None:
    name = ROWS[provider]
    rows = value if not name else value.get(name)
    return rows if isinstance(rows, list) else None


LISTS = [entry for entry in _answers() if _rows(entry[0], entry[2]) is not None]
DETAILS = [entry for entry in _answers() if _rows(entry[0], entry[2]) is None]


def _ids(entries: list[tuple[str, str, Any]]) -> list[str]:
    return [f"{name}-{place}" for place, (_, name, _) in enumerate(entries)]


def parse(provider: str, value: Any) -> ParsedBoard:
    return parse_bytes(provider, json.dumps(value).encode())


def parse_bytes(provider: str, payload: bytes) -> ParsedBoard:
    return SOURCES[provider].parse(Board(provider, TOKENS.get(provider, "acme")), payload)


def test_the_corpus_has_lists_of_every_provider() -> None:
    assert {provider for provider, _, _ in LISTS} == set(ROWS)


@pytest.mark.parametrize(("provider", "name", "value"), LISTS, ids=_ids(LISTS))
def test_every_field_that_the_list_holds_is_read(provider: str, name: str, value: Any) -> None:
    parsed, rows = parse(provider, value), _rows(provider, value)
    assert rows and parsed.broken == ()
    found = {posting.key.posting_id: posting for posting in parsed.postings}
    if provider != "workday":
        assert set(found) == {str(row[IDS.get(provider, "id")]) for row in rows}
    for row, posting in _paired(provider, rows, found):
        assert posting.title == " ".join(row[TITLES.get(provider, "title")].split())
        assert posting.url.startswith("https://") and posting.apply_url.startswith("https://")
        check = CHECKS.get(provider)
        if check:
            check(row, posting)


def _paired(
    provider: str, rows: list[dict[str, Any]], found: dict[str, Posting]
) -> list[tuple[dict[str, Any], Posting]]:
    if provider == "workday":
        return list(zip(rows, found.values(), strict=True))
    return [(row, found[str(row[IDS.get(provider, "id")])]) for row in rows]


def _words(text: object) -> set[str]:
    return set(re.findall(r"\w+", text)) if isinstance(text, str) else set()


def workday(row: dict[str, Any], posting: Posting) -> None:
    counted = re.fullmatch(r"\d+ Locations", row["locationsText"])
    assert posting.locations == (() if counted else (row["locationsText"],))
    assert row["bulletFields"][0] in posting.key.posting_id
    assert posting.url.endswith(row["externalPath"])


def smartrecruiters(row: dict[str, Any], posting: Posting) -> None:
    location = row["location"]
    assert _words(location["fullLocation"]) == _words(posting.locations[0])
    assert (posting.remote == "yes") == (location["remote"] is True)
    assert posting.company == row["company"]["name"] and posting.posted_at
    assert posting.employment_type == row["typeOfEmployment"]["label"]
    assert posting.department


def workable(row: dict[str, Any], posting: Posting) -> None:
    shown = [place for place in row["locations"] if not place["hidden"]]
    assert all(place["country"] in " ".join(posting.locations) for place in shown)
    assert (posting.remote == "yes") == row["telecommuting"]
    assert (posting.department or "") == row["department"]
    assert posting.posted_at == row["published_on"]
    assert posting.description_missing == (not row.get("description"))


def recruitee(row: dict[str, Any], posting: Posting) -> None:
    assert row["city"] in posting.locations[0]
    assert posting.workplace and posting.department == row["department"]
    assert posting.posted_at and posting.description
    salary = row.get("salary") or {}
    assert bool(posting.pay) == bool(salary.get("min") or salary.get("max"))
    if posting.pay:
        assert posting.pay[0].minimum == float(salary["min"])
        assert posting.pay[0].currency == salary["currency"]


def pinpoint(row: dict[str, Any], posting: Posting) -> None:
    assert posting.locations == (row["location"]["name"],)
    assert posting.workplace == row["workplace_type"] and posting.department
    pay = posting.pay[0]
    assert (pay.minimum, pay.maximum) == (row["compensation_minimum"], row["compensation_maximum"])
    assert (pay.currency, pay.period) == ("USD", row["compensation_frequency"])
    assert "responsibilities" not in row or posting.description


def bamboohr(row: dict[str, Any], posting: Posting) -> None:
    assert row["location"]["city"] in posting.locations[0]
    assert posting.employment_type == row["employmentStatusLabel"]
    assert posting.department == row["departmentLabel"].strip()


def rippling(row: dict[str, Any], posting: Posting) -> None:
    assert row["workLocation"]["label"] in posting.locations
    assert posting.department == row["department"]["label"]


CHECKS = {
    "workday": workday,
    "smartrecruiters": smartrecruiters,
    "workable": workable,
    "recruitee": recruitee,
    "pinpoint": pinpoint,
    "bamboohr": bamboohr,
    "rippling": rippling,
}


def some_posting(provider: str) -> Posting:
    value = next(value for name, _, value in LISTS if name == provider)
    return parse(provider, value).postings[0]


@pytest.mark.parametrize(("provider", "name", "value"), DETAILS, ids=_ids(DETAILS))
def test_every_detail_gives_text_date_and_kind(provider: str, name: str, value: Any) -> None:
    source = SOURCES[provider]
    assert isinstance(source, Detailed)
    board = Board(provider, TOKENS.get(provider, "acme"))
    found = source.parse_detail(board, some_posting(provider), json.dumps(value).encode())
    assert found.posted_at and found.employment_type and found.locations
    texts = json.dumps(value).count('"text"') + json.dumps(value).count('escription": "<')
    assert found.description_missing == (texts == 0)
    assert not any(mark in (found.description or "") for mark in ("&nbsp;", "<p", "<li"))
    pay = value.get("compensation")
    if isinstance(pay, dict):
        assert (found.pay[0].minimum, found.pay[0].maximum) == (pay["min"], pay["max"])


def test_the_personio_feed_is_read() -> None:
    (path,) = ANSWERS.glob("other/personio*.xml")
    payload = path.read_bytes()
    parsed = parse_bytes("personio", payload)
    assert parsed.broken == () and len(parsed.postings) == payload.count(b"<position>")
    for posting in parsed.postings:
        assert posting.description and posting.posted_at and posting.locations
    damage(path.stem, payload, lambda variant: parse_bytes("personio", variant), in_json=False)


@pytest.mark.parametrize(("provider", "name", "value"), LISTS, ids=_ids(LISTS))
def test_a_damaged_list_is_read_as_far_as_it_goes_or_refused(
    provider: str, name: str, value: Any
) -> None:
    """DIS-3: truncation, flipped bytes and swapped values end in postings or one known error."""
    payload = json.dumps(shortened(value)).encode()
    damage(name, payload, lambda variant: parse_bytes(provider, variant))


@pytest.mark.parametrize(("provider", "name", "value"), DETAILS, ids=_ids(DETAILS))
def test_a_damaged_detail_is_read_or_refused(provider: str, name: str, value: Any) -> None:
    source, listed = SOURCES[provider], some_posting(provider)
    assert isinstance(source, Detailed)
    board = Board(provider, TOKENS.get(provider, "acme"))

    def read(variant: bytes) -> ParsedBoard:
        return ParsedBoard((source.parse_detail(board, listed, variant),))

    damage(name, json.dumps(shortened(value)).encode(), read)


def damage(name: str, payload: bytes, read: Any, in_json: bool = True) -> None:
    chance = random.Random(name)
    damaged = [payload[: chance.randrange(len(payload))] for _ in range(20)]
    damaged += [flipped(payload, chance) for _ in range(40)]
    damaged += [swapped(payload, chance) for _ in range(60 if in_json else 0)]
    for variant in damaged:
        try:
            parsed = read(variant)
        except SourceUnavailableError:
            continue
        for posting in parsed.postings:
            json.dumps(posting.title).encode()
            assert posting.title and posting.key.posting_id and posting.url


def shortened(value: Any) -> Any:
    """The same shape with short texts and at most three rows, so that damage hits fields."""
    if isinstance(value, str):
        return value[:200]
    if isinstance(value, list):
        return [shortened(entry) for entry in value[:3]]
    if isinstance(value, dict):
        return {name: shortened(entry) for name, entry in value.items()}
    return value
