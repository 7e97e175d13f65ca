"""A sentence taken apart: its words, numbers, dates and tone, for facts and claims alike."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from jobsteward.kernel.folding import fold
from jobsteward.profile.numbers import Quantity, read_quantities, read_rates
from jobsteward.profile.skills import broader, find_skills
from jobsteward.writing.dates import Dated, read_dates
from jobsteward.writing.vocabulary import (
    ASSISTING,
    COURTESY,
    LEADING,
    NEGATING,
    NEUTRAL,
    NOW,
    PAST,
    PHRASES,
    PRESENT_WORDS,
    SINCE,
    STOP_WORDS,
    TENTATIVE,
)
from jobsteward.writing.words import keys, language_of, written_out

_TOKEN = re.compile(
    r"[^\W\d_]{1,3}(?:\.[^\W\d_]{1,4})+(?![^\W_])\.?|[^\W_]+(?:'(?:s|t|d|m|re|ve|ll)(?![^\W_]))?"
)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_BREAK = re.compile(
    r"[;:()]|\.(?!\d)|\s-\s"
    r"|\b(?:without|ohne|sans|sin|with no|that|which|who|but|die|der|das|qui)\b"
)
_JOINS = frozenset(("and", "und", "et", "y"))
_PHRASE = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(sorted(map(re.escape, PHRASES), key=len, reverse=True))
    + r")(?![^\W_])"
)
_DATING = PRESENT_WORDS | SINCE
_SMALL = frozenset(
    ("i", "we", "a", "the", "and", "have", "has", "also", "ich", "je", "j", "ai", "und", "et")
)
_RUNS = frozenset(("run", "runs", "ran", "running"))
_YOURS = frozenset(("your", "ihr", "ihre", "ihrem", "ihren", "votre", "vos", "su", "sus"))
_RELATIVE = frozenset(("that", "which", "now", "it"))
_POSSESSIVE = frozenset(("my", "our", "their", "his", "her", "its", "your", "'s", "s"))

ASSIST, DO, LEAD = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Word:
    """A word that says something. It is matched by any of its ``keys``."""

    text: str
    keys: frozenset[str]
    start: int
    skill: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch with a verb of its own: its words, how often it negates, and its rank.

    The rank is that of its verb: helping or trying 0, doing 1, leading 2.
    """

    keys: frozenset[str]
    negations: int
    rank: int
    leading: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says, as a whole and part by part."""

    text: str
    language: str
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[Dated, ...]
    parts: tuple[Part, ...]
    now: str
    first: str
    tokens: frozenset[str]

    @property
    def leading(self) -> str:
        """The first word that claims to lead, "" where none does."""
        return next((part.leading for part in self.parts if part.leading), "")

    @property
    def negated(self) -> bool:
        return any(part.negations for part in self.parts)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset().union(*(word.keys for word in self.words))


@lru_cache(maxsize=16384)
def read(
    text: str, language: str = "en", *, courteous: bool = False, line: bool = False
) -> Reading:
    """The text's reading. ``language`` is the one to assume where its words do not decide.

    In a ``courteous`` text (a letter) polite words say nothing; in a ``line`` (a heading,
    a skill) no verb is looked for, and "lead" is a word like any other.
    """
    folded = fold(text)
    tokens = [match[0] for match in _TOKEN.finditer(folded)]
    spoken = language_of(tokens) or language
    dates, quantities = read_dates(text), read_quantities(text)
    taken = [(dated.start, dated.end) for dated in dates]
    skills = list(_skilled(text, taken))
    taken += [(word.start, word.start + len(word.text)) for word in skills]
    quantities = tuple(one for one in quantities if not _within(one.start, taken))
    taken += [(one.start, one.end) for one in quantities]
    words = list(_rated(text))
    taken += [(word.start, word.start + len(word.text)) for word in words]
    words += skills
    plain = list(_plain_tokens(text, folded, taken))
    words += _content(plain, spoken, courteous=courteous, line=line)
    words.sort(key=lambda word: word.start)
    return Reading(
        text,
        spoken,
        tuple(words),
        quantities,
        dates,
        tuple(_parts(folded, words, () if line else plain)),
        next((token for token in tokens if token in NOW), ""),
        tokens[0] if tokens else "",
        frozenset(tokens),
    )


@dataclass(frozen=True, slots=True)
class _Plain:
    """A token outside numbers, dates and skills; ``written`` as in the text, for names."""

    token: str
    written: str
    start: int
    previous: str
    phrase: bool = False


def _within(at: int, taken: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in taken)


def _rated(text: str) -> Iterator[Word]:
    for rate in read_rates(text):
        yield Word(rate.text, frozenset({f"rate:{rate.period}"}), rate.start)


def _skilled(text: str, taken: list[tuple[int, int]]) -> Iterator[Word]:
    for mention in find_skills(text):
        if _within(mention.start, taken):
            continue
        written = text[mention.start : mention.end]
        yield Word(written, frozenset({f"skill:{mention.skill}"}), mention.start, mention.skill)


def _plain_tokens(text: str, folded: str, taken: list[tuple[int, int]]) -> Iterator[_Plain]:
    phrases = {match.start(): match for match in _PHRASE.finditer(folded)}
    inside = 0
    previous = ""
    for match in _TOKEN.finditer(folded):
        start, end = match.span()
        if start in phrases:
            inside = phrases[start].end()
            for word in PHRASES[phrases[start][0]].split():
                yield _Plain(word, phrases[start][0], start, previous, phrase=True)
        if start >= inside and not _within(start, taken) and not match[0].isdigit():
            yield _Plain(match[0], text[start:end], start, previous)
        previous = match[0]


def _content(plain: list[_Plain], language: str, *, courteous: bool, line: bool) -> Iterator[Word]:
    for one in plain:
        if not line and _is_verb_of_rank(one):
            continue
        if one.token in NEGATING or one.token in NOW:
            continue
        if courteous and one.previous in _YOURS:
            continue  # "your team" is the employer's
        for word in _expanded(one):
            if _empty(word, courteous=courteous, line=line):
                continue
            for piece in _pieces(word):
                yield Word(one.written, keys(piece, language), one.start)


def _expanded(one: _Plain) -> tuple[str, ...]:
    """Abbreviations written out, but "ms" and "ba" only where they are capitals."""
    token = one.token.partition("'")[0]
    bare = token.replace(".", "")
    if len(bare) == 2 and not one.written.replace(".", "").isupper() and bare not in {"sr", "jr"}:
        return (bare,)
    return written_out(token)


def _empty(word: str, *, courteous: bool, line: bool) -> bool:
    """Whether a word says nothing; in a line only small words do ("AWS Professional")."""
    nothing = _DATING if line else NEUTRAL
    if word in STOP_WORDS or word in nothing or (courteous and word in COURTESY):
        return True
    return len(word) == 1 and not _CJK.match(word)


def _pieces(word: str) -> tuple[str, ...]:
    """A word itself; text of a script without blanks as overlapping pairs."""
    if len(word) > 2 and _CJK.search(word):
        return tuple(word[at : at + 2] for at in range(len(word) - 1))
    return (word,)


def _is_verb_of_rank(one: _Plain) -> bool:
    if one.token in _RUNS and one.previous in _RELATIVE:
        return False  # "firmware that runs in 50 plants"
    if one.token == "own" and one.previous in _POSSESSIVE:
        return False
    return one.token in ASSISTING or one.token in LEADING


def _rank(plain: Sequence[_Plain]) -> tuple[int, str]:
    """The rank of a part's verb, and the word that leads where one does."""
    ranked = [one for one in plain if _is_verb_of_rank(one)]
    tentative = bool(plain) and plain[0].token in TENTATIVE
    if tentative or any(one.token in ASSISTING for one in ranked):
        return ASSIST, ""
    return (LEAD, ranked[0].written) if ranked else (DO, "")


