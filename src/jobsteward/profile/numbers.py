"""Numbers that a text states, each with its unit and what it counts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from jobsteward.kernel.folding import fold
from jobsteward.profile.number_words import (
    CURRENCIES,
    MAGNITUDES,
    NUMBER_WORDS,
    PERIODS,
    UNITS,
)

Bound = Literal["exact", "most", "least", "about"]
Side = Literal["", "from", "to"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number. ``values`` holds both readings where a separator is ambiguous.

    ``unit`` is a dimension (``time`` in seconds, ``months``, ``bytes``, ``percent``,
    ``points``, ``times``), an ISO 4217 currency or "" for a bare count; ``counted`` are
    the words after it, folded. ``bound`` is what the words before it make of it, ``scale``
    what one of the written figure is worth in ``unit``, ``side`` whether a change starts
    from it or leads to it.
    """

    values: tuple[float, ...]
    unit: str
    bound: Bound
    counted: tuple[str, ...]
    start: int
    end: int
    text: str
    scale: float = 1.0
    side: Side = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often, as in "a week" or "monthly": ``period`` is the key, not the word."""

    period: str
    start: int
    end: int
    text: str


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_COUNT_WORDS = {word: value for word, value in NUMBER_WORDS.items() if len(word) > 2}
_FIGURES = r"\d{1,3}(?:[.,'\u0020]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_UNIT_WORDS = _any({**UNITS, **CURRENCIES})
_AFTER = (
    rf"(?:\s?(?P<size>{_any(MAGNITUDES)})(?![^\W_]))?"
    rf"(?:\s?-?(?P<unit>per cent|pour cent|por ciento|percentage points?|points? de pourcentage"
    rf"|{_UNIT_WORDS})(?![^\W_]))?"
)
_AFTER_WORD = _AFTER.replace("<size>", "<size2>").replace("<unit>", "<unit2>")
_QUANTITY = re.compile(
    rf"(?P<before>(?:{_any(CURRENCIES)})\s?)?"
    rf"(?<![^\W_])(?<![^\W_][.,/])(?P<figure>{_FIGURES}){_AFTER}(?P<plus>\+)?"
    rf"|(?<![^\W_])(?P<word>{_any(_COUNT_WORDS)})(?![^\W_]){_AFTER_WORD}"
)
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
_BEFORE = re.compile(
    r"(?P<most>up to|as many as|at most|maximum|max|bis zu|jusqu'a|hasta)\s*$"
    r"|(?P<least>over|more than|at least|above|mehr als|uber|mindestens|plus de|mas de)\s*$"
    r"|(?P<about>about|around|roughly|approximately|approx\.?|nearly|almost|circa|ca\.|c\.|~"
    r"|etwa|rund|environ|aproximadamente|unos|unas|close to)\s*$"
)
_SIDE = re.compile(r"(?P<from>\b(?:from|von|de|desde|da))\s*$|(?P<to>\b(?:to|auf|a|hasta))\s*$")
_RATE = re.compile(
    rf"\b(?:(?:an?|per|every|each|pro|par|por|al|je|jeden?|jede[rs]?|chaque|cada)\s+|/\s?)"
    rf"(?P<noun>{_any(PERIODS)})\b"
    rf"|\b(?P<adverb>daily|nightly|hourly|weekly|monthly|quarterly|yearly|annual(?:ly)?"
    r"|(?:stund|tag|wochent|monat|jahr)lich\w{0,2}|quotidien(?:ne)?s?|hebdomadaires?"
    r"|mensuel(?:le)?s?|trimestriel(?:le)?s?|annuel(?:le)?s?|diari[oa]s?|semanal(?:es)?"
    r"|mensual(?:es)?|anual(?:es)?)\b"
)
_COUNTED = re.compile(r"[\s-]+([^\W\d_]+)")
_AND = frozenset(("and", "und", "et", "y"))
_STOPS_COUNT = frozenset(
    (
        "to",
        "from",
        "with",
        "in",
        "at",
        "on",
        "by",
        "for",
        "since",
        "who",
        "that",
        "which",
        "per",
        "a",
        "an",
        "of",
        "and",
        "or",
        "von",
        "auf",
        "bis",
        "mit",
        "und",
        "de",
        "a",
        "par",
        "en",
        "et",
        "y",
        "con",
        "des",
        "du",
        "le",
        "la",
    )
)


@lru_cache(maxsize=8192)
def read_quantities(text: str) -> tuple[Quantity, ...]:
    """Every number but calendar years, in order; "one" and ordinals are none."""
    folded = fold(text)
    found = []
    for match in _QUANTITY.finditer(folded):
        quantity = _quantity(text, folded, match)
        if quantity:
            found.append(quantity)
    return tuple(_with_shared_unit(found, folded))


@lru_cache(maxsize=8192)
def read_rates(text: str) -> tuple[Rate, ...]:
    """Every "per day" and "weekly" of the text."""
    return tuple(
        Rate(_period(match["noun"] or match["adverb"]), *match.span(), text[slice(*match.span())])
        for match in _RATE.finditer(fold(text))
    )


def read_years(text: str) -> tuple[int, ...]:
    """Calendar years from 1950 to 2049 that stand in the text."""
    folded = fold(text)
    return tuple(
        int(match["figure"])
        for match in _QUANTITY.finditer(folded)
        if match["figure"] and _is_year(folded, match)
    )


def _period(word: str) -> str:
    for length in range(len(word), 1, -1):
        if word[:length] in PERIODS:
            return PERIODS[word[:length]]
    return word


def _is_year(folded: str, match: re.Match[str]) -> bool:
    if not _YEAR.fullmatch(match["figure"]) or match["before"] or match["size"] or match["plus"]:
        return False
    return not match["unit"] or match["unit"] == "s"


def _quantity(text: str, folded: str, match: re.Match[str]) -> Quantity | None:
    if match["figure"] and _is_year(folded, match):
        return None
    unit_word = match["unit"] or match["unit2"] or ""
    size = MAGNITUDES.get(match["size"] or match["size2"] or "", 1.0)
    unit, scale = _unit(unit_word, match["before"])
    plain = _figures(match["figure"]) if match["figure"] else (float(NUMBER_WORDS[match["word"]]),)
    values = tuple(round(value * size * scale, 9) for value in plain)
    start = match.start() + len(match["before"] or "") * (unit == "")
    bound = _bound(folded[: match.start()], bool(match["plus"]))
    counted = _counted(folded, match.end())
    written = text[start : match.end()]
    side = _side(folded[: match.start()])
    return Quantity(values, unit, bound, counted, start, match.end(), written, size * scale, side)


def _unit(word: str, before: str | None) -> tuple[str, float]:
    if before and before.strip() in CURRENCIES:
        return CURRENCIES[before.strip()], 1.0
    if word in CURRENCIES:
        return CURRENCIES[word], 1.0
    if word in {"per cent", "pour cent", "por ciento"}:
        return "percent", 1.0
    if "point" in word:
        return "points", 1.0
    return UNITS.get(word, ("", 1.0))


def _figures(figure: str) -> tuple[float, ...]:
    plain = figure.replace("'", "").replace(" ", "")
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return (float(plain),)
    whole, _, last = plain.rpartition(marks[-1])
    decimal = float(f"{whole.replace('.', '').replace(',', '')}.{last}")
    grouped = float(plain.replace(".", "").replace(",", ""))
    if len(marks) > 1:
        return (grouped,) if marks[-1] == marks[0] else (decimal,)
    if len(last) != 3 or whole == "0":
        return (decimal,)
    return (grouped, decimal)


def _bound(before: str, plus: bool) -> Bound:
    match = _BEFORE.search(before[-24:])
    if match:
        for bound in ("most", "least", "about"):
            if match[bound]:
                return bound
    return "least" if plus else "exact"


def _side(before: str) -> Side:
    match = _SIDE.search(before[-12:])
    if not match:
        return ""
    return "from" if match["from"] else "to"


def _counted(folded: str, at: int) -> tuple[str, ...]:
    words: list[str] = []
    while len(words) < 3:
        match = _COUNTED.match(folded, at)
        if not match or (match[1] in _STOPS_COUNT and not (words and match[1] in _AND)):
            break
        if match[1] not in _AND:
            words.append(match[1])
        at = match.end()
    return tuple(words)


def _with_shared_unit(found: list[Quantity], folded: str) -> list[Quantity]:
    """In "10 to 15 %" and "from ten to six working days" the unit belongs to both."""
    shared: list[Quantity] = []
    for number, quantity in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        between = folded[quantity.end : after.start] if after else ""
        if after and re.fullmatch(r"\s*(?:-|to|auf|a|bis|and|von|en)\s*", between):
            shared.append(_as(quantity, after))
        else:
            shared.append(quantity)
    return shared


def _as(quantity: Quantity, after: Quantity) -> Quantity:
    counted = quantity.counted or after.counted
    if quantity.unit or not after.unit:
        return replace(quantity, counted=counted)
    values = tuple(round(value * after.scale, 9) for value in quantity.values)
    return replace(quantity, values=values, unit=after.unit, counted=counted)
