"""One location text read as groups of names that explain each other."""

import re
from dataclasses import dataclass, field, replace

from jobsteward.discover.understand.atlas.countries import COUNTRIES, THREE_LETTERS
from jobsteward.discover.understand.atlas.divisions import CODES
from jobsteward.discover.understand.atlas.metros import METROS
from jobsteward.discover.understand.atlas.names import Hit, Meaning, find_names
from jobsteward.discover.understand.atlas.zones import zone_spans
from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.meanings import settle
from jobsteward.discover.understand.model import Place, Places
from jobsteward.discover.understand.workplace_words import NOISE, REMOTE_WORDS

_HARD = re.compile(r"[;|\u2022\u00b7\n\u2003]|\s/\s|\s\+\s")
_SOFT = re.compile(r"[/&+]|\b(?:or|and|und|oder|et|ou|y|e|o)\b")
_CODE = re.compile(r"(?<![^\W_])(?:[A-Z]{2,3}|US|UK)(?![^\W_'.])")
_ANY_CASE = re.compile(r"(?<![^\W_])(?:usa?|uk|uae|eu)(?![^\W_])")
_LOWER_STATE = re.compile(r"(?<=,)\s*([a-z]{2})\s*(?=$|\()")
_ORDINARY = frozenset({"in", "or", "me", "hi", "ok", "on", "de", "la", "no", "us", "uk", "eu"})
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|excluding|excl\.?|not (?:available|open|eligible"
    r"|hiring|possible"
    r"|including|considered|accepting)(?: \w+){0,4}? (?:in|for|from)|outside(?: of)?|other than"
    r"|but not(?: in)?|no candidates from|ausser|sauf|excepto)\b"
)
_LOOSE = frozenset({"global", "international", "earth", "everywhere", "globally", "anywhere"})
_NAMELIKE = re.compile(r"[^\W\d_][\w .'\u2019-]{1,40}")
_ZIP = re.compile(r"\b\d{4,6}(?:-\d{4})?\b")


@dataclass(slots=True)
class _Found:
    places: list[Place] = field(default_factory=list)
    excluded: list[Place] = field(default_factory=list)


def read_text(
    name: str, text: str, start: int = 0, end: int | None = None, *, strict: bool = False
) -> Places:
    """The places that ``text[start:end]`` of the field ``name`` gives.

    ``strict`` is for running text: only names and capital codes count, and a name whose
    meaning is open is left out.
    """
    end = len(text) if end is None else end
    part = text[start:end]
    reader = _Reader(name, part, start, strict)
    found, worldwide = _Found(), None
    for piece_start, piece_end in _pieces(part, _HARD):
        reader.read(piece_start, piece_end, found)
        worldwide = worldwide or reader.worldwide(piece_start, piece_end)
    unread: tuple[Span, ...] = ()
    if not (found.places or worldwide or strict) and _says_more(part):
        unread = (span_of(name, text, start, end),)
    return Places(tuple(found.places), worldwide, (), tuple(found.excluded), unread)


def _says_more(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]", NOISE.sub(" ", fold(text))))


def _pieces(text: str, separator: re.Pattern[str]) -> list[tuple[int, int]]:
    pieces, at = [], 0
    for match in separator.finditer(text):
        pieces.append((at, match.start()))
        at = match.end()
    return [*pieces, (at, len(text))]


class _Reader:
    """Reads the groups of one text, which begins at ``offset`` in its field."""

    def __init__(self, name: str, text: str, offset: int, strict: bool) -> None:
        self._name, self._text, self._offset, self._strict = name, text, offset, strict
        self._folded = fold(text)
        self._hits = _all_hits(text, strict)

    def read(self, start: int, end: int, found: _Found) -> None:
        """Adds the places between two hard separators."""
        hits = self._between(start, end)
        remote = bool(REMOTE_WORDS.search(self._folded, start, end))
        cue = _EXCEPT.search(self._folded, start, end)
        for group in self._groups([hit for hit in hits if not cue or hit.start < cue.start()]):
            found.places += [replace(place, remote=remote) for place in self._resolve(group)]
        if cue:
            for group in self._groups([hit for hit in hits if hit.start >= cue.end()]):
                found.excluded += self._resolve(group)

    def worldwide(self, start: int, end: int) -> Span | None:
        hits = self._between(start, end)
        wide = [hit for hit in hits if hit.meanings[0].kind == "worldwide"]
        cue = _EXCEPT.search(self._folded, start, end)
        named = [h for h in hits if h not in wide and not (cue and h.start >= cue.end())]
        if not wide or named:
            return None
        word = self._folded[wide[0].start : wide[0].end]
        if (
            word in _LOOSE
            and (self._strict or _says_more(self._rest(start, end, wide)))
            and not cue
        ):
            return None
        return self._span(wide[0])

    def _span(self, hit: Hit) -> Span:
        start, end = hit.start + self._offset, hit.end + self._offset
        return Span(self._name, start, end, self._text[hit.start : hit.end])

    def _rest(self, start: int, end: int, hits: list[Hit]) -> str:
        rest = list(self._folded)
        for hit in hits:
            rest[hit.start : hit.end] = " " * (hit.end - hit.start)
        return "".join(rest[start:end])

    def _between(self, start: int, end: int) -> list[Hit]:
        return [hit for hit in self._hits if start <= hit.start and hit.end <= end]

    def _groups(self, hits: list[Hit]) -> list[list[Hit]]:
        groups: list[list[Hit]] = []
        for hit in (hit for hit in hits if hit.meanings[0].kind != "worldwide"):
            gap = self._folded[groups[-1][-1].end : hit.start] if groups else ""
            if groups and not _SOFT.search(gap):
                groups[-1].append(hit)
            else:
                groups.append([hit])
        return groups

    def _resolve(self, group: list[Hit]) -> list[Place]:
        chosen = settle(self._text, group)
        places: list[Place] = []
        for at, (hit, meaning) in enumerate(zip(group, chosen, strict=True)):
            if meaning is None:
                continue
            span = self._span(hit)
            after = next((m for m in chosen[at + 1 :] if m), None)
            places += self._place(hit, meaning, after, span, group, at)
        return _narrowest(places)

    def _place(
        self,
        hit: Hit,
        meaning: Meaning,
        after: Meaning | None,
        span: Span,
        group: list[Hit],
        at: int,
    ) -> list[Place]:
        match meaning.kind:
            case "region":
                return [Place(span, region=meaning.name)]
            case "country" | "area" | "division":
                city = None if self._strict else self._town_before(hit, group, at)
                return [Place(span, meaning.country, meaning.division, city)]
            case "city":
                return [_city(meaning, span)]
            case "worldwide":
                return []

    def _town_before(self, hit: Hit, group: list[Hit], at: int) -> str | None:
        """A town that no table knows, named before its state or country: "Xville, TX"."""
        floor = group[at - 1].end if at else 0
        before = self._text[floor : hit.start]
        if "," not in before or _SOFT.search(self._folded[floor : hit.start]):
            return None
        town = re.split(r"[,;|/()\u2022]| - ", before.rstrip(" ,("))[-1].strip(" -")
        plain = fold(town)
        if not _NAMELIKE.fullmatch(town) or NOISE.search(plain) or _ZIP.search(town):
            return None
        return town if town[0].isupper() or town.islower() else None


