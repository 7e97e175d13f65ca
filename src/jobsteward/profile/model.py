"""What a person has stated: a profile of entries, and each statement in it as a fact.

A profile is only ever what the person accepted. Everything in it that a résumé or a letter
could repeat is a fact with an id (MAT-1): see ``facts.py`` for the list.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from jobsteward.kernel.canonical import digest

DatePrecision = Literal["year", "month", "day"]
DateDoubt = Literal["end_before_start", "in_the_future", "too_long_ago"]
FactKind = Literal[
    "name",
    "headline",
    "email",
    "phone",
    "location",
    "link",
    "summary",
    "employer",
    "title",
    "start",
    "end",
    "bullet",
    "skill",
    "institution",
    "degree",
    "credential",
    "project",
    "award",
    "publication",
    "language",
    "number",
]
_OLDEST_YEAR = 1930


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A date as exactly as it was stated; a part that was not stated is 0, never a guess."""

    year: int
    month: int = 0
    day: int = 0

    def __post_init__(self) -> None:
        if not (1 <= self.year <= 9999 and 0 <= self.month <= 12 and 0 <= self.day <= 31):
            raise ValueError("a date needs a year from 1 to 9999, a month and a day")
        if self.day and not self.month:
            raise ValueError("a date with a day needs its month")

    @property
    def precision(self) -> DatePrecision:
        """How much of the date was stated."""
        return "day" if self.day else "month" if self.month else "year"

    @property
    def text(self) -> str:
        """ISO 8601 at its own precision: ``2021``, ``2021-04`` or ``2021-04-30``."""
        parts = (f"{self.year:04d}", *(f"{part:02d}" for part in (self.month, self.day) if part))
        return "-".join(parts)

    @classmethod
    def parse(cls, text: str) -> "PartialDate":
        """The date of an ISO 8601 text at any of the three precisions; ValueError for others."""
        parts = text.strip().split("-")
        if len(parts) > 3 or not all(part.isascii() and part.isdigit() for part in parts):
            raise ValueError("a date is YYYY, YYYY-MM or YYYY-MM-DD")
        return cls(*map(int, parts))

    def agrees_with(self, other: "PartialDate") -> bool:
        """Whether the two can be the same day, as far as both are stated."""
        mine, theirs = ((date.year, date.month, date.day) for date in (self, other))
        return all(a == b or not a or not b for a, b in zip(mine, theirs, strict=True))


@dataclass(frozen=True, slots=True)
class Period:
    """From when to when. ``current`` says that it goes on; an unstated end is just None."""

    start: PartialDate | None = None
    end: PartialDate | None = None
    current: bool = False

    def months(self, today: PartialDate) -> tuple[int, int] | None:
        """First month and the one after the last, counted from year 0; None if not stated.

        A bare year is taken so that the period is the shortest that it can be, but for
        a period within that one year, which counts as one month.
        """
        end = today if self.current else self.end
        if self.start is None or end is None:
            return None
        first = self.start.year * 12 + (self.start.month or 12) - 1
        last = end.year * 12 + (end.month or 1) - 1
        return first, max(last, first) + 1

    def doubts(self, today: PartialDate) -> tuple[DateDoubt, ...]:
        """What makes the dates implausible; to be shown to the person, not repaired."""
        stated = [date for date in (self.start, self.end) if date]
        found: list[DateDoubt] = []
        if self.start and self.end and self.end < self.start and not _same(self.start, self.end):
            found.append("end_before_start")
        if any(date > today and not _same(date, today) for date in stated):
            found.append("in_the_future")
        if any(date.year < _OLDEST_YEAR for date in stated):
            found.append("too_long_ago")
        return tuple(found)


def _same(one: PartialDate, other: PartialDate) -> bool:
    return one.agrees_with(other)


@dataclass(frozen=True, slots=True)
class Position:
    """Paid or unpaid work: ``bullets`` are the person's own sentences, in their order."""

    employer: str
    title: str
    period: Period = Period()
    location: str = ""
    bullets: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()

    @property
    def entry_id(self) -> str:
        """The same for as long as employer, title and start stay: an end may be added."""
        return entry_id("position", self.employer, self.title, _start(self.period))


@dataclass(frozen=True, slots=True)
class Study:
    """A course of study. ``degree`` and ``area`` in the person's words; "" if not stated."""

    institution: str
    degree: str = ""
    area: str = ""
    period: Period = Period()
    score: str = ""
    bullets: tuple[str, ...] = ()

    @property
    def entry_id(self) -> str:
        return entry_id("study", self.institution, self.degree, self.area)


@dataclass(frozen=True, slots=True)
class Project:
    """Work of one's own beside or within a position."""

    name: str
    role: str = ""
    period: Period = Period()
    bullets: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    url: str = ""

    @property
    def entry_id(self) -> str:
        return entry_id("project", self.name, self.role)


@dataclass(frozen=True, slots=True)
class Credential:
    """A certificate or licence."""

    name: str
    issuer: str = ""
    date: PartialDate | None = None

    @property
    def entry_id(self) -> str:
        return entry_id("credential", self.name, self.issuer)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill in the person's words; ``level`` and ``group`` as stated, "" if not."""

    name: str
    level: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Language:
    """A human language and how well, in the person's words."""

    name: str
    level: str = ""


@dataclass(frozen=True, slots=True)
class Contact:
    """How to reach the person. Links are URLs."""

    email: str = ""
    phone: str = ""
    location: str = ""
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """All that a person has accepted about themselves, newest entries first as they gave it."""

    name: str
    headline: str = ""
    contact: Contact = Contact()
    summary: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()
    studies: tuple[Study, ...] = ()
    projects: tuple[Project, ...] = ()
    credentials: tuple[Credential, ...] = ()
    skills: tuple[Skill, ...] = ()
    languages: tuple[Language, ...] = ()
    awards: tuple[str, ...] = ()
    publications: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of the person. ``id`` follows from its content and its entry alone.

    ``entry`` is the ``entry_id`` of the position, study, project or credential that it
    belongs to, "" for the person as a whole. ``within`` is the id of the fact whose text
    holds a number. ``detail`` is what was stated beside: a level, an issuer, a score.
    """

    id: str = field(init=False)
    kind: FactKind
    text: str
    entry: str = ""
    within: str = ""
    detail: str = ""

    def __post_init__(self) -> None:
        content = [self.kind, " ".join(self.text.split()), self.entry, self.within]
        object.__setattr__(self, "id", f"fact_{digest(content)[:20]}")


def entry_id(kind: str, *parts: str) -> str:
    """A stable id from what names an entry; white space and case make no difference."""
    return f"entry_{digest([kind, *_plain(parts)])[:20]}"


def _plain(parts: Iterable[str]) -> list[str]:
    return [" ".join(part.casefold().split()) for part in parts]


def _start(period: Period) -> str:
    return period.start.text if period.start else ""
