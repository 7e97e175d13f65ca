"""Lines of a résumé that are no sentences: headings, skills, degrees, certificates."""

from collections.abc import Iterator

from jobsteward.kernel.folding import fold
from jobsteward.profile.model import PartialDate
from jobsteward.writing.checks import (
    date_problems,
    number_problems,
    stated,
    uncovered,
    word_problem,
)
from jobsteward.writing.claims import Claim, Place, Problem, Reason, Verdict
from jobsteward.writing.evidence import Evidence, Support
from jobsteward.writing.reading import Reading, read
from jobsteward.writing.vocabulary import PRESENT_WORDS

_KINDS: dict[Place, frozenset[str]] = {
    "headline": frozenset({"headline", "heading"}),
    "role": frozenset({"heading"}),
    "education": frozenset({"heading"}),
    "certificate": frozenset({"credential", "heading"}),
    "language": frozenset({"language"}),
    "award": frozenset({"award", "publication"}),
}
_UNKNOWN: dict[Place, Reason] = {
    "headline": "unknown_title",
    "education": "unknown_degree",
    "certificate": "unknown_certificate",
    "skill": "unsupported_skill",
}
_GENERAL = frozenset({"unsupported_statement", "unknown_name"})


def judge_line(claim: Claim, evidence: Evidence) -> Verdict:
    """The verdict of the one fact or entry that carries the whole line."""
    reading = read(claim.text, evidence.language, line=True)
    verdicts = [
        Verdict(claim, support.facts, tuple(_problems(claim, reading, support, evidence)))
        for support in _candidates(claim, evidence)
    ]
    best = min(verdicts, key=lambda verdict: len(verdict.problems), default=None)
    if best is None or not (reading.words or reading.dates or reading.quantities):
        return Verdict(claim, problems=(Problem(_unknown(claim), claim.text),))
    return best if best.passed else Verdict(claim, (), best.problems)


def _candidates(claim: Claim, evidence: Evidence) -> Iterator[Support]:
    kinds = _KINDS.get(claim.place)
    for support in evidence.supports:
        if claim.facts and not set(claim.facts) & set(support.facts):
            continue
        if claim.entry and support.entry != claim.entry:
            continue
        if kinds is None or support.kind in kinds:
            yield support


def _problems(
    claim: Claim, reading: Reading, support: Support, evidence: Evidence
) -> Iterator[Problem]:
    for word in uncovered(reading, support, frozenset()):
        problem = word_problem(word, reading, evidence)
        general = problem.reason in _GENERAL
        yield Problem(_unknown(claim), problem.words) if general else problem
    yield from number_problems(reading, support, evidence)
    if claim.place in {"role", "education"}:
        yield from _order(reading, support)
    else:
        yield from date_problems(reading, support)


def _order(reading: Reading, support: Support) -> Iterator[Problem]:
    """The first date has to be the start and the second the end; one alone either."""
    own = support.entry_dates
    present = bool(reading.tokens & PRESENT_WORDS)
    if present and not support.current:
        yield Problem("tense", reading.text)
    dates = [dated.date for dated in reading.dates]
    starts_only = present or any(dated.since for dated in reading.dates)
    if len(dates) == 1:
        allowed = own[:1] if starts_only else own
        if not any(stated(dates[0], date) for date in allowed):
            yield Problem("wrong_date", dates[0].text)
        return
    for date, expected in zip(dates, _padded(own, len(dates)), strict=False):
        if expected is None or not stated(date, expected):
            yield Problem("wrong_date", date.text)


def _padded(dates: tuple[PartialDate, ...], length: int) -> tuple[PartialDate | None, ...]:
    return (*dates, *(None for _ in range(length - len(dates))))


def _unknown(claim: Claim) -> Reason:
    if claim.place == "role":
        return "unknown_employer" if "," in fold(claim.text) else "unknown_title"
    return _UNKNOWN.get(claim.place, "unsupported_statement")
