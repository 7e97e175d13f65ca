"""Each labelled table read in its own convention: what it expects against what we say.

The mappings are published in docs/quality.md. A row's ``got`` is ``unknown`` where we
decline to answer; that costs accuracy, never precision.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.corpus import labels
from jobsteward.discover.understand.evidence import fold
from jobsteward.discover.understand.hidden import is_thin
from jobsteward.discover.understand.language import guess
from jobsteward.discover.understand.model import PayReading, Places, RemoteReading, TitleReading
from jobsteward.discover.understand.pay_text import read_pay
from jobsteward.discover.understand.places import read_places
from jobsteward.discover.understand.remote import read_remote
from jobsteward.discover.understand.requirements import read_requirements
from jobsteward.discover.understand.terms import find_any
from jobsteward.discover.understand.titles import read_title, spelled_out, term_of

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled case: the table, the input shown, what is right and what we said."""

    table: str
    shown: str
    expected: str
    got: str


Table = Callable[[], Iterator[Row]]


def bucket(places: Places) -> str:
    """The Canadian table's buckets, read outward from Montreal."""
    if "Montreal" in places.metros:
        return "montreal"
    if "CA" in places.countries:
        return "canada"
    if "US" in places.countries:
        return "usa"
    return "international" if places.known else UNKNOWN


def canada_buckets() -> Iterator[Row]:
    for case in labels("location", "canada_buckets_cases.json"):
        if "bucket" in case:
            raw = case["raw"]
            yield Row("canada_buckets", raw, case["bucket"], bucket(read_places([raw])))


def us_elsewhere() -> Iterator[Row]:
    for raw, label in (labels("location", "us_elsewhere_cases.json") or {}).get("classify", []):
        places = read_places([raw])
        us = "US" in places.countries or places.worldwide is not None
        got = "us" if us else "elsewhere" if places.known else UNKNOWN
        yield Row("us_elsewhere", raw, label, got)


def cities() -> Iterator[Row]:
    data = labels("location", "everjobs_location_cases.json") or {}
    for case in data.get("single", []):
        expected = case["expected"]
        want = f"{expected['city']}, {expected['state']}" if expected else UNKNOWN
        yield Row("cities", case["raw"], want, "; ".join(_cities(read_places([case["raw"]]))))
    for case in data.get("lists", []):
        places = read_places(case["raw"])
        country = "United States" if places.countries == ("US",) else str(places.countries)
        want = f"{'; '.join(case['labels'])} {case['country']}"
        yield Row("cities", str(case["raw"]), want, f"{'; '.join(_cities(places))} {country}")


def _cities(places: Places) -> list[str]:
    named = [p for p in places.places if p.city]
    return [f"{p.city}, {(p.division or '')[3:]}" for p in named]


def golden_locations() -> Iterator[Row]:
    for case in _golden():
        raw = case["input"]["location_raw"]
        yield Row("golden", raw, case["expected"]["location"], bucket(read_places([raw])))


def _golden() -> list[dict[str, Any]]:
    return list((labels("titles", "classification_golden.json") or {}).get("cases", []))


def scope(remote: RemoteReading) -> str:
    """The most permissive country of remote work, as two of the tables have it."""
    if remote.value != "yes":
        return "none"
    if "CA" in remote.scope.countries:
        return "canada"
    return "us" if "US" in remote.scope.countries else "unspecified"


def remote_scopes() -> Iterator[Row]:
    for case in labels("location", "canada_buckets_cases.json"):
        expected = case.get("scope", case.get("remote_scope", UNKNOWN))
        if expected != UNKNOWN:
            got = scope(read_remote(None, [case["raw"]]))
            yield Row("canada_scope", case["raw"], expected or "none", got)
    for case in _golden():
        if "remote_scope" in case["expected"]:
            given = case["input"]
            got = scope(read_remote(None, [given["location_raw"]], given["title_raw"]))
            expected = (case["expected"]["remote_scope"] or "none").removeprefix("remote-")
            yield Row("golden_scope", given["location_raw"], expected, got)


def remote_words() -> Iterator[Row]:
    names = {"remote": "Remote", "hybrid": "Hybrid", "onsite": "On-site"}
    for case in (labels("location", "everjobs_location_cases.json") or {}).get("single", []):
        expected = case["expected"] or {}
        if "remote" in expected:
            remote = read_remote(None, [case["raw"]])
            got = " or ".join(names[kind] for kind in remote.workplaces) or "none"
            yield Row("words", case["raw"], expected.get("workplace") or "none", got)


def office() -> Iterator[Row]:
    data = labels("location", "us_elsewhere_cases.json") or {}
    for raw, label in data.get("says_onsite", []):
        yield Row("says_onsite", raw, str(label), _bound(read_remote(None, [raw])))
    for text, label in data.get("onsite_risk", []):
        yield Row("onsite_risk", str(text), str(label), _bound(read_remote(None, [], "", text)))


