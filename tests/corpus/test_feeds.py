"""Real feeds and saved LinkedIn pages parse whole, and no damage raises (quality.boards).

Needs the corpus folder beside the checkout, or at JOBSTEWARD_CORPUS.
"""

import copy
import json
import os
import random
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from jobsteward.discover.linkedin import read_alert_mail, read_saved_page
from jobsteward.discover.model import Board, Posting
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import SourceUnavailableError

CORPUS = Path(os.environ.get("JOBSTEWARD_CORPUS") or Path(__file__).parents[2] / "../shared/data")
FEEDS = CORPUS / "A_boards" / "other"
LINKEDIN = CORPUS / "A_boards" / "linkedin"

if not FEEDS.is_dir():
    pytest.skip("the corpus of feeds is absent; set JOBSTEWARD_CORPUS", allow_module_level=True)

Rows = Callable[[Any], list[dict[str, Any]]]
READ: dict[str, Rows] = {
    "remoteok": lambda answer: answer[1:],
    "remotive": lambda answer: answer["jobs"],
    "arbeitnow": lambda answer: answer["data"],
    "adzuna": lambda answer: answer["results"],
    "usajobs": lambda answer: answer["SearchResult"]["SearchResultItems"],
    "hackernews": lambda answer: answer["hits"],
}
NAMES = {"hn": "hackernews"}
FILES = [
    (provider, path)
    for path in sorted(FEEDS.glob("*.json"))
    if (provider := NAMES.get(path.stem.split("_")[0], path.stem.split("_")[0])) in READ
]
# The field of a row that each field of a posting comes from.
FIELDS: dict[str, dict[str, str]] = {
    "remoteok": {"title": "position", "company": "company", "locations": "location",
                 "posted_at": "date", "description": "description"},
    "remotive": {"title": "title", "company": "company_name",
                 "locations": "candidate_required_location", "posted_at": "publication_date",
                 "description": "description", "employment_type": "job_type",
                 "department": "category"},
    "arbeitnow": {"title": "title", "company": "company_name", "locations": "location",
                  "posted_at": "created_at", "description": "description",
                  "employment_type": "job_types", "department": "tags"},
    "adzuna": {"title": "title", "company": "company", "locations": "location",
               "posted_at": "created", "description": "description",
               "employment_type": "contract_time", "department": "category"},
}  # fmt: skip


def test_the_corpus_has_answers_of_every_feed() -> None:
    assert {provider for provider, _ in FILES} == set(READ) and len(FILES) >= 8


def words(value: Any) -> set[str]:
    if isinstance(value, dict):
        value = value.get("display_name") or value.get("label") or ""
    text = " ".join(value) if isinstance(value, list) else str(value or "")
    # Some texts of the corpus were cut in the middle of a tag.
    plain = re.sub(r"<[^<>]*(?:>|$)", " ", unescape(unescape(text)))
    return set(re.findall(r"[A-Za-z0-9]{2,}", plain))


@pytest.mark.parametrize(("provider", "path"), FILES, ids=lambda value: getattr(value, "stem", ""))
def test_every_field_that_the_feed_holds_is_read(provider: str, path: Path) -> None:
    payload = path.read_bytes()
    rows = READ[provider](json.loads(payload))
    parsed = SOURCES[provider].parse(Board(provider, "all", ""), payload)
    offers = [row for row in rows if row.get("parent_id") == row.get("story_id")]
    assert len(parsed.postings) + len(parsed.broken) == len(offers)
    assert len(parsed.broken) <= (1 if provider == "hackernews" else 0)
    if provider in FIELDS:
        for row, posting in zip(rows, parsed.postings, strict=True):
            row_is_read(row, posting, FIELDS[provider])


def row_is_read(row: dict[str, Any], posting: Posting, names: dict[str, str]) -> None:
    for name, source in names.items():
        stated, read = row.get(source), getattr(posting, name)
        if name == "posted_at":
            assert (read is None) == (not stated)
            continue
        said = words(stated)
        missing = said - words(list(read) if isinstance(read, tuple) else read)
        assert len(missing) <= len(said) * 0.02, (name, sorted(missing)[:10])
    figures = [row.get("salary_min"), row.get("salary_max")]
    predicted = row.get("salary_is_predicted") == "1"
    if any(figures) and not predicted:
        assert [posting.pay[0].minimum, posting.pay[0].maximum] == figures
    if row.get("salary") and any(char.isdigit() for char in row["salary"]):
        assert posting.pay


