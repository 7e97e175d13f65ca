"""What a title says: function, discipline, seniority, employment type, term and languages."""

import re
from typing import TypeVar

from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.language import guess
from jobsteward.discover.understand.model import EmploymentType, Seniority, TitleReading
from jobsteward.discover.understand.title_words import (
    EMPLOYMENT,
    FUNCTIONS,
    NOT_INTERNS,
    SENIORITY,
)

_PARTS = re.compile(r"\s+[-\u2013\u2014|/:]\s+|\s*[|\u2013\u2014]\s*|,\s|\(|\)|\[|\]|: ")
_HALVES = re.compile(r"\s*\|\s*|\s+[-\u2013\u2014/]\s+")
_GENDERS = re.compile(
    r"\(?\b(?:[mwfdxhn]\s?/\s?[mwfdxhn](?:\s?/\s?[mwfdxhn*])?|all genders|h/f|f/h"
    r"|m/w/d)\b\)?|[*:\u00b7](?:in|innen)\b"
)
_INCLUSIVE = re.compile(
    r"(?<=\w)[\u00b7\u2022*.-](?:e|fe|ne|se|ere|euse|rice|trice|ice|ve|le)(?:s\b"
    r"|\b)|\(e\)|\(a\)|/a\b"
)
_Value = TypeVar("_Value", Seniority, EmploymentType)
_RANKS: tuple[tuple[Seniority, re.Pattern[str]], ...] = (
    (
        "entry",
        re.compile(r"\bentry[- ]level (?:role|position|job|opportunity)|\bberufseinsteiger\w*"),
    ),
)
_JOB = r"(?:role|position|job|contract|employee|employment|opportunity|basis|stelle|anstellung)"
_TYPES: tuple[tuple[EmploymentType, re.Pattern[str]], ...] = (
    ("internship", re.compile(r"\b(?:this|our|the) (?:\d+-week )?(?:\w+ )?internship\b")),
    ("part_time", re.compile(rf"\bpart[- ]time {_JOB}|\bin teilzeit\b|\ba temps partiel")),
    (
        "temporary",
        re.compile(rf"\b(?:temporary|fixed[- ]term|seasonal) {_JOB}|\ben cdd\b|\bbefristete[rs]? "),
    ),
    (
        "contract",
        re.compile(
            r"\b(?:this is|as) an? (?:\d+[- ]month )?(?:freelance|contract(?:or)?) "
            r"|\b(?:freelance|contractor) (?:role|position|basis)"
        ),
    ),
    (
        "full_time",
        re.compile(
            rf"\bfull[- ]time,? (?:permanent )?{_JOB}|\b(?:in|bei) vollzeit\w*|\ben cdi\b"
            rf"|\bpermanent {_JOB}|\bunbefristete[rs]? |\ba temps plein|\bjornada completa"
            rf"|正社員"
        ),
    ),
)
_ABBREVIATIONS = {
    "sr": "senior",
    "snr": "senior",
    "jr": "junior",
    "asst": "assistant",
    "mgr": "manager",
    "mngr": "manager",
    "eng": "engineer",
    "engr": "engineer",
    "excutive": "executive",
    "dir": "director",
    "coord": "coordinator",
    "admin": "administrator",
    "tech": "technician",
    "rep": "representative",
    "exec": "executive",
    "assoc": "associate",
    "dev": "developer",
    "mech": "mechanic",
    "ele": "electrician",
    "svc": "service",
    "ops": "operations",
}
_SEASONS = {
    "summer": "summer",
    "ete": "summer",
    "sommer": "summer",
    "verano": "summer",
    "fall": "fall",
    "autumn": "fall",
    "automne": "fall",
    "herbst": "fall",
    "otono": "fall",
    "winter": "winter",
    "hiver": "winter",
    "invierno": "winter",
    "spring": "spring",
    "printemps": "spring",
    "fruhling": "spring",
    "primavera": "spring",
}
_TERM = re.compile(
    rf"\b(?P<season>{'|'.join(_SEASONS)})\s*[,'-]?\s*(?P<year>20\d\d)\b"
    rf"|\b(?P<year2>20\d\d)\s*[,-]?\s*(?P<season2>{'|'.join(_SEASONS)})\b"
)


def read_title(
    title: str, employment_type: str | None = None, description: str | None = None
) -> TitleReading:
    """The title's class, with the words that decide each part.

    The function is read from the title's head, then from what follows a comma, a dash or
    a bracket: "Staff Engineer, Pricing Platform" is engineering (J01). Whole words only.
    A description adds rank or employment type where it states them of the role itself.
    """
    folded = _plain(title)
    spans: list[Span] = []
    function, discipline = _function(title, folded, spans)
    internship = is_internship(title)
    seniority = "intern" if internship else _seniority(title, folded, spans)
    kind = _employment(title, folded, employment_type, spans)
    if description:
        seniority = seniority or _stated(_RANKS, description, spans)
        kind = kind or _stated(_TYPES, description, spans)
    return TitleReading(
        function=function,
        discipline=discipline,
        seniority=seniority,
        employment_type="internship" if internship and kind != "apprenticeship" else kind,
        internship=internship,
        term=term_of(title),
        names=names_in(title),
        spans=tuple(spans),
    )


