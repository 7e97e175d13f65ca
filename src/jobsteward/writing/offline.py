"""The writer that needs no model and no key: the person's own sentences, chosen and ordered.

For each requirement it takes the facts that speak to it, the musts first, until the limits
are reached; what is left over follows in the person's own order. It writes no sentence about
the person, so nothing it writes can be untrue (MAT-2).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jobsteward.profile.model import PartialDate, Period, Position, Profile, Project, Study
from jobsteward.writing.claims import Claim, sentences
from jobsteward.writing.evidence import Evidence, Support, evidence_of
from jobsteward.writing.letter import letter
from jobsteward.writing.needs import Wanted, evidencable, wanted
from jobsteward.writing.port import Brief, Draft, Entry, ResumeDraft

_SUMMARY = 3


@dataclass(frozen=True, slots=True)
class _Point:
    """A bullet with its support; ``place`` is its place in the profile."""

    claim: Claim
    support: Support
    place: int


class OfflineWriter:
    """Selects, orders and trims the person's own facts; the same draft for the same brief."""

    async def write(self, brief: Brief, today: PartialDate) -> Draft:
        """The draft; ``today`` changes nothing in it."""
        return compose(brief)


def compose(brief: Brief) -> Draft:
    """A résumé and a plain letter from the facts of the brief's profile."""
    profile = brief.profile
    evidence = evidence_of(profile)
    asked = wanted(brief.needs, evidence.language)
    points = _points(profile, evidence)
    chosen = _chosen(points, asked, brief)
    resume = ResumeDraft(
        headline=Claim(profile.headline, "headline") if profile.headline else None,
        summary=_summary(profile),
        positions=tuple(_position(position, chosen) for position in profile.positions),
        projects=tuple(_project(project, chosen) for project in profile.projects),
        studies=tuple(_study(study) for study in profile.studies),
        skills=_skills(brief, evidence, asked),
        credentials=tuple(Claim(one.name, "certificate") for one in profile.credentials),
        languages=tuple(
            Claim(f"{one.name} ({one.level})" if one.level else one.name, "language")
            for one in profile.languages
        ),
        awards=tuple(Claim(award, "award") for award in profile.awards),
        dropped=tuple(point.claim for point in points if point not in chosen),
    )
    best = [point.claim for point in _ranked(chosen, asked) if point.claim.entry]
    return Draft(
        resume,
        letter(brief, evidence.language, best),
        tuple(one.need for one in asked if not evidencable(one, evidence)),
    )


def _points(profile: Profile, evidence: Evidence) -> list[_Point]:
    """Every bullet of positions and projects, in the person's order."""
    supports = {
        fact: one for one in evidence.supports if one.kind == "bullet" for fact in one.facts
    }
    entries = {position.entry_id for position in profile.positions}
    entries |= {project.entry_id for project in profile.projects}
    found = []
    for number, (fact, support) in enumerate(supports.items()):
        if support.entry in entries:
            claim = Claim(support.text, "bullet", support.entry, (fact,))
            found.append(_Point(claim, support, number))
    return found


def _chosen(points: Sequence[_Point], asked: Sequence[Wanted], brief: Brief) -> list[_Point]:
    """The bullets that fit: first one for every need, then the strongest of the rest."""
    limits = brief.limits
    chosen: list[_Point] = []
    in_entry: dict[str, int] = {}
    missing = {
        key: one.weight for one in asked for point in points for key in one.met_by(point.support)
    }
    waiting = _ranked(points, asked)
    while waiting and len(chosen) < limits.bullets:
        best = max(waiting, key=lambda point: _gain(point, asked, missing))
        waiting.remove(best)
        entry = best.claim.entry
        if in_entry.get(entry, 0) >= limits.bullets_an_entry and not _gain(best, asked, missing):
            continue
        in_entry[entry] = in_entry.get(entry, 0) + 1
        chosen.append(best)
        for one in asked:
            for key in one.met_by(best.support):
                missing.pop(key, None)
    return chosen


def _gain(point: _Point, asked: Sequence[Wanted], missing: dict[str, float]) -> float:
    """How much a bullet adds that no chosen one has."""
    met = frozenset().union(*(one.met_by(point.support) for one in asked))
    return sum(missing.get(key, 0.0) for key in met)


def _ranked(points: Sequence[_Point], asked: Sequence[Wanted]) -> list[_Point]:
    """The bullets by how much they speak to, equal ones in the person's order."""
    return sorted(points, key=lambda point: (-_strength(point, asked), point.place))


def _strength(point: _Point, asked: Sequence[Wanted]) -> float:
    return sum(one.weight * len(one.met_by(point.support)) for one in asked)


def _summary(profile: Profile) -> tuple[Claim, ...]:
    own = [sentence for text in profile.summary for sentence in sentences(text)]
    return tuple(Claim(sentence, "summary") for sentence in own[:_SUMMARY])


def _position(position: Position, chosen: Sequence[_Point]) -> Entry:
    named = ", ".join(part for part in (position.title, position.employer) if part)
    heading = Claim(_with_dates(named, position.period), "role", position.entry_id)
    return Entry(position.entry_id, heading, _own(position.entry_id, chosen))


def _project(project: Project, chosen: Sequence[_Point]) -> Entry:
    named = ", ".join(part for part in (project.name, project.role) if part)
    heading = Claim(_with_dates(named, project.period), "role", project.entry_id)
    return Entry(project.entry_id, heading, _own(project.entry_id, chosen))


def _study(study: Study) -> Entry:
    named = ", ".join(part for part in (study.degree, study.area, study.institution) if part)
    return Entry(
        study.entry_id, Claim(_with_dates(named, study.period), "education", study.entry_id)
    )


def _own(entry: str, chosen: Sequence[_Point]) -> tuple[Claim, ...]:
    """An entry's chosen bullets, the strongest first."""
    return tuple(dict.fromkeys(point.claim for point in chosen if point.claim.entry == entry))


def _with_dates(named: str, period: Period) -> str:
    start = period.start.text if period.start else ""
    end = "present" if period.current else period.end.text if period.end else ""
    dates = " - ".join(part for part in (start, end) if part)
    return f"{named} ({dates})" if dates else named


def _skills(brief: Brief, evidence: Evidence, asked: Sequence[Wanted]) -> tuple[Claim, ...]:
    """The skills that the posting asks for first, then the others in the person's order."""
    own = [support for support in evidence.supports if support.kind == "skill"]
    ranked = sorted(own, key=lambda support: -sum(bool(one.met_by(support)) for one in asked))
    claims = [Claim(support.text, "skill", "", support.facts) for support in ranked]
    distinct = {claim.text.casefold(): claim for claim in reversed(claims)}
    kept = [claim for claim in claims if distinct[claim.text.casefold()] is claim]
    return tuple(kept[: brief.limits.skills])
