"""Whether every claim of a document is the person's own: a pure function (MAT-4).

A claim passes when each of its statements rests on one fact of the person: every word that
says something, every number with its unit, every date, and a tone that is no stronger. What
no fact holds is refused with the words and a stable reason; what two facts hold only
together is ``merged_facts``. Nothing in a posting is evidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from jobsteward.kernel.folding import fold
from jobsteward.profile.model import PartialDate, Profile
from jobsteward.writing.checks import (
    date_problems,
    employer_problems,
    number_problems,
    title_problems,
    tone_problems,
    uncovered,
    word_problem,
)
from jobsteward.writing.claims import MAX_CLAIM, Claim, Place, Problem, Target, Verdict
from jobsteward.writing.evidence import Evidence, Support, evidence_of, plain
from jobsteward.writing.lines import judge_line
from jobsteward.writing.listing import listed, splits
from jobsteward.writing.manners import about_the_employer, courtesy, without_target
from jobsteward.writing.reading import Reading, read
from jobsteward.writing.tenure import tenure

_SENTENCES: frozenset[Place] = frozenset({"summary", "bullet", "letter"})
_STATED = frozenset({"bullet", "summary", "award", "publication"})
OWN_PLACE: dict[Place, frozenset[str]] = {
    "headline": frozenset({"headline"}),
    "summary": _STATED | {"headline"},
    "role": frozenset(),
    "bullet": _STATED,
    "skill": frozenset({"skill"}),
    "education": frozenset(),
    "certificate": frozenset({"credential"}),
    "language": frozenset({"language"}),
    "award": frozenset({"award", "publication"}),
    "letter": _STATED | {"name"},
}


def judge(
    claims: Iterable[Claim], profile: Profile, today: PartialDate, target: Target | None = None
) -> tuple[Verdict, ...]:
    """A verdict for each claim, in their order; the same for the same arguments.

    ``today`` decides how long a position that goes on has lasted.
    """
    evidence = evidence_of(profile)
    return tuple(_verdict(claim, evidence, today, target or Target()) for claim in claims)


def refused(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Only the verdicts that a writer has to act on."""
    return tuple(verdict for verdict in verdicts if not verdict.passed)


def _verdict(claim: Claim, evidence: Evidence, today: PartialDate, target: Target) -> Verdict:
    barred = tuple(_barred(claim, evidence, target))
    if barred:
        return Verdict(claim, problems=barred)
    own = _word_for_word(claim, evidence)
    if own or (claim.place == "letter" and courtesy(claim.text)):
        return Verdict(claim, own)
    if claim.place not in _SENTENCES:
        return judge_line(claim, evidence)
    return _sentence(claim, evidence, today, target)


def _barred(claim: Claim, evidence: Evidence, target: Target) -> Iterator[Problem]:
    """What refuses a claim whatever it says."""
    if len(claim.text) > MAX_CLAIM:
        yield Problem("unsupported_statement", claim.text[:80])
    for fact in claim.facts:
        if fact not in evidence.fact_entries:
            yield Problem("unknown_fact", fact)
    named = _other_company(claim.text, evidence, target) if claim.place == "letter" else None
    if named:
        yield Problem("other_company", named)


def _word_for_word(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    """The fact of which the claim is a whole sentence, unchanged and in its own place."""
    kinds = OWN_PLACE[claim.place]
    said = plain(claim.text)
    for support in evidence.supports:
        if said in support.sentences and support.kind in kinds:
            placed = not claim.entry or claim.entry == support.entry
            if placed and (not claim.facts or set(claim.facts) & set(support.facts)):
                return support.facts
    return ()


def _other_company(text: str, evidence: Evidence, target: Target) -> str | None:
    """A company that the letter must not name: not the target, no employer of the person."""
    folded = fold(text)
    own = {name for name, _ in evidence.names} | {fold(target.company)}
    for company in target.other_companies:
        name = fold(company)
        if name and name not in own and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded):
            return company
    return None


