"""Whether pages with JobPosting markup are read whole, and survive every kind of damage.

``quality.jsonld`` is the share of pages of which every field that the page declares is read;
what is declared is found by the standard JSON parser alone, not by the code under test.
"""

import json
import random
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

from benchmarks.corpus import corpus
from benchmarks.report import Report
from jobsteward.discover.jsonld import read_postings
from jobsteward.discover.schema_org import JobMarkup

MUTATIONS = 100

_SCRIPT = re.compile(r"<script[^>]*ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_BARE_BACKSLASH = re.compile(r'\\(?=[^"\\/bfnrtu])')
_WORD = re.compile(r"\w+")
_NOTHING = frozenset({"unavailable", "-", "none", "true", "false"})
_READ_FROM = {
    "title": "title", "description": "description", "responsibilities": "description",
    "qualifications": "description", "skills": "description", "jobBenefits": "description",
    "educationRequirements": "description", "experienceRequirements": "description",
    "incentiveCompensation": "description", "workHours": "description",
    "hiringOrganization": "company", "identifier": "identifier", "url": "url",
    "jobLocation": "locations", "applicantLocationRequirements": "applicant_places",
    "jobLocationType": "workplace", "employmentType": "employment_type", "industry": "industry",
    "baseSalary": "pay", "datePosted": "posted_at", "validThrough": "valid_through",
    "directApply": "direct_apply",
}  # fmt: skip
_SPOKEN = frozenset({"title", "company", "description", "employment_type", "industry"})


async def markup_quality() -> Report:
    """Share of pages and of fields read whole, and how many of the damaged pages raised."""
    report = Report("quality")
    pages = sorted((corpus() / "B_jsonld").glob("*.html"))
    missed = {page.name: list(_missed(page)) for page in pages}
    fields = sum(len(_fields(node)) for page in pages for node in _declared(page))
    if pages:
        report.set("jsonld", sum(not lost for lost in missed.values()) / len(pages))
        report.set("jsonld_fields", 1 - sum(map(len, missed.values())) / fields)
        report.set("jsonld_raised", float(sum(_raised(page) for page in pages)))
    report.settings["jsonld"] = f"{len(pages)} pages, {fields} fields"
    report.settings["jsonld_mutations"] = MUTATIONS * len(pages)
    report.settings["jsonld_missed"] = {name: lost for name, lost in missed.items() if lost}
    return report


def _declared(page: Path) -> list[dict[str, Any]]:
    scripts = _SCRIPT.findall(page.read_text(encoding="utf-8"))
    return [node for text in scripts if "JobPosting" in text for node in _nodes(_strict(text))]


def _strict(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return json.loads(_BARE_BACKSLASH.sub(r"\\\\", text), strict=False)


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("@type") == "JobPosting":
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


def _fields(node: dict[str, Any]) -> list[str]:
    return [name for name in _READ_FROM if node.get(name) not in (None, "", [])]


def _missed(page: Path) -> Iterator[str]:
    """Fields of the page that were not read, by posting and name."""
    declared, found = _declared(page), read_postings(page.read_bytes())
    for place, node in enumerate(declared):
        markup = found[place] if place < len(found) else None
        for name in _fields(node):
            if markup is None or not _holds(markup, _READ_FROM[name], node[name]):
                yield f"{place}.{name}"


def _holds(markup: JobMarkup, field: str, stated: Any) -> bool:
    read = getattr(markup, field)
    if field == "workplace":
        return read is not None and markup.remote == "yes"
    if field not in _SPOKEN:
        return read not in (None, ())
    if field == "company":
        stated = stated.get("name") if isinstance(stated, dict) else stated
    said = _words(stated)
    return len(said - _words(read, plain=True)) <= len(said) * 0.01


def _words(value: Any, plain: bool = False) -> set[str]:
    if isinstance(value, dict):
        value = [inner for name, inner in value.items() if name[0] != "@"]
    if isinstance(value, list):
        return {word for inner in value for word in _words(inner, plain)}
    text = str(value or "").replace("\\n", " ")
    if not plain:
        text = re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", unescape(unescape(text)))
        text = re.sub(r"<[^<>]*>", " ", text)
    return set(_WORD.findall(text.replace("\\", ""))) - _NOTHING


def _raised(page: Path) -> int:
    """How many damaged copies of the page's postings raised anything at all."""
    chance = random.Random(page.name)
    scripts = _SCRIPT.findall(page.read_text(encoding="utf-8"))
    script = next(text for text in scripts if "JobPosting" in text)[:20_000]
    whole = f'<script type="application/ld+json">{script}</script>'.encode()
    return sum(_raises(_damaged(whole, chance)) for _ in range(MUTATIONS))


def _damaged(payload: bytes, chance: random.Random) -> bytes:
    altered = bytearray(payload)
    for _ in range(chance.randrange(1, 20)):
        altered[chance.randrange(len(altered))] = chance.choice(b'"\\{}[],:<>&\x00\xff\n' + b"az09")
    return bytes(altered[: chance.randrange(len(altered))] if chance.random() < 0.3 else altered)


def _raises(payload: bytes) -> bool:
    try:
        read_postings(payload)
    except Exception:  # that nothing at all is raised is what is measured
        return True
    return False
