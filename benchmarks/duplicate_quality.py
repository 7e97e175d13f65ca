"""How well openings are told apart: pairs of postings, keys of URLs, and names of employers.

Our own pairs, with invented employers, are in data/duplicate_pairs.jsonl; the labelled tables
of URLs and names are read in their own conventions (docs/quality.md).
"""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from benchmarks.corpus import labels
from benchmarks.discovery_quality import figures
from benchmarks.quality_tables import UNKNOWN, Row
from benchmarks.report import ROOT, Report
from jobsteward.discover.companies import company_key
from jobsteward.discover.duplicates import compare
from jobsteward.discover.identity import canonical_url
from jobsteward.discover.model import Pay, Posting, PostingKey
from jobsteward.discover.url_keys import opening_key
from jobsteward.kernel.errors import UrlBlockedError, UrlInvalidError

PAIRS = ROOT / "benchmarks" / "data" / "duplicate_pairs.jsonl"
_NAMES = {"smartrecruiters": "smartrec", "successfactors": "sfsf"}
_LENGTHS = (32, 48, 24)


async def duplicate_quality() -> Report:
    """Share right and precision for duplicates, keys of URLs, and employers' names."""
    report = Report("quality")
    figures(report, "duplicates", list(own_pairs()))
    figures(report, "url_key", list(url_keys()))
    figures(report, "company_key", [*golden_names(), *hard_names()])
    return report


def own_pairs() -> Iterator[Row]:
    for line in PAIRS.read_text("utf-8").splitlines():
        case = json.loads(line)
        got = compare(_posting(case["one"]), _posting(case["other"]))
        shown = f"{case['why']} ({case['one']['company']})"
        yield Row("own_pairs", shown, case["link"], got.link)


def _posting(given: dict[str, Any]) -> Posting:
    return Posting(
        key=PostingKey(given["provider"], given["board"], given["id"]),
        url=given["url"],
        apply_url=given["apply_url"],
        title=given["title"],
        company=given["company"],
        locations=tuple(given["locations"]),
        employment_type=given.get("employment_type"),
        pay=tuple(Pay(*pay) for pay in given.get("pay", ())),
        description=given["description"],
        posted_at=given["posted_at"],
    )


def url_keys() -> Iterator[Row]:
    """Their strong keys are the provider's ids; weak ones a URL, else employer, title, town."""
    for case in labels("dedup", "jobkeys_golden.json"):
        expected = case["key"]
        if expected.startswith("url-") and not re.match(r"https?:", case["url"].strip(), re.I):
            expected = UNKNOWN  # a path without a host names nothing for us
        if expected.startswith("workday-"):
            expected = expected.replace("-jr_", "-")
        got = _their_key(case["url"], case["company"], case["title"], case["location"])
        yield Row("jobkeys", case["why"], _folded(expected) or UNKNOWN, _folded(got))


def _their_key(url: str, company: str, title: str, location: str) -> str:
    key = opening_key(url)
    if key:
        name = _NAMES.get(key.provider, key.provider)
        customer = f"{re.split('[.-]', key.board)[-1]}-" if name == "icims" else ""
        posting_id = key.posting_id
        if name == "workday":
            posting_id = re.sub(r"-\d$", "", posting_id)
        return f"{name}-{customer}{posting_id}"
    if url.strip():
        try:
            page = canonical_url(re.sub(r"[\t\r\n]", "", url).strip())
        except (UrlInvalidError, UrlBlockedError):
            return UNKNOWN
        return "url-" + re.split(r"[?#;]", page.partition("://")[2])[0].rstrip("/")
    parts = (company, title, location.partition(",")[0])
    slugs = [_slug(part)[:size] for part, size in zip(parts, _LENGTHS, strict=True)]
    return f"norm-{'|'.join(slugs)}" if slugs[0] and slugs[1] else UNKNOWN


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", text.replace("&", " and ").casefold()))


def _folded(key: str) -> str:
    """Their weak keys keep the case of hosts, which means nothing."""
    return key.casefold()


def golden_names() -> Iterator[Row]:
    """Rows are one employer for us where they are for them; punctuation is none of a name."""
    cases = labels("dedup", "company_name_key_golden.json")
    for one, other in combinations(cases, 2):
        keys = [_unpunctuated(case["key"]) for case in (one, other)]
        got = company_key(one["name"]) == company_key(other["name"])
        yield Row("names", f"{one['name']!r} {other['name']!r}", str(keys[0] == keys[1]), str(got))


def _unpunctuated(key: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", key.replace("'", "").replace("i\u0307", "i")))


def hard_names() -> Iterator[Row]:
    """All names of that table are distinct but for one that is there in two Unicode forms."""
    cases = (labels("dedup", "company_key_corpus.json") or {}).get("cases", [])
    names = [case["input"] for case in cases if case["input"]]
    for one, other in combinations(names, 2):
        same = company_key(one) == company_key(other)
        alike = _composed(one) == _composed(other)
        yield Row("hard_names", f"{one!r} {other!r}", str(alike), str(same))


def _composed(name: str) -> str:
    return re.sub(r"e\u0301", "\u00e9", name).casefold()
