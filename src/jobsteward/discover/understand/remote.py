"""Whether the work can be done away from an office, from fields first, then from the text."""

import re
from collections.abc import Iterable, Sequence

from jobsteward.discover.model import Remote
from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.model import Place, Places, RemoteReading, Workplace
from jobsteward.discover.understand.places import read_places, read_scope
from jobsteward.discover.understand.remote_text import statements
from jobsteward.discover.understand.workplace_words import HYBRID_WORDS, ONSITE_WORDS, REMOTE_WORDS

_WORDS: tuple[tuple[Workplace, re.Pattern[str]], ...] = (
    ("hybrid", HYBRID_WORDS),
    ("remote", REMOTE_WORDS),
    ("onsite", ONSITE_WORDS),
)
_CONTRADICTION = re.compile(r"\bremote on-?site\b|\bnon[- ]remote\b|\bnot remote\b|\bno remote\b")
_ENUM = {"fullyremote": "remote", "onsite": "onsite", "inoffice": "onsite", "office": "onsite"}
_TITLE_WORDS = re.compile(
    r"[\[(|/,\u2013\u2014-]\s*(?:\d+% )?(?:fully |100% )?(?:remote|hybrid|on-?site"
    r"|wfh|work from home"
    r"|remoto|hibrido|teletravail|homeoffice|virtual|distans)\b|^\s*remote\b|\bremote$"
    r"|\bhibrido$|\bhybrid$"
)

Stated = tuple[Workplace, Span]


def read_remote(
    workplace: str | None,
    locations: Sequence[str],
    title: str = "",
    description: str | None = None,
) -> RemoteReading:
    """Yes, no or unknown, with every workplace stated and from where remote work is done.

    A declared workplace decides; words of location and title come next, then the text,
    which can also add a remote option to a place (P003) but never turns a city into an
    office. Hybrid alone is no, since it binds to a place.
    """
    declared = _declared(workplace)
    fields = declared or [*_from_locations(locations), *_from_title(title)]
    text = statements(description) if description else []
    stated = _combined(fields, text)
    value = _value({kind for kind, _ in stated})
    scope = _scope(locations, title, description) if value == "yes" else Places()
    kinds = tuple(dict.fromkeys(kind for kind, _ in stated))
    return RemoteReading(value, kinds, scope, tuple(span for _, span in stated))


def _combined(fields: list[Stated], text: list[Stated]) -> list[Stated]:
    """Fields with what the text adds; the text alone where there are none."""
    if not fields:
        return text
    kinds = {kind for kind, _ in fields}
    besides = {kind for kind, _ in text} == {"remote", "onsite"}
    wanted = {"remote": "onsite" if besides else "", "onsite": "remote"}
    added = [entry for entry in text if len(kinds) == 1 and entry[0] == wanted.get(min(kinds))]
    return [*fields, *added]


def _value(kinds: set[Workplace]) -> Remote:
    if "remote" in kinds:
        return "yes"
    return "no" if kinds else "unknown"


def _declared(workplace: str | None) -> list[Stated]:
    if not workplace:
        return []
    word = re.sub(r"[^a-z]", "", fold(workplace))
    if word in _ENUM:
        kind: Workplace = "remote" if _ENUM[word] == "remote" else "onsite"
        return [(kind, span_of("workplace", workplace, 0, len(workplace)))]
    return list(_named("workplace", workplace))


def _from_locations(locations: Sequence[str]) -> list[Stated]:
    found: list[Stated] = []
    for at, text in enumerate(locations):
        if not _CONTRADICTION.search(fold(text)):
            found += _named(f"locations.{at}", text)
    return found


def _from_title(title: str) -> list[Stated]:
    """A title's workplace stands apart: in brackets, after a dash, or at its end."""
    folded = fold(title)
    if not _TITLE_WORDS.search(folded) or _CONTRADICTION.search(folded):
        return []
    return [entry for entry in _named("title", title)]


def _named(field: str, text: str) -> Iterable[Stated]:
    rest = fold(text)
    for kind, words in _WORDS:
        match = words.search(rest)
        if match:
            yield kind, span_of(field, text, *match.span())
            start, end = match.span()
            rest = rest[:start] + " " * (end - start) + rest[end:]


def _scope(locations: Sequence[str], title: str, description: str | None) -> Places:
    """From where remote work is done: the places that come with "remote", else the text's,
    else those of the location fields."""
    named = read_places(locations, None, title)
    with_remote = tuple(place for place in named.places if place.remote and not place.city)
    if named.worldwide:
        return named
    if with_remote:
        return Places(with_remote, None, named.zones, named.excluded)
    text = read_scope(description) if description else Places()
    if text.places:
        return Places(_wide(text.places), text.worldwide, text.zones, text.excluded)
    return Places(named.places, text.worldwide, named.zones or text.zones, named.excluded)


def _wide(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Without the towns, where countries or regions are named too."""
    return tuple(place for place in places if not place.city) or places