def is_internship(title: str) -> bool:
    """Whether the job is an internship, not one that runs internships or is for graduates."""
    folded = NOT_INTERNS.sub(lambda match: " " * len(match[0]), _plain(title))
    return bool(SENIORITY[0][1].search(folded))


def term_of(title: str) -> str | None:
    """The season and year as ``summer-2027``; None where there is none or several."""
    terms = {
        f"{_SEASONS[match['season'] or match['season2']]}-{match['year'] or match['year2']}"
        for match in _TERM.finditer(fold(title))
    }
    return terms.pop() if len(terms) == 1 else None


def names_in(title: str) -> tuple[str, ...]:
    """The title's versions in two languages, each alone; one name where it has one."""
    for match in _HALVES.finditer(title):
        left, right = title[: match.start()].strip(), title[match.end() :].strip()
        one, other = guess(left), guess(right)
        foreign = {one, other} - {"en", None}
        if left and right and foreign and one != other and _same_job(left, right, one, other):
            return (left, right)
    return (title.strip(),)


def _same_job(left: str, right: str, one: str | None, other: str | None) -> bool:
    """Whether two halves name one job: both languages known, or the same function."""
    if one and other:
        return True
    functions = [_function(half, _plain(half), [])[0] for half in (left, right)]
    return functions[0] is not None and functions[0] == functions[1]


def spelled_out(title: str) -> str:
    """The title in folded words with abbreviations written out, for comparing."""
    words = re.findall(r"[^\W_]+[+#]*", _plain(title))
    return " ".join(_ABBREVIATIONS.get(word, word) for word in words)


def _plain(title: str) -> str:
    """Folded, without gender marks, each character at its place."""
    folded = fold(title).replace("_", " ")
    folded = _GENDERS.sub(lambda match: " " * len(match[0]), folded)
    return _INCLUSIVE.sub(lambda match: " " * len(match[0]), folded)


def _function(title: str, folded: str, spans: list[Span]) -> tuple[str | None, str | None]:
    """By the head of the title; a broad class is narrowed by the rest of it."""
    parts = _parts(folded)
    for start, end in [*parts, (0, len(folded))]:
        for function, discipline, words in FUNCTIONS:
            match = words.search(folded[start:end])
            if match:
                at, to = start + match.start(), start + match.end()
                spans.append(span_of("title", title, at, max(to, at + 1)))
                return function, _narrowed(function, discipline, folded)
    return None, None


def _narrowed(function: str, discipline: str | None, folded: str) -> str | None:
    if function != "engineering" or discipline not in {None, "software"}:
        return discipline
    for other, narrower, words in FUNCTIONS:
        if other == function and narrower not in {None, "software"} and words.search(folded):
            return narrower
    return discipline


def _stated(
    statements: tuple[tuple[_Value, re.Pattern[str]], ...], description: str, spans: list[Span]
) -> _Value | None:
    folded = fold(description)
    for value, words in statements:
        match = words.search(folded)
        if match:
            spans.append(span_of("description", description, *match.span()))
            return value
    return None


def _parts(folded: str) -> list[tuple[int, int]]:
    parts, at = [], 0
    for match in _PARTS.finditer(folded):
        parts.append((at, match.start()))
        at = match.end()
    return [(start, end) for start, end in [*parts, (at, len(folded))] if folded[start:end].strip()]


def _seniority(title: str, folded: str, spans: list[Span]) -> Seniority | None:
    shown = NOT_INTERNS.sub(lambda match: " " * len(match[0]), folded)
    for level, words in SENIORITY[1:]:
        match = words.search(shown)
        if match and not (level == "manager" and _not_of_people(shown)):
            spans.append(span_of("title", title, *match.span()))
            return level
    return None


def _not_of_people(folded: str) -> bool:
    """Whether "manager" names a trade (product, account, …), so that it tells no rank."""
    trades = (
        r"\b(?:product|project|store|program|programme|account|success|community"
        r"|partner|case|office|store|territory|campaign|brand|content|marketing"
        r"|social media|relationship|customer|category|portfolio|delivery|release|event"
        r"|wealth|property|compensation|activation|vendor|risk) manager"
        r"|\bmanager (?:projects?|stores?|products?|accounts?|billing)\b"
    )
    other_rank = r"\b(?:senior|sr|junior|jr|associate|lead|staff|principal)\b"
    return bool(re.search(trades, folded)) or bool(
        re.search(other_rank, folded) and "engineering manager" not in folded
    )


def _employment(
    title: str, folded: str, declared: str | None, spans: list[Span]
) -> EmploymentType | None:
    """The declared type, else the title's words."""
    for field, original, text in (
        ("employment_type", declared or "", fold(declared or "").replace("_", " ")),
        ("title", title, NOT_INTERNS.sub(lambda match: " " * len(match[0]), folded)),
    ):
        for kind, words in EMPLOYMENT:
            match = words.search(text)
            if match:
                spans.append(span_of(field, original, *match.span()))
                return kind
    return None
