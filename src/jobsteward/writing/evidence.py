"""A person's facts prepared for the gate: what each can carry, and within which entry."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from jobsteward.kernel.folding import fold
from jobsteward.profile.facts import facts_of
from jobsteward.profile.model import Fact, PartialDate, Period, Profile
from jobsteward.profile.numbers import Quantity
from jobsteward.writing.claims import sentences
from jobsteward.writing.reading import DO, LEAD, Part, fact_keys, read
from jobsteward.writing.words import keys, language_of

_LEGAL = re.compile(
    r"[,\s]+(?:gmbh(?: & co\.? kg)?|ag|se|kg|ltd\.?|limited|llp|llc|inc\.?|corp\.?|plc|s\.?a\.?"
    r"|s\.?r\.?l\.?|b\.?v\.?|oy|ab|as|a/s|co\.?|pty)$"
)
_SENTENCES = frozenset({"bullet", "summary", "award", "publication"})
_LINES = frozenset({"name", "headline", "skill", "language", "credential", "location"})


@dataclass(frozen=True, slots=True)
class Support:
    """What one fact (or the heading of an entry) can carry.

    ``heading`` are the words of the entry's heading, which may stand beside a fact of it;
    ``sentences`` are whole ones of the fact, to be known again word for word.
    """

    kind: str
    text: str
    facts: tuple[str, ...]
    entry: str
    keys: frozenset[str]
    heading: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[PartialDate, ...]
    entry_dates: tuple[PartialDate, ...]
    parts: tuple[Part, ...]
    rank: int
    first: str
    sentences: frozenset[str]
    ended: bool
    current: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """All supports of one profile. Build it once; it serves any number of claims."""

    supports: tuple[Support, ...]
    names: tuple[tuple[str, str], ...]
    all_keys: frozenset[str]
    heading_keys: frozenset[str]
    languages: frozenset[str]
    language: str
    careers: tuple[tuple[str, Period, frozenset[str]], ...]
    fact_entries: dict[str, str]

    def named_in(self, folded: str) -> frozenset[str]:
        """The entries whose employer, school or project a folded text names."""
        return frozenset(
            entry
            for name, entry in self.names
            if re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", folded)
        )


@lru_cache(maxsize=64)
def evidence_of(profile: Profile) -> Evidence:
    """The profile's evidence; the same object again for an equal profile."""
    facts = facts_of(profile)
    language = _language(facts)
    entries = dict.fromkeys(fact.entry for fact in facts if fact.entry)
    supports = [
        *(_stated(fact, language) for fact in facts if fact.kind in _SENTENCES | _LINES),
        *(_heading(entry, facts, language) for entry in entries),
    ]
    headings = {support.entry: support for support in supports if support.kind == "heading"}
    periods = dict(_periods(profile))
    placed = tuple(_placed(support, headings, periods) for support in supports)
    return Evidence(
        supports=placed,
        names=tuple(_names(facts)),
        all_keys=frozenset().union(*(support.keys for support in placed)),
        heading_keys=frozenset().union(*(one.keys for one in headings.values())),
        languages=frozenset(_languages(facts, language)),
        language=language,
        careers=tuple(_careers(profile, placed)),
        fact_entries={fact.id: fact.entry for fact in facts},
    )


def _stated(fact: Fact, language: str) -> Support:
    line = fact.kind in _LINES
    text = f"{fact.text} {fact.detail}".strip()
    reading = read(text, language, line=line)
    found = fact_keys(reading)
    if fact.kind == "credential":
        found |= {"same:certified", "same:qualification"}
    return Support(
        kind=fact.kind,
        text=fact.text,
        facts=(fact.id,),
        entry=fact.entry,
        keys=found,
        heading=frozenset(),
        quantities=reading.quantities,
        dates=tuple(dated.date for dated in reading.dates),
        entry_dates=(),
        parts=reading.parts,
        rank=LEAD if line else max((part.rank for part in reading.parts), default=DO),
        first=_first_word(fact.text),
        sentences=frozenset(map(plain, (fact.text, *sentences(fact.text)))),
        ended=False,
        current=False,
    )


