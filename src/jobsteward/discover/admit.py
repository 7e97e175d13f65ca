"""Which postings a search lets in: rules with an answer, a reason and the words behind it (DIS-7).

Every rule answers yes, no or unknown, and only a no refuses: what a posting does not say
never counts against it. The rules come before any score, and no score overrides them (P002).
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Literal

from jobsteward.discover.admit_pay import pay_answer
from jobsteward.discover.admit_words import excluded_by, wanted_title
from jobsteward.discover.model import Posting, Remote
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.reach import Match, office_match, remote_match
from jobsteward.discover.understand.evidence import Span
from jobsteward.discover.understand.model import Place, Places, RemoteReading
from jobsteward.discover.understand.places import read_places
from jobsteward.discover.understand.remote import read_remote
from jobsteward.discover.understand.terms import find_any
from jobsteward.kernel.canonical import digest

POLICY = 1
"""The version of the rules; decisions of an earlier one are taken anew."""

Rule = Literal["exclusions", "titles", "remote", "places", "pay"]
Reason = Literal[
    "excluded_word",
    "title_not_wanted",
    "remote_not_wanted",
    "location_not_allowed",
    "pay_too_low",
    "refused_by_person",
]
_REASONS: dict[Rule, Reason] = {
    "exclusions": "excluded_word",
    "titles": "title_not_wanted",
    "remote": "remote_not_wanted",
    "places": "location_not_allowed",
    "pay": "pay_too_low",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One rule's answer: yes lets the posting in, no refuses it, unknown does neither.

    ``spans`` are the words of the posting that decide; ``term`` is the word or place of the
    preferences that they meet, where there is one.
    """

    rule: Rule
    answer: Remote
    spans: tuple[Span, ...] = ()
    term: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """Every rule that was asked, in order; ``reason`` is the first refusal's, None admits."""

    reason: Reason | None = None
    checks: tuple[Check, ...] = ()

    @property
    def admitted(self) -> bool:
        return self.reason is None


ADMITTED = Decision()


def admit(wanted: Preferences, posting: Posting) -> Decision:
    """The decision on one posting, as far as the first rule that refuses it.

    Pure: the same preferences and posting give the same decision. A rule that the
    preferences leave open is not asked and costs nothing.
    """
    checks: list[Check] = []
    for check in _asked(wanted, posting):
        checks.append(check)
        if check.answer == "no":
            return Decision(_REASONS[check.rule], tuple(checks))
    return Decision(None, tuple(checks))


def explained(wanted: Preferences, posting: Posting) -> Decision:
    """The same decision with the answer of every rule, also of those after a refusal."""
    checks = tuple(_asked(wanted, posting))
    refusals = (_REASONS[check.rule] for check in checks if check.answer == "no")
    return Decision(next(refusals, None), checks)


def basis(wanted: Preferences) -> str:
    """A digest of what decisions rest on: the rules' version and the preferences without boards."""
    return digest([POLICY, asdict(replace(wanted, boards=()))])


def unread_places(wanted: Preferences) -> tuple[str, ...]:
    """Wanted places that are not known here; they are looked for as words only."""
    return tuple(text for text in wanted.places if not read_places([text]).known)


def stated_remote(posting: Posting) -> RemoteReading:
    """Whether the work is remote: what fields and text say, else the source's own mark.

    Where the source marks a posting as remote and its words bind it to an office, nobody
    knows (P011).
    """
    read = read_remote(posting.workplace, posting.locations, posting.title, posting.description)
    if read.value == "unknown":
        return replace(read, value=posting.remote)
    contradiction = read.value == "no" and posting.remote == "yes" and not posting.workplace
    return replace(read, value="unknown") if contradiction else read


def _asked(wanted: Preferences, posting: Posting) -> Iterator[Check]:
    if wanted.exclusions:
        found = excluded_by(wanted.exclusions, posting)
        yield (
            Check("exclusions", "no", (found[1],), found[0])
            if found
            else Check("exclusions", "yes")
        )
    if wanted.titles:
        named = wanted_title(wanted.titles, posting)
        yield Check("titles", "yes", (named[1],), named[0]) if named else Check("titles", "no")
    if wanted.remote or wanted.places:
        yield from _where(wanted, posting)
    if wanted.least_pay:
        answer, spans = pay_answer(wanted.least_pay, posting)
        yield Check("pay", answer, spans)


def _where(wanted: Preferences, posting: Posting) -> Iterator[Check]:
    remote = stated_remote(posting)
    if wanted.remote:
        known: Remote = "yes" if remote.value in wanted.remote else "no"
        yield Check("remote", "unknown" if remote.value == "unknown" else known, remote.spans)
    if wanted.places:
        yield _place_check(wanted.places, posting, remote)


def _place_check(texts: tuple[str, ...], posting: Posting, remote: RemoteReading) -> Check:
    places = read_places(posting.locations, posting.description, posting.title)
    best = Check("places", "no", tuple(place.span for place in places.places))
    for text in texts:
        match = _match(text, posting, places, remote)
        if match.answer == "yes":
            return Check("places", "yes", match.spans, text)
        if match.answer == "unknown" and best.answer == "no":
            best = Check("places", "unknown", match.spans, text)
    return best


def _match(text: str, posting: Posting, places: Places, remote: RemoteReading) -> Match:
    wanted = read_places([text])
    only_remote = read_remote(None, [text]).value == "yes"
    if only_remote and remote.value == "no":
        return Match("no", remote.spans)
    if wanted.worldwide or (only_remote and not wanted.known):
        return Match("yes" if not only_remote else remote.value, remote.spans)
    if not wanted.places:
        return _by_words(text, posting)
    matches = [_at(place, places, remote) for place in wanted.places]
    best = _first(matches, "yes") or _first(matches, "unknown") or matches[0]
    if only_remote and remote.value == "unknown" and best.answer == "yes":
        return Match("unknown", best.spans)
    return best


def _at(wanted: Place, places: Places, remote: RemoteReading) -> Match:
    looks: list[Callable[[], Match]] = []
    if remote.value != "yes" or "onsite" in remote.workplaces or "hybrid" in remote.workplaces:
        looks.append(lambda: office_match(places, wanted))
    if remote.value == "yes":
        scope = remote.scope if remote.scope.known else places
        looks.append(lambda: remote_match(scope, wanted))
    matches = [look() for look in looks]
    return _first(matches, "yes") or _first(matches, "unknown") or matches[-1]


def _first(matches: list[Match], answer: Remote) -> Match | None:
    return next((match for match in matches if match.answer == answer), None)


def _by_words(text: str, posting: Posting) -> Match:
    """A place that is not known here: found as words, else open."""
    for at, location in enumerate(posting.locations):
        found = find_any(f"locations.{at}", location, (text,))
        if found:
            return Match("yes", (found[1],))
    return Match("unknown")