def test_usajobs_reads_pay_and_remote_of_every_announcement() -> None:
    payload = (FEEDS / "usajobs_search.json").read_bytes()
    rows = READ["usajobs"](json.loads(payload))
    for row, posting in zip(
        rows, SOURCES["usajobs"].parse(Board("usajobs", "all"), payload).postings, strict=True
    ):
        told = row["MatchedObjectDescriptor"]
        pay, details = told["PositionRemuneration"][0], told["UserArea"]["Details"]
        assert posting.pay[0].minimum == float(pay["MinimumRange"])
        assert posting.remote == ("yes" if details["RemoteIndicator"] else "no")
        assert posting.locations == (told["PositionLocationDisplay"],)


def test_a_feed_that_is_broken_xml_gives_what_is_whole() -> None:
    payload = (FEEDS / "wwr_devops_trimmed.rss").read_bytes()
    parsed = SOURCES["weworkremotely"].parse(Board("weworkremotely", "all"), payload)
    assert len(parsed.postings) == payload.count(b"<title>") - 1
    assert all(posting.company and posting.posted_at for posting in parsed.postings)


@pytest.mark.parametrize("path", sorted(LINKEDIN.glob("*.html")), ids=lambda path: path.stem)
def test_saved_linkedin_pages(path: Path) -> None:
    found = read_saved_page(path.read_bytes())
    cards = path.read_text(encoding="utf-8").count("data-entity-urn=")
    assert len(found) == max(cards, 1)
    for posting in found:
        assert posting.title and posting.company and posting.locations
        assert cards or posting.description


@pytest.mark.parametrize(("provider", "path"), FILES, ids=lambda value: getattr(value, "stem", ""))
def test_no_damage_to_a_feed_raises_anything_unexpected(provider: str, path: Path) -> None:
    """DIS-3: truncation, flipped bytes and swapped values end in postings or one known error."""
    chance = random.Random(path.stem)
    answer = json.loads(path.read_bytes())
    rows = READ[provider](answer)
    for row in rows:
        row.update({key: value[:300] for key, value in row.items() if isinstance(value, str)})
    del rows[2:]
    small = json.dumps(answer).encode()
    damaged = [small[: chance.randrange(len(small))] for _ in range(15)]
    damaged += [flipped(small, chance) for _ in range(30)]
    damaged += [json.dumps(swapped(answer, chance)).encode() for _ in range(40)]
    for payload in damaged:
        try:
            parsed = SOURCES[provider].parse(Board(provider, "all"), payload)
        except SourceUnavailableError:
            continue
        for posting in parsed.postings:
            assert posting.title.encode() and posting.key.posting_id and posting.url


@pytest.mark.parametrize("path", sorted(LINKEDIN.glob("*.html")), ids=lambda path: path.stem)
def test_no_damage_to_a_page_or_a_mail_raises(path: Path) -> None:
    chance = random.Random(path.stem)
    page = path.read_bytes()[:20_000]
    head = b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n"
    for _ in range(15):
        read_saved_page(flipped(page, chance))
        read_alert_mail(flipped(head * 2 + page[:4000] + b"\n--b--", chance))
        read_alert_mail(flipped(head, chance))


def flipped(payload: bytes, chance: random.Random) -> bytes:
    altered = bytearray(payload)
    for _ in range(chance.randrange(1, 12)):
        altered[chance.randrange(len(altered))] = chance.randrange(256)
    return bytes(altered)


STRANGE: list[Any] = [None, True, -1, 10**30, 1.5, 1e308, "", "\ud800", "\x00", [], [[]], {},
                      {"a": 1}, "http://[", "javascript:1"]  # fmt: skip


def swapped(answer: Any, chance: random.Random) -> Any:
    altered = copy.deepcopy(answer)
    for _ in range(4):
        place = altered
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = chance.choice(keys)
            deeper = place[key]
            if not isinstance(deeper, dict | list) or not deeper or chance.random() < 0.3:
                place[key] = copy.deepcopy(chance.choice(STRANGE))
                break
            place = deeper
    return altered