def _bound(remote: RemoteReading) -> str:
    return str(bool({"hybrid", "onsite"} & set(remote.workplaces)))


def placement() -> Iterator[Row]:
    for case, label in _edge("placement"):
        remote = read_remote(None, [case["location"]], case["title"], case["description"])
        hybrid = "hybrid" if "hybrid" in remote.workplaces else "onsite"
        got = {"yes": "remote", "no": hybrid, "unknown": UNKNOWN}[remote.value]
        yield Row("placement", case["id"], label or UNKNOWN, got)


def _edge(name: str) -> list[tuple[dict[str, Any], Any]]:
    cases = labels("fit", "enrich_edge_cases.jsonl")
    return [(case, case["labels"][name]) for case in cases if name in case["labels"]]


def ashby_pay() -> Iterator[Row]:
    periods = {"1 YEAR": "year", "1 MONTH": "month", "1 WEEK": "week", "1 DAY": "day"}
    for case in (labels("salary", "salary_ashby_ramp.json") or {}).get("cases", []):
        texts = [(case["summary"], case["summaryComponents"])]
        texts += [(case["scrapeable"], case["summaryComponents"])]
        texts += [(tier["tierSummary"], tier["components"]) for tier in case["tiers"]]
        for text, parts in texts:
            pay = [part for part in parts if part["compensationType"] == "Salary"]
            if text and len(pay) == 1:
                part = pay[0]
                bounds = (part["minValue"], part["maxValue"], part["currencyCode"])
                period = periods.get(part["interval"], "hour")
                yield Row("ashby", text, _money(*bounds, period), _pay(read_pay([], text)))


def _money(low: float | None, high: float | None, currency: str | None, period: str) -> str:
    if low is None and high is None:
        return UNKNOWN
    return f"{low or 0:g}-{high or 0:g} {currency} {period}"


def _pay(read: tuple[PayReading, ...]) -> str:
    if not read:
        return UNKNOWN
    return _money(read[0].minimum, read[0].maximum, read[0].currency, read[0].period)


def sentence_pay() -> Iterator[Row]:
    """One table knows yearly dollars only; the other neither lone amounts nor OTE."""
    for case in labels("salary", "salary_text_cases_jobagent.json"):
        read = [p for p in read_pay([], case["text"]) if (p.currency, p.period) == ("USD", "year")]
        want = _money(case["min"], case["max"], "USD", "year")
        yield Row("jobagent", case["text"], want, _pay(tuple(read)))
    for case in labels("salary", "salary_text_cases_techsalary.json"):
        ranges = [p for p in read_pay([], case["text"]) if p.minimum != p.maximum]
        read = [pay for pay in ranges if not pay.on_target]
        want = _money(case["min"], case["max"], case.get("currency"), case.get("interval", ""))
        yield Row("techsalary", case["text"], want, _pay(tuple(read)))


def edge_pay() -> Iterator[Row]:
    """Only the fields that a case labels count."""
    names = ("min", "max", "currency", "period")
    for case in labels("fit", "enrich_edge_cases.jsonl"):
        wanted = {
            n: case["labels"][f"salary_{n}"] for n in names if f"salary_{n}" in case["labels"]
        }
        if wanted:
            read = read_pay([], case["description"], case["title"])
            pay = read[0] if read else None
            given = (
                {"min": pay.minimum, "max": pay.maximum, "currency": pay.currency,
                 "period": pay.period.upper()} if pay else {}
            )  # fmt: skip
            got = {name: given.get(name) for name in wanted}
            none = not any(got.values())
            want = UNKNOWN if not any(wanted.values()) else _plain(wanted)
            yield Row("edge_pay", case["id"], want, UNKNOWN if none else _plain(got))


def _plain(values: dict[str, Any]) -> str:
    return " ".join(f"{v:g}" if isinstance(v, float | int) else str(v) for v in values.values())


_KEPT = {"engineering", "data", "security", "quant", "it", "research"}


def golden_titles() -> Iterator[Row]:
    """Their roles are our disciplines; every other engineering discipline is their ``swe``."""
    for case in _golden():
        given, expected = case["input"], case["expected"]
        title, reading = given["title_raw"], read_title(given["title_raw"])
        kept = reading.internship and reading.function in _KEPT
        yield Row("golden_kept", title, str(expected["kept"]), str(kept))
        if expected["kept"]:
            terms = " ".join([title, *given.get("signals", {}).get("terms", [])])
            yield Row("golden_role", title, expected["role"], _role(reading))
            yield Row("golden_term", title, expected["term"], term_of(terms) or UNKNOWN)
            language = "bilingual" if len(reading.names) > 1 else guess(title) or UNKNOWN
            yield Row("golden_language", title, expected["language"], language)


