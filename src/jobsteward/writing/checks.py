"""One question each: does this fact carry that number, date, tone or word of a claim?"""

import re
from collections.abc import Iterator, Sequence

from jobsteward.kernel.folding import fold
from jobsteward.profile.model import PartialDate
from jobsteward.profile.numbers import Quantity
from jobsteward.writing.claims import Problem, Reason
from jobsteward.writing.evidence import Evidence, Support
from jobsteward.writing.reading import DO, Part, Reading, Word
from jobsteward.writing.vocabulary import (
    CERTIFICATES,
    DEGREES,
    LEVELS,
    PAST,
    SCOPE,
    SENIORITY,
    STOP_WORDS,
    TITLES,
)
from jobsteward.writing.words import keys, stem

_NO_TITLE = frozenset(("of", "for", "to", "with", "in", "at", "by", "on", "and", "who", "that"))
_WITH_TITLES = frozenset({"heading", "headline", "summary", "credential", "name"})
_AS_TITLE = re.compile(
    r"\b(?:as|am|was|been|become|became)\s+(?:an?|the)\s+"
    rf"((?:(?!(?:{'|'.join(sorted(_NO_TITLE))})\b)[\w/-]+\s+){{0,4}}?"
    rf"(?:{'|'.join(sorted(TITLES))}))\b"
)
_AT = re.compile(
    r"\b(?:[Aa]t|[Bb]ei|[Cc]hez|[Hh]os|work(?:ed|ing)? for)\s+"
    r"((?:the\s+)?[^\W\d_a-z][\w&.'-]*"
    r"(?:\s+(?:of|for|de|&)?\s?[^\W\d_a-z][\w&.'-]*)*)"
)
_NAME_WORD = re.compile(r"[^\W_]+")
_TOLERANCE = 0.05
_FURTHEST = 0.8
_BEFORE_NAMES = frozenset(
    ("at", "for", "with", "joined", "join", "bei", "chez", "fur", "en", "from", "before", "to")
)


def uncovered(reading: Reading, support: Support, also: frozenset[str]) -> tuple[Word, ...]:
    """The words that neither the fact, its entry's heading nor ``also`` hold."""
    held = support.keys | support.heading | also
    return tuple(word for word in reading.words if not word.keys & held)


def word_problem(word: Word, reading: Reading, evidence: Evidence) -> Problem:
    """Why a word that nothing here carries is refused."""
    token = fold(word.text).removesuffix("'s")
    return Problem(_reason(word, token, reading, evidence), word.text)


def _reason(word: Word, token: str, reading: Reading, evidence: Evidence) -> Reason:
    known = bool(word.keys & evidence.all_keys)
    if word.skill:
        return "merged_facts" if known else "unsupported_skill"
    if any(key.startswith("rate:") for key in word.keys):
        return "unsupported_number"
    for words, reason in _CLASSES:
        if token in words:
            return reason
    if known:
        return "merged_facts"
    return "unknown_title" if token in TITLES else _new_word(word, reading)


def _new_word(word: Word, reading: Reading) -> Reason:
    """A word that is nowhere in the profile; German writes every noun like a name."""
    if word.start > 0 and word.text[:1].isupper() and reading.language != "de":
        before = fold(reading.text[: word.start]).split()
        return "unknown_employer" if before and before[-1] in _BEFORE_NAMES else "unknown_name"
    return "unsupported_statement"


_CLASSES: tuple[tuple[frozenset[str], Reason], ...] = (
    (SENIORITY, "inflated_seniority"),
    (LEVELS, "inflated_level"),
    (SCOPE, "inflated_scope"),
    (DEGREES, "unknown_degree"),
    (CERTIFICATES, "unknown_certificate"),
)


def number_problems(reading: Reading, support: Support, evidence: Evidence) -> Iterator[Problem]:
    """Numbers that this fact does not state of the same thing in the same unit."""
    for quantity in reading.quantities:
        if not any(_same_number(quantity, own, reading.language) for own in support.quantities):
            elsewhere = any(
                _same_number(quantity, own, reading.language)
                for other in evidence.supports
                for own in other.quantities
            )
            reason: Reason = "merged_facts" if elsewhere else "unsupported_number"
            yield Problem(reason, quantity.text.strip())


def _same_number(claimed: Quantity, own: Quantity, language: str) -> bool:
    if claimed.unit != own.unit or not _same_value(claimed, own):
        return False
    if claimed.side and own.side and claimed.side != own.side:
        return False
    if claimed.unit or not (claimed.counted and own.counted):
        return True
    mine, theirs = (
        frozenset().union(*(keys(word, language) for word in one.counted)) for one in (claimed, own)
    )
    return bool(mine & theirs)


def _same_value(claimed: Quantity, own: Quantity) -> bool:
    if own.bound == "most" and claimed.bound != "most":
        return False
    pairs = [(mine, theirs) for mine in claimed.values for theirs in own.values]
    match claimed.bound:
        case "least":
            return any(_FURTHEST * theirs <= mine <= theirs for mine, theirs in pairs)
        case "about":
            return any(abs(mine - theirs) <= _TOLERANCE * theirs for mine, theirs in pairs)
        case _:
            return any(mine == theirs for mine, theirs in pairs)


