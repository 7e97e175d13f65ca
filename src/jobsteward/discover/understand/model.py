"""What reading a posting yields: values, each with the span or field that states it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from jobsteward.discover.model import PayPeriod, Remote
from jobsteward.discover.understand.atlas.regions import MEMBERS
from jobsteward.discover.understand.evidence import Span

Workplace = Literal["remote", "hybrid", "onsite"]
Seniority = Literal[
    "intern",
    "entry",
    "mid",
    "senior",
    "lead",
    "staff",
    "principal",
    "manager",
    "director",
    "executive",
]
EmploymentType = Literal[
    "full_time",
    "part_time",
    "contract",
    "temporary",
    "internship",
    "apprenticeship",
    "volunteer",
]
Need = Literal["must", "nice", "unknown"]


@dataclass(frozen=True, slots=True)
class Place:
    """One place that a posting names, as narrow as it names it.

    ``country`` is ISO 3166-1 alpha-2, ``division`` ISO 3166-2; ``region`` a key of
    ``MEMBERS`` (``emea``, ``latam`` …). ``remote`` says that the same words offer remote work.
    """

    span: Span
    country: str | None = None
    division: str | None = None
    city: str | None = None
    metro: str | None = None
    region: str | None = None
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """Every place of a posting. Empty means unknown, never "anywhere" (P007).

    ``worldwide`` is the span that leaves no country out, where there is one. ``excluded``
    are places that the posting rules out. ``zones`` are IANA zones and ``UTC+01:00`` forms.
    ``unread`` are location texts that name something which is not known here.
    """

    places: tuple[Place, ...] = ()
    worldwide: Span | None = None
    zones: tuple[str, ...] = ()
    excluded: tuple[Place, ...] = ()
    unread: tuple[Span, ...] = ()

    @property
    def countries(self) -> tuple[str, ...]:
        return _distinct(place.country for place in self.places)

    @property
    def divisions(self) -> tuple[str, ...]:
        return _distinct(place.division for place in self.places)

    @property
    def cities(self) -> tuple[str, ...]:
        return _distinct(place.city for place in self.places)

    @property
    def metros(self) -> tuple[str, ...]:
        return _distinct(place.metro for place in self.places)

    @property
    def regions(self) -> tuple[str, ...]:
        return _distinct(place.region for place in self.places)

    @property
    def known(self) -> bool:
        """Whether anything says where the job is."""
        return bool(self.places or self.worldwide)

    def admits(self, country: str) -> Remote:
        """Whether a country (alpha-2) is among the places: yes, no, or unknown."""
        if any(place.country == country and not place.division for place in self.excluded):
            return "no"
        if any(country in MEMBERS.get(place.region or "", ()) for place in self.excluded):
            return "no"
        if self.worldwide or country in self.countries:
            return "yes"
        if any(country in MEMBERS[region] for region in self.regions):
            return "yes"
        return "no" if self.places else "unknown"


@dataclass(frozen=True, slots=True)
class RemoteReading:
    """Whether the work can be done away from an office, and everything stated about it.

    ``workplaces`` may hold several: a posting can offer remote or office. ``value`` is yes
    where remote is offered, no where only an office or a hybrid is, else unknown (P011).
    ``scope`` says from where remote work is done; an empty one is unknown.
    """

    value: Remote = "unknown"
    workplaces: tuple[Workplace, ...] = ()
    scope: Places = Places()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class PayReading:
    """One stated pay: bounds in order, an open end None; the currency ISO 4217 or "".

    ``swapped`` says that the source had the bounds the wrong way round (P013).
    ``on_target`` says that the figures hold commission. ``span.field`` is ``pay.N`` for a
    structured field, else the text that states it (P017).
    """

    minimum: float | None
    maximum: float | None
    currency: str
    period: PayPeriod
    span: Span
    swapped: bool = False
    on_target: bool = False


@dataclass(frozen=True, slots=True)
class TitleReading:
    """What a title says. ``function`` is a key of ``FUNCTIONS``, ``discipline`` of its parts.

    ``names`` are the title's versions where it is in two languages. ``term`` is the season
    and year of an internship as ``summer-2027``.
    """

    function: str | None = None
    discipline: str | None = None
    seniority: Seniority | None = None
    employment_type: EmploymentType | None = None
    internship: bool = False
    term: str | None = None
    names: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date as stated: ``moment`` RFC 3339 in UTC where the zone is known, else None.

    ``day`` is the calendar date as the source writes it. ``at_least`` says that the source
    gives an age without an upper bound ("30+ days ago"), so the day is the latest possible.
    """

    day: str
    moment: str | None
    span: Span
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement as the posting words it; ``years`` the least experience it asks for."""

    text: str
    need: Need
    span: Span
    years: float | None = None
    years_most: float | None = None


@dataclass(frozen=True, slots=True)
class Requirements:
    """All requirements, the least years of experience asked for, and what is said beside."""

    items: tuple[Requirement, ...] = ()
    years: float | None = None
    years_most: float | None = None
    years_span: Span | None = None

    @property
    def must(self) -> tuple[Requirement, ...]:
        return tuple(item for item in self.items if item.need == "must")

    @property
    def nice(self) -> tuple[Requirement, ...]:
        return tuple(item for item in self.items if item.need == "nice")


@dataclass(frozen=True, slots=True)
class LanguageReading:
    """The text's language (ISO 639-1), None where the words do not decide."""

    language: str | None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenFlag:
    """Something in a posting that a reader would not see or that speaks to a machine."""

    code: Literal["invisible_characters", "hidden_markup", "machine_instruction", "thin_text"]
    span: Span


@dataclass(frozen=True, slots=True)
class Understanding:
    """All that one posting says, read without a model and the same on every run."""

    title: TitleReading
    places: Places
    remote: RemoteReading
    pay: tuple[PayReading, ...]
    posted: DateReading | None
    requirements: Requirements
    language: LanguageReading
    flags: tuple[HiddenFlag, ...]


def _distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