def _city(meaning: Meaning, span: Span) -> Place:
    wheres = (meaning.division, meaning.country)
    metro = next(
        (METROS[w, meaning.name] for w in wheres if w and (w, meaning.name) in METROS), None
    )
    return Place(span, meaning.country, meaning.division, meaning.name or span.text, metro)


def _narrowest(places: list[Place]) -> list[Place]:
    """Without the countries and divisions that a narrower place of the group is in."""
    return [
        place
        for place in places
        if place.region or not any(_inside(other, place) for other in places if other is not place)
    ]


def _inside(narrow: Place, wide: Place) -> bool:
    if wide.city or not wide.country or narrow.country != wide.country:
        return False
    if wide.division:
        return narrow.division == wide.division and bool(narrow.city)
    return bool(narrow.division or narrow.city)


def _all_hits(text: str, strict: bool) -> list[Hit]:
    names = find_names(text)
    if strict:
        names = [hit for hit in names if text[hit.start].isupper() or not text[hit.start].isascii()]
    codes = _codes(text) if strict or text.upper() != text else _codes(text, needs_place=True)
    if not strict:
        codes += _loose_codes(text)
    taken = [hit for hit in codes if not any(_overlap(hit, name) for name in names)]
    return sorted([*names, *taken], key=lambda hit: hit.start)


def _overlap(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def _codes(text: str, needs_place: bool = False) -> list[Hit]:
    hits, zones = [], zone_spans(text)
    for match in _CODE.finditer(text):
        meanings = _code_meanings(match[0])
        timely = any(start <= match.start() < end for start, end in zones)
        if meanings and not timely and _delimited(text, match.start(), match.end(), needs_place):
            hits.append(Hit(match.start(), match.end(), meanings))
    return hits


def _loose_codes(text: str) -> list[Hit]:
    hits = []
    for match in _ANY_CASE.finditer(text):
        hits += [
            replace(hit, start=match.start(), end=match.end())
            for hit in find_names(match[0].upper())
        ]
    for match in _LOWER_STATE.finditer(text):
        code = match[1]
        meanings = tuple(m for m in _code_meanings(code.upper()) if m.kind == "division")
        if meanings and code not in _ORDINARY:
            hits.append(Hit(match.start(1), match.end(1), meanings))
    return hits


def _code_meanings(code: str) -> tuple[Meaning, ...]:
    divisions = [Meaning("division", iso[:2], iso, "code") for iso in CODES.get(code, ())]
    two = code if code in COUNTRIES else THREE_LETTERS.get(code)
    return (*divisions, *([Meaning("country", two, None, "code")] if two else []))


def _delimited(text: str, start: int, end: int, needs_place: bool) -> bool:
    """Whether a code stands where codes do: between commas or hyphens, or after a town."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    tied = text[:start] == before and before and before[-1].isalnum()
    left = (
        not before
        or before[-1] in ",-\u2013\u2014(/|;•·[:_\n&"
        or (
            not needs_place
            and not tied
            and bool(re.search(r"(?:[A-Z][\w.'-]*|\b(?:in|from|near|or|and))$", before))
        )
    )
    right = (
        not after
        or after[0] in ",-\u2013\u2014)/|;•·]:(_\n&+"
        or bool(re.match(r"\d{4,5}|(?i:remote|hybrid|or\b|and\b|only|based|onsite|on-site)", after))
    )
    return left and right