def title_problems(reading: Reading, support: Support, also: frozenset[str]) -> Iterator[Problem]:
    """A title that the claim gives the person, and that this fact or entry does not."""
    for match in _AS_TITLE.finditer(fold(reading.text)):
        words = [word for word in re.split(r"[\s/-]+", match[1]) if word not in STOP_WORDS]
        needed = [keys(word, reading.language) for word in words]
        own = support.keys if support.kind in _WITH_TITLES else frozenset()
        for theirs in _AS_TITLE.finditer(fold(support.text)):
            own |= frozenset().union(*(keys(w, reading.language) for w in theirs[1].split()))
        if not all(word & (own | support.heading | also) for word in needed):
            yield Problem("unknown_title", match[1])


def employer_problems(
    reading: Reading, scope: Sequence[Support], evidence: Evidence
) -> Iterator[Problem]:
    """Names after "at" that are no employer, school or place of the person's.

    A name that they only know a product of (a certificate's issuer, say) employed nobody.
    """
    for match in _AT.finditer(reading.text):
        words = [word for word in _NAME_WORD.findall(fold(match[1])) if word not in STOP_WORDS]
        if any(fold(match[0]) in fold(support.text) for support in scope):
            continue
        if not all(keys(word, reading.language) & evidence.heading_keys for word in words):
            yield Problem("unknown_employer", match[1])


def date_problems(reading: Reading, support: Support) -> Iterator[Problem]:
    """Dates other than the fact's own, or its entry's where it has none, or more exact ones."""
    allowed = support.dates or support.entry_dates
    for dated in reading.dates:
        if not any(stated(dated.date, date) for date in allowed):
            yield Problem("wrong_date", reading.text[dated.start : dated.end])


def stated(claimed: PartialDate, own: PartialDate) -> bool:
    """Whether the date is the person's own, and not more exact than they were."""
    return claimed.agrees_with(own) and len(claimed.text) <= len(own.text)


def tone_problems(reading: Reading, support: Support) -> Iterator[Problem]:
    """Leading where the person helped, denying what they affirm, and the wrong tense."""
    for part in reading.parts:
        closest = _closest(part, support)
        # What only the heading holds cannot lean on the verb of a bullet under it.
        unshared = DO if support.parts else support.rank
        allowed = min((own.rank for own in closest), default=unshared)
        if part.rank > allowed:
            yield Problem("inflated_scope", part.leading or reading.text)
        if closest and all(own.negations % 2 != part.negations % 2 for own in closest):
            yield Problem("negation", reading.text)
    if _denied(reading, support):
        yield Problem("negation", reading.words[0].text)
    if support.ended:
        yield from _tense(reading, support)


def _closest(part: Part, support: Support) -> list[Part]:
    """The parts of the fact that share most words with a part of the claim."""
    shared = [(len(part.keys & own.keys), own) for own in support.parts]
    most = max((count for count, _ in shared), default=0)
    return [own for count, own in shared if count == most] if most else []


def _denied(reading: Reading, support: Support) -> bool:
    """Whether the claim starts with a verb that the fact only has in the negative."""
    if not reading.words or reading.negated:
        return False
    holding = [own for own in support.parts if own.keys & reading.words[0].keys]
    return bool(holding) and all(own.negations % 2 for own in holding)


def _tense(reading: Reading, support: Support) -> Iterator[Problem]:
    if reading.now:
        yield Problem("tense", reading.now)
        return
    claimed, own = _verb(reading), support.first
    if own and claimed != own and _present_of(claimed, own, reading.language):
        yield Problem("tense", claimed)


def _verb(reading: Reading) -> str:
    """The first word, or the one after "I", without its accents put away."""
    words = [word.strip(".,;:").lower() for word in reading.text.split()]
    if "i" in words[:-1]:
        return words[words.index("i") + 1]
    return words[0] if words else ""


def _present_of(claimed: str, own: str, language: str) -> bool:
    """Whether the claim has the present of the verb that the fact has in the past."""
    if language == "de":
        return claimed + "e" == own
    if language == "fr":
        return fold(claimed) == fold(own) and own.endswith("\u00e9")
    plain, past = fold(claimed), fold(own)
    if plain in PAST or plain.endswith(("ed", "ing")):
        return False
    if past in PAST:
        return _is_base(plain)
    return past.endswith("ed") and (_is_base(plain) or stem(plain, "en") == stem(past, "en"))


def _is_base(word: str) -> bool:
    return word in _BASES or word.removesuffix("s") in _BASES


_BASES = frozenset(PAST.values()) | frozenset(
    (
        "accept", "act", "adapt", "administer", "advise", "analyse", "analyze", "answer", "assist",
        "audit", "automate", "build", "calculate", "care", "check", "clean", "coach", "code",
        "collaborate", "collect", "compile", "conduct", "configure", "contribute", "control",
        "coordinate", "create", "define", "deliver", "deploy", "design", "develop", "direct",
        "document", "draft", "edit", "ensure", "establish", "evaluate", "execute", "fix", "handle",
        "help", "implement", "improve", "increase", "inspect", "install", "integrate",
        "introduce", "launch", "maintain", "manage", "measure", "mentor", "migrate", "model",
        "monitor", "move", "negotiate", "operate", "optimise", "optimize", "organise", "organize",
        "perform", "plan", "port", "prepare", "present", "process", "produce", "program",
        "provide", "publish", "raise", "record", "recruit", "reduce", "report", "research",
        "review", "save", "schedule", "serve", "ship", "shorten", "solve", "supervise", "support",
        "test", "track", "train", "translate", "treat", "update", "use", "verify", "visit", "work",
    )
)  # fmt: skip
