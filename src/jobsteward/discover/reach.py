"""Whether places that a posting names are places that a person wants: yes, no, or unknown."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobsteward.discover.model import Remote
from jobsteward.discover.understand.atlas.regions import MEMBERS
from jobsteward.discover.understand.evidence import Span
from jobsteward.discover.understand.model import Place, Places


@dataclass(frozen=True, slots=True)
class Match:
    """An answer with the words of the posting that give it."""

    answer: Remote
    spans: tuple[Span, ...] = ()


def inside(place: Place, wanted: Place) -> Remote:
    """Whether a place lies in another; unknown where it is too wide to tell."""
    if wanted.country is None:
        return _in_region(place, wanted.region)
    if place.country is None:
        return "unknown" if wanted.country in MEMBERS.get(place.region or "", ()) else "no"
    return "no" if place.country != wanted.country else _in_country(place, wanted)


def touching(place: Place, wanted: Place) -> Remote:
    """Whether one of two places lies in the other: for work that is done anywhere in a place."""
    answers = (inside(place, wanted), inside(wanted, place))
    if "yes" in answers:
        return "yes"
    same_country = place.country and place.country == wanted.country
    return "unknown" if same_country or "unknown" in answers else "no"


def office_match(places: Places, wanted: Place) -> Match:
    """Whether an office is at the wanted place."""
    if places.worldwide:
        return Match("yes", (places.worldwide,))
    return _best([Match(inside(place, wanted), (place.span,)) for place in places.places], places)


def remote_match(scope: Places, wanted: Place) -> Match:
    """Whether remote work may be done from the wanted place, or from some part of it.

    A town where remote work is offered is no bound within its country, so that another town
    of that country stays unknown.
    """
    for place in scope.excluded:
        if inside(wanted, place) == "yes":
            return Match("no", (place.span,))
    if scope.worldwide:
        return Match("yes", (scope.worldwide,))
    return _best([Match(touching(place, wanted), (place.span,)) for place in scope.places], scope)


def overlap(one: Places, other: Places) -> Remote:
    """Whether two postings can be for the same place; unknown where either names none."""
    if not one.known or not other.known:
        return "unknown"
    if one.worldwide or other.worldwide:
        return "yes" if one.worldwide and other.worldwide else "unknown"
    pairs = [(left, right) for left in one.places for right in other.places]
    answers = {answer for pair in pairs for answer in (inside(*pair), inside(*pair[::-1]))}
    return "yes" if "yes" in answers else "no" if answers == {"no"} else "unknown"


def _best(matches: Sequence[Match], places: Places) -> Match:
    spans = tuple(span for match in matches for span in match.spans)
    for answer in ("yes", "unknown"):
        for match in matches:
            if match.answer == answer:
                return match
    # A location that could not be read may be the wanted one.
    return Match("unknown", places.unread) if places.unread or not spans else Match("no", spans)


def _in_country(place: Place, wanted: Place) -> Remote:
    if wanted.metro and place.metro:
        return _answer(wanted.metro == place.metro)
    if wanted.division and place.division and wanted.division != place.division:
        return "no"
    if wanted.city:
        return _answer(wanted.city == place.city) if place.city else "unknown"
    return "unknown" if wanted.division and not place.division else "yes"


def _in_region(place: Place, region: str | None) -> Remote:
    members = set(MEMBERS.get(region or "", ()))
    if place.country:
        return _answer(place.country in members)
    own = set(MEMBERS.get(place.region or "", ()))
    return "yes" if own <= members else "unknown" if own & members else "no"


def _answer(true: bool) -> Remote:
    return "yes" if true else "no"