def _role(reading: TitleReading) -> str:
    special = {"ml_ai": "ml-ai", "embedded": "embedded", "quant": "quant", "hardware": "hardware"}
    by_function = {"security": "security", "data": "data", "quant": "quant", "it": "it"}
    role = special.get(reading.discipline or "") or by_function.get(reading.function or "")
    return role or ("swe" if reading.function == "engineering" else UNKNOWN)


def bilingual_titles() -> Iterator[Row]:
    """Two names are found, both mean the same job, and it is an internship or not."""
    for pair in (labels("titles", "bilingual_titles.json") or {}).get("pairs", []):
        reading = read_title(pair["title_raw"])
        en, fr = read_title(pair["en"]), read_title(pair["fr"])
        raw = pair["title_raw"]
        yield Row("bilingual_intern", raw, str(pair["internship"]), str(reading.internship))
        yield Row("bilingual_names", raw, "2", str(len(reading.names)))
        yield Row("bilingual_class", raw, _class(en), _class(fr))


def canonical_titles() -> Iterator[Row]:
    """A raw title, spelled out, falls into the class of its canonical form."""
    for raw, canonical in dict(labels("titles", "canonical_mapping_300.json") or {}).items():
        got = _class(read_title(spelled_out(raw)))
        yield Row("canonical", raw, _class(read_title(canonical)), got)


def _class(reading: TitleReading) -> str:
    if reading.function is None and reading.seniority is None:
        return UNKNOWN
    return f"{reading.function}/{reading.seniority}"


def title_terms() -> Iterator[Row]:
    """Whole words only: rows whose label rests on letters inside a longer word are set aside."""
    data = labels("titles", "title_recall_corpus.json") or {}
    wanted = tuple((data.get("title_filter") or {}).get("positive", ()))
    unwanted = tuple((data.get("title_filter") or {}).get("negative", ()))
    for case in data.get("titles", []):
        title = case["title"]
        if not any(_inside_a_word(title, term) for term in wanted + unwanted):
            got = find_any("title", title, wanted) and not find_any("title", title, unwanted)
            yield Row("recall", title, str(case["matches"]), str(bool(got)))


def _inside_a_word(title: str, term: str) -> bool:
    """Whether each part of a term is in the title, but one of them only within a word."""
    parts, folded = fold(term).split(" + "), fold(title)
    whole = [re.search(rf"(?<![^\W_]){re.escape(part)}s?(?![^\W_])", folded) for part in parts]
    return all(part in folded for part in parts) and not all(whole)


def edge_titles() -> Iterator[Row]:
    """Their departments are our functions, with data science, IT operations and DevOps apart."""
    for case, label in _edge("department"):
        reading = read_title(case["title"])
        yield Row("department", case["title"], label or UNKNOWN, _department(reading))
    for case, label in _edge("seniority"):
        reading = read_title(case["title"], None, case["description"])
        yield Row("seniority", case["title"], label or UNKNOWN, reading.seniority or UNKNOWN)
    for case, label in _edge("employment_type"):
        reading = read_title(case["title"], case.get("commitment"), case["description"])
        kind = "INTERN" if reading.employment_type == "internship" else reading.employment_type
        yield Row("employment", case["title"], label or UNKNOWN, (kind or UNKNOWN).upper())


def _department(reading: TitleReading) -> str:
    if reading.discipline == "ml_ai" or reading.function == "data":
        return "data_science"
    if reading.discipline == "devops" or reading.function == "it":
        return "it_operations"
    return reading.function or UNKNOWN


def years() -> Iterator[Row]:
    for case, label in _edge("experience_min_years"):
        read = read_requirements(case["description"]).years
        got = UNKNOWN if read is None else f"{read:g}"
        yield Row("years", case["id"], UNKNOWN if label is None else f"{label:g}", got)


def thin() -> Iterator[Row]:
    for case in labels("fit", "enrich_edge_cases.jsonl"):
        expected = bool(case["labels"].get("insufficient_text"))
        yield Row("thin", case["id"], str(expected), str(is_thin(case["description"])))


BARS: dict[str, tuple[Table, ...]] = {
    "location": (canada_buckets, us_elsewhere, cities, golden_locations),
    "remote": (remote_scopes, remote_words, office, placement),
    "pay": (ashby_pay, sentence_pay, edge_pay),
    "title": (golden_titles, bilingual_titles, canonical_titles, title_terms, edge_titles),
    "years": (years,),
    "thin_text": (thin,),
}
"""Each figure's id and the tables that it is measured on."""
