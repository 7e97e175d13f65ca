"""Real pages with JobPosting markup: every field is read, and no damage raises (quality.jsonld).

Needs the corpus folder beside the checkout, or at JOBSTEWARD_CORPUS.
"""

import copy
import json
import os
import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from jobsteward.discover.jsonld import read_postings
from jobsteward.discover.schema_org import JobMarkup

CORPUS = Path(os.environ.get("JOBSTEWARD_CORPUS") or Path(__file__).parents[2] / "../shared/data")
PAGES = CORPUS / "B_jsonld"

if not PAGES.is_dir():
    pytest.skip("the corpus of pages is absent; set JOBSTEWARD_CORPUS", allow_module_level=True)

FILES = sorted(PAGES.glob("*.html"))
EXAMPLES = PAGES / "ld_schemaorg_examples.json"
SCRIPT = re.compile(r"<script[^>]*ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
WORD = re.compile(r"\w+")
NOTHING = {"unavailable", "-", ""}
TEXTS = ("description", "responsibilities", "qualifications", "skills", "educationRequirements",
         "experienceRequirements", "jobBenefits", "incentiveCompensation", "workHours",
         "employerOverview", "specialCommitments")  # fmt: skip


def strict(script: str) -> Any:
    """The script's value by the standard parser, with the known damage undone by hand."""
    try:
        return json.loads(script, strict=False)
    except ValueError:
        return json.loads(re.sub(r'\\(?=[^"\\/bfnrtu])', r"\\\\", script), strict=False)


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("@type") == "JobPosting":
            yield value
        for inner in value.values():
            yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def given(path: Path) -> list[dict[str, Any]]:
    scripts = SCRIPT.findall(path.read_text(encoding="utf-8"))
    return [node for script in scripts if "JobPosting" in script for node in nodes(strict(script))]


def words(value: Any) -> set[str]:
    """The words of a text that a reader sees, tags and escapes undone."""
    if isinstance(value, dict):
        value = [part for name, part in value.items() if name[0] != "@"]
    if isinstance(value, list):
        return {word for entry in value for word in words(entry)}
    text = unescape(unescape(str(value or "")))
    # Styles, scripts and hidden parts are not among what a reader sees.
    text = re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", text)
    return set(WORD.findall(re.sub(r"<[^<>]*>", " ", text).replace("\\n", " ")))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_field_that_the_page_declares_is_read(path: Path) -> None:
    declared, found = given(path), read_postings(path.read_bytes())
    assert declared and len(found) == len(declared)
    for node, markup in zip(declared, found, strict=True):
        plain_fields(node, markup)
        assert_places(node, markup)
        assert_pay(node, markup)
        wanted = {word for name in TEXTS for word in words(node.get(name))}
        read = set(WORD.findall((markup.description or "").replace("\\", "")))
        assert len(wanted - read) <= len(wanted) * 0.01, sorted(wanted - read)[:20]


def plain_fields(node: dict[str, Any], markup: JobMarkup) -> None:
    assert words(markup.title) == words(node["title"])
    organisation = node.get("hiringOrganization")
    assert markup.company == (organisation["name"].strip() if organisation else None)
    identifier = (node.get("identifier") or {}).get("value")
    assert markup.identifier == (None if identifier is None else str(identifier))
    assert markup.url == node.get("url")
    assert words(markup.employment_type) == words(node.get("employmentType"))
    assert words(markup.industry) == words(node.get("industry"))
    category = node.get("occupationalCategory") or node.get("jobCategory")
    assert words(markup.department) == words(category)
    for name, moment in (
        ("datePosted", markup.posted_at),
        ("validThrough", markup.valid_through),
    ):
        assert (moment is None) == (not node.get(name))
        assert moment is None or moment[:4] == node[name][:4]
    assert markup.direct_apply == node.get("directApply")


def assert_places(node: dict[str, Any], markup: JobMarkup) -> None:
    assert (node.get("jobLocationType") == "TELECOMMUTE") <= (markup.remote == "yes")
    places = node.get("jobLocation") or []
    places = places if isinstance(places, list) else [places]
    names = {place.get("name") for place in places}
    said = " | ".join(markup.locations)
    for place in places:
        address = place.get("address") or {}
        if len(names) > 1 or not address:
            assert place["name"] in markup.locations
        elif isinstance(address, str):
            assert address in markup.locations
        else:
            parts = ("addressLocality", "addressRegion", "addressCountry")
            stated = [address.get(name) for name in parts]
            assert all(part in said for part in stated if part and part.lower() not in NOTHING)
    scopes = node.get("applicantLocationRequirements")
    assert bool(markup.applicant_places) == bool(scopes)


def assert_pay(node: dict[str, Any], markup: JobMarkup) -> None:
    salary = node.get("baseSalary")
    assert bool(markup.pay) == bool(salary)
    if isinstance(salary, dict):
        value, pay = salary["value"], markup.pay[0]
        inner = value if isinstance(value, dict) else {"minValue": value, "maxValue": value}
        bounds = [inner.get(name) for name in ("minValue", "maxValue")]
        assert [pay.minimum, pay.maximum] == [None if b is None else float(b) for b in bounds]
        assert pay.currency == salary["currency"] and pay.period != "unknown"


@pytest.mark.parametrize("kind", ["json", "microdata", "rdfa"])
def test_the_three_ways_of_marking_up_agree(kind: str) -> None:
    example = json.loads(EXAMPLES.read_text(encoding="utf-8"))[0]
    (found,) = read_postings(example[kind])
    assert (found.title, found.locations) == ("Software Engineer", ("Kirkland, WA",))
    assert (found.employment_type, found.industry) == ("Full-time", "Computer Software")
    assert (found.posted_at, found.pay[0].minimum) == ("2011-10-31", 100000)
    assert (found.pay[0].currency, found.company) == (
        "USD",
        None if kind == "json" else "ABC Company Inc.",
    )
    for text in ("J2EE", "Bachelor", "3 years", "Medical", "bonus plan", "40 hours", "in-house"):
        assert text in (found.description or "")


STRANGE: list[Any] = [None, True, -1, 10**30, 1.5, 1e308, "", "\ud800", "\x00", [], [[]], {},
                      {"a": 1}, {"@id": "#x"}, "<" * 50, "&" * 50, ["\n"] * 3]  # fmt: skip


def check(page: bytes | str) -> None:
    for found in read_postings(page):
        json.dumps(found.description).encode()
        assert found.title and found.title.encode("utf-8")


@pytest.mark.parametrize("path", [*FILES, EXAMPLES], ids=lambda path: path.stem)
def test_no_damage_to_a_page_raises(path: Path) -> None:
    """Truncation, flipped bytes and swapped values end in postings or in none."""
    chance = random.Random(path.stem)
    small = shortened(path)
    for _ in range(15):
        check(small[: chance.randrange(len(small))])
    for _ in range(30):
        check(flipped(small, chance))
    if path.suffix == ".html":
        for _ in range(30):
            swapped = swap(given(path)[0], chance)
            check(f'<script type="application/ld+json">{json.dumps(swapped)}</script>')


def shortened(path: Path) -> bytes:
    if path.suffix != ".html":
        example = json.loads(path.read_text(encoding="utf-8"))[0]
        return str(example["microdata"] + example["rdfa"]).encode()
    scripts = SCRIPT.findall(path.read_text(encoding="utf-8"))
    script = next(script for script in scripts if "JobPosting" in script)
    return f'<script type="application/ld+json">{script[:6000]}</script>'.encode()


def flipped(payload: bytes, chance: random.Random) -> bytes:
    altered = bytearray(payload)
    for _ in range(chance.randrange(1, 12)):
        altered[chance.randrange(len(altered))] = chance.choice(b'"\\{}[],:<>&\x00\xff\n' + b"az09")
    return bytes(altered)


def swap(node: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    altered = copy.deepcopy(node)
    altered["description"] = str(altered.get("description"))[:300]
    for _ in range(5):
        place: Any = altered
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = chance.choice(keys)
            deeper = place[key]
            if not isinstance(deeper, dict | list) or not deeper or chance.random() < 0.3:
                place[key] = copy.deepcopy(chance.choice(STRANGE))
                break
            place = deeper
    return altered
