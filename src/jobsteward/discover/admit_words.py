"""A person's own words in a posting: wanted titles, and words that rule a posting out."""

import re
from collections.abc import Iterator

from jobsteward.discover.companies import same_company
from jobsteward.discover.model import Posting
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.understand.evidence import Span, fold, span_of, whole
from jobsteward.discover.understand.terms import find_term
from jobsteward.discover.understand.titles import spelled_out

_COMPANY, _TEXT = "company:", "text:"

Found = tuple[str, Span]
"""The term and where it stands."""


def wanted_title(titles: tuple[str, ...], posting: Posting) -> Found | None:
    """The first wanted title that stands in the posting's as whole words (P121, J01).

    Abbreviations count as what they stand for: "Sr. Eng" is a "Senior Engineer".
    """
    for term in titles:
        span = find_word("title", posting.title, term)
        if span:
            return term, span
    written_out = spelled_out(posting.title)
    for term in titles:
        if find_term("title", written_out, _written_out(term)):
            return term, whole("title", posting.title)
    return None


def excluded_by(terms: tuple[str, ...], posting: Posting) -> Found | None:
    """The first word that rules the posting out, with its place (P122, P123).

    A word is looked for in title, department and type. ``company:Acme`` names an employer
    in any spelling, ``text:clearance`` looks in the description too, and a star at the end
    of a word stands for any ending.
    """
    for term in terms:
        span = next(_places_of(term.strip(), posting), None)
        if span:
            return term, span
    return None


def find_word(field: str, text: str, term: str) -> Span | None:
    """Where a term stands as whole words; one that ends in ``*`` also as their beginning."""
    if not term.endswith("*"):
        return find_term(field, text, term)
    words = re.findall(r"[^\W_]+", fold(term))
    if not words:
        return None
    body = r"[\s\-/.]*".join(map(re.escape, words))
    match = re.search(rf"(?<![^\W_]){body}\w*", fold(text))
    return span_of(field, text, *match.span()) if match else None


def contradictions(wanted: Preferences) -> tuple[tuple[str, str], ...]:
    """Pairs of a word that rules out and a wanted title that holds it: nothing fits both (P122)."""
    plain = (term for term in wanted.exclusions if not term.strip().startswith(_COMPANY))
    return tuple(
        (term, title)
        for term in plain
        for title in wanted.titles
        if find_word("title", title, term.strip().removeprefix(_TEXT).strip())
    )


def _places_of(term: str, posting: Posting) -> Iterator[Span]:
    if term.startswith(_COMPANY):
        if same_company(term.removeprefix(_COMPANY), posting.company) == "yes":
            yield whole("company", posting.company)
        return
    fields = {
        "title": posting.title,
        "department": posting.department,
        "employment_type": posting.employment_type,
    }
    if term.startswith(_TEXT):
        term = term.removeprefix(_TEXT).strip()
        fields["description"] = posting.description
    for field, text in fields.items():
        span = find_word(field, text, term) if text else None
        if span:
            yield span


def _written_out(term: str) -> str:
    return " + ".join(spelled_out(part) for part in term.split(" + "))
