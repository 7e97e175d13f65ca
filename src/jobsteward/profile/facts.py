"""Every statement of a profile as a fact, in the order of the profile (MAT-1)."""

from collections.abc import Iterable, Iterator

from jobsteward.profile.model import (
    Credential,
    Fact,
    FactKind,
    Period,
    Position,
    Profile,
    Project,
    Study,
)
from jobsteward.profile.numbers import read_quantities

_WITH_NUMBERS = frozenset({"summary", "bullet", "award", "publication"})


def facts_of(profile: Profile) -> tuple[Fact, ...]:
    """The person's facts without repeats; the numbers of a sentence follow it.

    An id depends on a fact's own content and its entry only, so the ids of all other facts
    stay when one is edited, added or moved.
    """
    found: dict[str, Fact] = {}
    for fact in _all(profile):
        found.setdefault(fact.id, fact)
        if fact.kind in _WITH_NUMBERS:
            for quantity in read_quantities(fact.text):
                number = Fact("number", quantity.text.strip(), fact.entry, fact.id)
                found.setdefault(number.id, number)
    return tuple(found.values())


def _all(profile: Profile) -> Iterator[Fact]:
    yield from _person(profile)
    for position in profile.positions:
        yield from _position(position)
    for study in profile.studies:
        yield from _study(study)
    for project in profile.projects:
        yield from _project(project)
    for credential in profile.credentials:
        yield from _credential(credential)
    for skill in profile.skills:
        yield from _stated("skill", [skill.name], detail=skill.level)
    for language in profile.languages:
        yield from _stated("language", [language.name], detail=language.level)
    yield from _stated("award", profile.awards)
    yield from _stated("publication", profile.publications)


def _person(profile: Profile) -> Iterator[Fact]:
    contact = profile.contact
    yield from _stated("name", [profile.name])
    yield from _stated("headline", [profile.headline])
    yield from _stated("email", [contact.email])
    yield from _stated("phone", [contact.phone])
    yield from _stated("location", [contact.location])
    yield from _stated("link", contact.links)
    yield from _stated("summary", profile.summary)


def _position(position: Position) -> Iterator[Fact]:
    entry = position.entry_id
    yield from _stated("employer", [position.employer], entry)
    yield from _stated("title", [position.title], entry)
    yield from _period(position.period, entry)
    yield from _stated("location", [position.location], entry)
    yield from _stated("bullet", position.bullets, entry)
    yield from _stated("skill", position.skills, entry)


def _study(study: Study) -> Iterator[Fact]:
    entry = study.entry_id
    yield from _stated("institution", [study.institution], entry)
    degree = " ".join(part for part in (study.degree, study.area) if part)
    yield from _stated("degree", [degree], entry, study.score)
    yield from _period(study.period, entry)
    yield from _stated("bullet", study.bullets, entry)


def _project(project: Project) -> Iterator[Fact]:
    entry = project.entry_id
    yield from _stated("project", [project.name], entry)
    yield from _stated("title", [project.role], entry)
    yield from _period(project.period, entry)
    yield from _stated("link", [project.url], entry)
    yield from _stated("bullet", project.bullets, entry)
    yield from _stated("skill", project.skills, entry)


def _credential(credential: Credential) -> Iterator[Fact]:
    entry = credential.entry_id
    yield from _stated("credential", [credential.name], entry, credential.issuer)
    if credential.date:
        yield Fact("start", credential.date.text, entry)


def _period(period: Period, entry: str) -> Iterator[Fact]:
    if period.start:
        yield Fact("start", period.start.text, entry)
    if period.current:
        yield Fact("end", "present", entry)
    elif period.end:
        yield Fact("end", period.end.text, entry)


def _stated(
    kind: FactKind, texts: Iterable[str], entry: str = "", detail: str = ""
) -> Iterator[Fact]:
    yield from (Fact(kind, text, entry, detail=detail) for text in texts if text.strip())