def _sentence(claim: Claim, evidence: Evidence, today: PartialDate, target: Target) -> Verdict:
    letter = claim.place == "letter"
    text = without_target(claim.text, target) if letter else claim.text
    reading = read(text, evidence.language, courteous=letter)
    if reading.language not in evidence.languages and reading.words:
        return Verdict(claim, problems=(Problem("other_language", claim.text),))
    if not (reading.words or reading.quantities or reading.dates):
        return _empty(claim, reading)
    if letter and about_the_employer(reading, target):
        return Verdict(claim)
    scope = _scope(claim, evidence, text)
    also = _persona(claim, evidence, scope)
    strangers = tuple(employer_problems(reading, scope, evidence))
    if strangers:
        return Verdict(claim, problems=strangers)
    return min(_attempts(claim, reading, evidence, scope, also, today), key=_badness)


def _empty(claim: Claim, reading: Reading) -> Verdict:
    """A sentence of empty words: nothing is said, unless it claims to lead or to deny."""
    if not reading.leading and not reading.negated:
        return Verdict(claim)
    return Verdict(claim, problems=(Problem("unsupported_statement", claim.text),))


def _scope(claim: Claim, evidence: Evidence, text: str) -> tuple[Support, ...]:
    """The facts that may carry the sentence: of the entry it is under, or that it names."""
    supports = evidence.supports
    if claim.facts:
        entries = {evidence.fact_entries[fact] for fact in claim.facts} - {""}
        chosen = frozenset(claim.facts)
        return tuple(
            support
            for support in supports
            if chosen & set(support.facts)
            or (support.kind == "heading" and support.entry in entries)
        )
    named = {claim.entry} if claim.entry else evidence.named_in(fold(text))
    if not named:
        return supports
    return tuple(support for support in supports if support.entry in named)


def _persona(claim: Claim, evidence: Evidence, scope: Sequence[Support]) -> frozenset[str]:
    """What the person calls themselves, where a sentence speaks of them as a whole."""
    if claim.place == "bullet" or len(scope) < len(evidence.supports):
        return frozenset()
    return frozenset().union(*(s.keys for s in evidence.supports if s.kind == "headline"))


def _badness(verdict: Verdict) -> int:
    return len(verdict.problems)


def _attempts(
    claim: Claim,
    reading: Reading,
    evidence: Evidence,
    scope: Sequence[Support],
    also: frozenset[str],
    today: PartialDate,
) -> Iterator[Verdict]:
    """The sentence as one statement, as a list of skills, a tenure, and as several statements."""
    whole = _statement(claim, reading, evidence, scope, also)
    yield whole
    if whole.passed:
        return
    facts = listed(reading, scope, also) or tenure(reading, evidence, scope, today)
    if facts:
        yield Verdict(claim, facts)
        return
    for pieces in splits(reading, evidence):
        verdicts = [_piece(claim, piece, reading, evidence, scope, also) for piece in pieces]
        yield Verdict(
            claim,
            tuple(dict.fromkeys(fact for verdict in verdicts for fact in verdict.facts)),
            tuple(problem for verdict in verdicts for problem in verdict.problems),
        )


def _piece(
    claim: Claim,
    text: str,
    whole: Reading,
    evidence: Evidence,
    scope: Sequence[Support],
    also: frozenset[str],
) -> Verdict:
    reading = read(text, whole.language, courteous=claim.place == "letter")
    if not (reading.words or reading.quantities or reading.dates):
        return Verdict(claim)
    verdict = _statement(claim, reading, evidence, scope, also)
    facts = () if verdict.passed else listed(reading, scope, also)
    return Verdict(claim, facts) if facts else verdict


def _statement(
    claim: Claim,
    reading: Reading,
    evidence: Evidence,
    scope: Sequence[Support],
    also: frozenset[str],
) -> Verdict:
    """The verdict of the fact that carries the statement best."""
    if not scope:
        return Verdict(claim, problems=(Problem("unsupported_statement", claim.text),))
    missing = {support.facts: len(uncovered(reading, support, also)) for support in scope}
    fewest = min(missing.values())
    verdicts = [
        Verdict(claim, support.facts, tuple(_problems(reading, support, evidence, also)))
        for support in scope
        if missing[support.facts] <= fewest + 1
    ]
    best = min(verdicts, key=_badness)
    return best if best.passed else Verdict(claim, (), best.problems)


def _problems(
    reading: Reading, support: Support, evidence: Evidence, also: frozenset[str]
) -> Iterator[Problem]:
    for word in uncovered(reading, support, also):
        yield word_problem(word, reading, evidence)
    yield from number_problems(reading, support, evidence)
    yield from date_problems(reading, support)
    yield from title_problems(reading, support, also)
    yield from tone_problems(reading, support)
