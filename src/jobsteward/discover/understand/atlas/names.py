"""Finding the names of places in a text, and what each of them can mean."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from jobsteward.discover.understand.atlas import cities_america, cities_world
from jobsteward.discover.understand.atlas.countries import COUNTRIES
from jobsteward.discover.understand.atlas.divisions import NAMES as DIVISIONS
from jobsteward.discover.understand.atlas.regions import AREAS, REGION_NAMES, WORLDWIDE
from jobsteward.discover.understand.atlas.tables import table_rows
from jobsteward.discover.understand.evidence import fold

Kind = Literal["country", "division", "city", "area", "region", "worldwide"]

_MARKS = "\u0300-\u036f"
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_WORD = re.compile(f"[{_CJK}]|(?:(?![{_CJK}])[^\\W_])(?:(?![{_CJK}])[^\\W_]|[{_MARKS}])*")
_MARK = re.compile(f"[{_MARKS}]")
_JOINTS = re.compile(r"""[ .'"()-]{0,3}""")
_LONGEST = 8


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name can stand for; ``usual`` is false where the bare name means another."""

    kind: Kind
    country: str | None = None
    division: str | None = None
    name: str = ""
    usual: bool = True


@dataclass(frozen=True, slots=True)
class Hit:
    """A name at ``text[start:end]`` with all that it can mean."""

    start: int
    end: int
    meanings: tuple[Meaning, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str


def find_names(text: str) -> list[Hit]:
    """The names of places in a text, the longest at each place, in order."""
    folded = fold(text)
    words = _words(folded)
    names = _names()
    hits: list[Hit] = []
    place = 0
    while place < len(words):
        length = _longest(folded, words, place, names)
        if length:
            start, end = words[place].start, words[place + length - 1].end
            meanings = names[_key(folded, words[place : place + length])]
            if _stands_alone(text, start, end):
                hits.append(Hit(start, end, meanings))
        place += max(length, 1)
    return hits


def _longest(
    folded: str, words: list[_Word], place: int, names: dict[str, tuple[Meaning, ...]]
) -> int:
    if words[place].text not in _firsts():
        return 0
    for length in range(min(_LONGEST, len(words) - place), 0, -1):
        if _key(folded, words[place : place + length]) in names:
            return length
    return 0


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Not the second half of d'Anjou, and a short name in capitals, since "sf" or "us" is none."""
    if start > 1 and text[start - 1] in "'\u2019" and text[start - 2].isalpha():
        return False
    letters = [char for char in text[start:end] if char.isalpha()]
    return len(letters) > 3 or not letters[0].isascii() or all(map(str.isupper, letters))


def _words(folded: str) -> list[_Word]:
    return [_Word(m.start(), m.end(), _MARK.sub("", m[0])) for m in _WORD.finditer(folded)]


def _key(folded: str, words: list[_Word]) -> str:
    """The words in one form: a joint of blanks, dots and hyphens counts as a blank."""
    parts = [words[0].text]
    for before, word in pairwise(words):
        gap = folded[before.end : word.start]
        parts.append(" " if _JOINTS.fullmatch(gap) and gap != " - " else f" {gap.strip() or '-'} ")
        parts.append(word.text)
    return "".join(parts)


def _name_key(name: str) -> str:
    folded = fold(name)
    return _key(folded, _words(folded))


@cache
def _names() -> dict[str, tuple[Meaning, ...]]:
    found: dict[str, list[Meaning]] = {}
    for name, meaning in (*_wide_names(), *_city_names()):
        meanings = found.setdefault(_name_key(name), [])
        if meaning not in meanings:
            meanings.append(meaning)
    return {key: tuple(meanings) for key, meanings in found.items()}


@cache
def _firsts() -> frozenset[str]:
    return frozenset(key.split(" ", 1)[0] for key in _names())


def _wide_names() -> list[tuple[str, Meaning]]:
    countries = [
        (name, Meaning("country", code)) for code, names in COUNTRIES.items() for name in names
    ]
    divisions = [
        (name, Meaning("division", iso[:2], iso, usual=name != "Georgia"))
        for name, isos in DIVISIONS.items()
        for iso in isos
    ]
    areas = [
        (name, Meaning("area", country, None, zone)) for name, (country, zone) in AREAS.items()
    ]
    regions = [(name, Meaning("region", name=region)) for name, region in REGION_NAMES.items()]
    everywhere = [(name, Meaning("worldwide")) for name in WORLDWIDE]
    return countries + divisions + areas + regions + everywhere


def _city_names() -> list[tuple[str, Meaning]]:
    rows = [*table_rows(cities_america.ROWS), *table_rows(cities_world.ROWS)]
    return [entry for row in rows for entry in _row_names(row)]


def _row_names(row: str) -> list[tuple[str, Meaning]]:
    place, _, cities = row.partition(" ")
    country, division = place[:2], place if "-" in place else None
    entries: list[tuple[str, Meaning]] = []
    for names in _cities(cities):
        plain = [_without_place(name, place) for name in names.split("|")]
        usual_name = plain[0].lstrip("?")
        entries += [
            (
                name.lstrip("?"),
                Meaning("city", country, division, usual_name, not name.startswith("?")),
            )
            for name in plain
        ]
    return entries


def _cities(cities: str) -> list[str]:
    return re.split(r",(?! )", cities)


def _without_place(name: str, place: str) -> str:
    """``Dublin OH`` in Ohio's row is a Dublin that the bare name does not mean."""
    stem, _, last = name.rpartition(" ")
    code = place.rpartition("-")[2]
    known = {code, "UK"} if place == "GB" else {code}
    return f"?{stem}" if stem and last in known and place != "US-DC" else name