def _heading(entry: str, facts: tuple[Fact, ...], language: str) -> Support:
    """Title, employer, place and dates of an entry, which together make its heading."""
    kinds = {"employer", "title", "institution", "degree", "project", "location", "start", "end"}
    own = [fact for fact in facts if fact.entry == entry and fact.kind in kinds]
    texts = [f"{fact.text} {fact.detail}" for fact in own if fact.kind not in {"start", "end"}]
    reading = read(". ".join(texts), language, line=True)
    ranked = read(". ".join(fact.text for fact in own if fact.kind == "title"), language)
    return Support(
        kind="heading",
        text=reading.text,
        facts=tuple(fact.id for fact in own),
        entry=entry,
        keys=fact_keys(reading) | _graduate(own, language),
        heading=frozenset(),
        quantities=reading.quantities,
        dates=tuple(dated.date for dated in reading.dates),
        entry_dates=tuple(
            PartialDate.parse(fact.text)
            for fact in own
            if fact.kind in {"start", "end"} and fact.text != "present"
        ),
        parts=(),
        rank=max((part.rank for part in ranked.parts), default=DO),
        first="",
        sentences=frozenset(plain(fact.text) for fact in own),
        ended=False,
        current=False,
    )


def _graduate(own: Sequence[Fact], language: str) -> frozenset[str]:
    """The words for a degree, for whoever has one."""
    if not any(fact.kind == "degree" for fact in own):
        return frozenset()
    words = ("degree", "graduate", "abschluss", "studium", "diplome", "titulo")
    return frozenset().union(*(keys(word, language) for word in words))


def _placed(support: Support, headings: dict[str, Support], periods: dict[str, Period]) -> Support:
    heading = headings.get(support.entry)
    period = periods.get(support.entry)
    if heading is None:
        return support
    return replace(
        support,
        heading=heading.keys,
        entry_dates=heading.entry_dates,
        ended=period is not None and not period.current and period.end is not None,
        current=period is not None and period.current,
    )


def _periods(profile: Profile) -> Iterator[tuple[str, Period]]:
    yield from ((position.entry_id, position.period) for position in profile.positions)
    yield from ((study.entry_id, study.period) for study in profile.studies)
    yield from ((project.entry_id, project.period) for project in profile.projects)


def _careers(
    profile: Profile, supports: tuple[Support, ...]
) -> Iterator[tuple[str, Period, frozenset[str]]]:
    """Each position with its period and every word that its facts hold."""
    for position in profile.positions:
        own = [s.keys | s.heading for s in supports if s.entry == position.entry_id]
        yield position.entry_id, position.period, frozenset().union(*own)


def _names(facts: tuple[Fact, ...]) -> Iterator[tuple[str, str]]:
    for fact in facts:
        if fact.kind in {"employer", "institution", "project"}:
            yield _LEGAL.sub("", fold(fact.text)).strip(), fact.entry


def _languages(facts: tuple[Fact, ...], language: str) -> Iterator[str]:
    yield language
    for fact in facts:
        if fact.kind in {"bullet", "summary"}:
            found = language_of(re.findall(r"[^\W_]+", fold(fact.text)))
            if found:
                yield found


def _language(facts: tuple[Fact, ...]) -> str:
    texts = " ".join(fact.text for fact in facts if fact.kind in {"bullet", "summary"})
    return language_of(re.findall(r"[^\W_]+", fold(texts))) or "en"


def plain(text: str) -> str:
    """The text without differences of case, white space and closing stop."""
    return " ".join(fold(text).split()).strip(" .;")


def _first_word(text: str) -> str:
    match = re.search(r"[^\W\d_]+", text)
    return match[0].lower() if match else ""
