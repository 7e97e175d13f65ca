"""Sentences that list things, and sentences that hold several statements."""

import re
from collections.abc import Iterator, Sequence

from jobsteward.kernel.folding import fold
from jobsteward.writing.evidence import Evidence, Support
from jobsteward.writing.reading import Reading
from jobsteward.writing.vocabulary import PAST

_LISTED = frozenset({"skill", "language", "credential"})
_AND = re.compile(
    r";\s+|,?\s+(?:and|but|while|und|et|y)\s+(?:(?:i|also|then|later|have)\s+)*|,\s+(?:then\s+)?"
)
_WORD = re.compile(r"[^\W\d_]+")


def listed(reading: Reading, scope: Sequence[Support], also: frozenset[str]) -> tuple[str, ...]:
    """The facts of a sentence that only names skills; () where it says more than that.

    ``also`` are words that the person calls themselves by, as before such a list.
    """
    if reading.leading or reading.quantities or reading.dates or not reading.words:
        return ()
    if reading.negated:
        return ()
    found: list[str] = []
    for word in reading.words:
        carrying = [
            support
            for support in scope
            if word.keys & support.keys and (word.skill or support.kind in _LISTED)
        ]
        if not carrying and not word.keys & also:
            return ()
        found.extend(carrying[0].facts if carrying else ())
    return tuple(dict.fromkeys(found))


def splits(reading: Reading, evidence: Evidence) -> Iterator[tuple[str, ...]]:
    """The sentence cut where another statement of its own begins.

    What follows an "and" or a comma is one only if it starts with a verb: the parts of
    "6 technicians and 3 students" and of "cut costs by 5 %, saving 3 days" stay together.
    """
    text = reading.text
    cuts = [match for match in _AND.finditer(fold(text)) if _starts(text[match.end() :], evidence)]
    if cuts:
        edges = [0, *(match.end() for match in cuts)]
        ends = [*(match.start() for match in cuts), len(text)]
        yield tuple(text[start:end] for start, end in zip(edges, ends, strict=True))


def _starts(rest: str, evidence: Evidence) -> bool:
    match = _WORD.match(rest)
    if not match:
        return False
    word = fold(match[0])
    firsts = {fold(support.first) for support in evidence.supports if support.kind == "bullet"}
    return word in PAST or word.endswith("ed") or word in PAST.values() or word in firsts
