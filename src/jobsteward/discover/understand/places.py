"""Where the work is: countries, regions, cities, time zones and exclusions of a posting."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from jobsteward.discover.understand.atlas.zones import find_zones
from jobsteward.discover.understand.evidence import Span, fold
from jobsteward.discover.understand.groups import read_text
from jobsteward.discover.understand.model import Place, Places
from jobsteward.discover.understand.workplace_words import NOISE

_CUES = re.compile(
    r"\b(?:(?:be |are |is |must |candidates? |anyone |you )?(?:based|located|reside"
    r"|residing|resident"
    r"|residents|live|living|domiciled|hir(?:e|ing)|work(?:ing)?(?: remotely)?|remote(?:ly)?"
    r"|anywhere|employ(?:ees)?|eligible|open to candidates|applicants|candidates)"
    r"(?: to (?:hire|work|be))?(?: (?:only|legally|employees|candidates|people"
    r"|applicants|full-time))?"
    r"\s(?:in|within|from|across|of|throughout)|remote,? within|remote,? in"
    r"|remote \(|remote - |remote: |ansassig in|wohnhaft in|wohnsitz in"
    r"|base(?:e)? en|residant en)\s?"
)
_TITLE_JOINT = re.compile(r"[,()\[\]|\u2013\u2014]|\s-\s|:\s|-\s")
_NO_TOWNS = frozenset(
    {"mobile", "reading", "nice", "commerce", "split", "bend", "bath", "independence"}
)
_CUES_READ = 100
_SENTENCE = re.compile(r"[^.\n!?]{0,160}")


def read_places(
    locations: Sequence[str], description: str | None = None, title: str = ""
) -> Places:
    """The places of a posting: its location fields, else its title, else its text.

    A bare "Remote" names no place and leaves them unknown (P007). Of a description only
    sentences count that bind the worker ("based in …", "anywhere in …").
    """
    read = [read_text(f"locations.{at}", text) for at, text in enumerate(locations)]
    places = _joined(read)
    if not places.known and title:
        places = _joined([places, *_title_places(title)])
    if not places.known and description:
        places = _joined([places, read_scope(description)])
    texts = (*locations, title)
    return replace(
        places,
        zones=_distinct([*places.zones, *(zone for text in texts for zone in find_zones(text))]),
    )


def read_scope(description: str, field: str = "description") -> Places:
    """The places that sentences of a description bind the worker to, and its time zones."""
    folded, found = fold(description), []
    for cue in islice(_CUES.finditer(folded), _CUES_READ):
        start = cue.end()
        reach = _SENTENCE.match(folded, start)
        end = reach.end() if reach else start
        found.append(read_text(field, description, start, _reach(folded, start, end), strict=True))
    return replace(_joined(found), unread=(), zones=find_zones(description))


def _reach(folded: str, start: int, end: int) -> int:
    """Where the list of places ends: at a verb or a new clause."""
    stop = re.search(
        r"\b(?:for|with|who|where|because|so|as|to|due|on|by|which|and (?:are|is|be"
        r"|have|can|will"
        r"|work|must|you|our|we)|team|office|customers?|market|experience|full-time)\b|[;:]",
        folded[start:end],
    )
    return start + stop.start() if stop else end


def _title_places(title: str) -> list[Places]:
    """The parts of a title that are nothing but places: "[Remote-US]", "…, Romania (m/f/d)"."""
    found, at = [], 0
    for match in [*_TITLE_JOINT.finditer(title), None]:
        end = match.start() if match else len(title)
        part = read_text("title", title, at, end, strict=True)
        if at and part.places and not _left_over(title, at, end, part):
            found.append(part)
        at = match.end() if match else end
    return found


def _left_over(title: str, start: int, end: int, part: Places) -> bool:
    rest = list(fold(title))
    for place in part.places:
        rest[place.span.start : place.span.end] = " " * len(place.span.text)
    words = NOISE.sub(" ", "".join(rest[start:end]))
    return bool(re.search(r"[^\W_]", words)) or fold(title[start:end]).strip() in _NO_TOWNS


def _joined(parts: Sequence[Places]) -> Places:
    places: dict[tuple[str | None, ...], Place] = {}
    for place in (place for part in parts for place in part.places):
        key = (place.country, place.division, place.city, place.region)
        known = places.get(key)
        places[key] = replace(known, remote=True) if known and place.remote else known or place
    kept = tuple(places.values())
    return Places(
        places=kept,
        worldwide=next((part.worldwide for part in parts if part.worldwide), None),
        zones=_distinct([zone for part in parts for zone in part.zones]),
        excluded=tuple(place for part in parts for place in part.excluded),
        unread=_unread([span for part in parts for span in part.unread]),
    )


def _unread(spans: list[Span]) -> tuple[Span, ...]:
    return tuple({(span.field, span.start): span for span in spans}.values())


def _distinct(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