def _parts(folded: str, words: list[Word], plain: Sequence[_Plain]) -> Iterator[Part]:
    edges = sorted({0, len(folded), *_breaks(folded, plain)})
    for start, end in pairwise(edges):
        own = [one for one in plain if start <= one.start < end and one.token not in _SMALL]
        keys = frozenset().union(*(word.keys for word in words if start <= word.start < end))
        rank, leading = _rank(own)
        if keys or leading:
            yield Part(keys, sum(one.token in NEGATING for one in own), rank, leading)


def _breaks(folded: str, plain: Sequence[_Plain]) -> Iterator[int]:
    """Where a part ends: at a stop, a relative word, or a comma or "and" before a verb."""
    yield from (match.start() for match in _BREAK.finditer(folded))
    for one in plain:
        after_comma = folded[: one.start].rstrip().endswith(",")
        if (after_comma or one.previous in _JOINS) and _verb_like(one):
            yield one.start


def _verb_like(one: _Plain) -> bool:
    token = one.token
    return (
        token.endswith(("ed", "ing"))
        or token in PAST
        or token in TENTATIVE
        or _is_verb_of_rank(one)
    )


def fact_keys(reading: Reading) -> frozenset[str]:
    """All that a fact can carry: its words, its skills with what they include."""
    found = set(reading.keys)
    for word in reading.words:
        if word.skill:
            found.update(f"skill:{name}" for name in broader(word.skill))
            for token in _TOKEN.findall(fold(word.text)):
                found |= keys(token, reading.language)
    for token in reading.tokens:
        if token not in STOP_WORDS:
            found |= keys(token, reading.language)
    return frozenset(found)
