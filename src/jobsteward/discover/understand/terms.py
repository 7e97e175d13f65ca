"""Whole-word search for a person's own words in titles and texts."""

import re
from functools import lru_cache

from jobsteward.discover.understand.evidence import Span, fold, span_of

_LETTER = r"[^\W_]"
# "C" is not in "C++", but "Solana" is in "Solana+Rust".
_GOES_ON = rf"{_LETTER}|[+#](?!{_LETTER})"
_JOINT = r"[\s\-/.]*"


def find_term(field: str, text: str, term: str) -> Span | None:
    """Where a term stands in a text as whole words; None where it does not.

    "CTO" is not in "Director" nor "Java" in "JavaScript" (P121-P123); "Go" is not in
    "goals" (J03), "C" not in "C++". Case, accents and kinds of dash make no difference;
    "full stack" is also "full-stack", "contract" also "contracts". ``A + B`` needs both,
    in any order; the span is the first one's.
    """
    spans = [_find(field, text, part) for part in term.split(" + ") if part.strip()]
    return spans[0] if spans and all(spans) else None


def find_any(field: str, text: str, terms: tuple[str, ...]) -> tuple[str, Span] | None:
    """The first of the terms that stands in the text, with its place."""
    for term in terms:
        span = find_term(field, text, term)
        if span:
            return term, span
    return None


def _find(field: str, text: str, term: str) -> Span | None:
    pattern = _pattern(fold(term.strip()))
    match = pattern.search(fold(text)) if pattern else None
    return span_of(field, text, *match.span()) if match else None


@lru_cache(maxsize=1024)
def _pattern(term: str) -> re.Pattern[str] | None:
    words = re.findall(r"[^\W_]+[+#]*|[.][^\W_]+", term)
    if not words:
        return None
    body = _JOINT.join(re.escape(word) for word in words)
    plural = "s?" if len(words[-1]) > 3 and words[-1].isalpha() else ""
    return re.compile(rf"(?<!{_LETTER}){body}{plural}(?!{_GOES_ON})")
