"""Invented companies and their openings; no name, text or figure belongs to a real one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

FIRST_DAY = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
_PLACES = ("Port Alder", "Lindenau", "Saint Wren", "Kestrel Bay", "Remote, Europe")
_CRAFTS = ("Backend", "Platform", "Data", "Frontend", "Reliability", "Firmware", "Payments")
_LEVELS = ("Junior", "", "Senior", "Staff")
_DEPARTMENTS = ("Engineering", "Data", "Operations")


@dataclass(frozen=True, slots=True)
class Opening:
    """One opening, in no provider's shape. ``pay`` is (minimum, maximum, currency) a year."""

    number: int
    title: str
    places: tuple[str, ...]
    workplace: str
    department: str
    text: str
    pay: tuple[int, int, str] | None = None
    employment: str = "Full-time"

    @property
    def posted_at(self) -> datetime:
        """When it was first published: one hour after the opening before it."""
        return FIRST_DAY + timedelta(hours=self.number)


@dataclass(frozen=True, slots=True)
class Company:
    """An employer and all that it has open."""

    token: str
    name: str
    openings: tuple[Opening, ...]


def harbour() -> Company:
    """A harbour-logistics firm, three openings."""
    return Company(
        "harbourlight",
        "Harbourlight Logistics",
        (
            Opening(
                1,
                "Senior Backend Engineer",
                ("Port Alder", "Remote, Europe"),
                "Remote",
                "Engineering",
                "<p>You keep the berth planner honest: Python services that tell ninety ships"
                " where to go, and say so again when the wind turns.</p>"
                "<ul><li>Five years with services that other people rely on</li>"
                "<li>PostgreSQL beyond the tutorial</li></ul>",
                (78_000, 96_000, "EUR"),
            ),
            Opening(
                2,
                "Data Analyst, Tides and Traffic",
                ("Port Alder",),
                "Hybrid",
                "Data",
                "<p>Turn eleven years of arrivals into forecasts that dispatchers trust.</p>",
                (52_000, 61_000, "EUR"),
            ),
            Opening(
                3,
                "Night Dispatcher",
                ("Kestrel Bay",),
                "On-site",
                "Operations",
                "<p>Four nights a week at the radio desk; we teach you the rest.</p>",
            ),
        ),
    )


def fernweh() -> Company:
    """A travel-rail firm, two openings."""
    return Company(
        "fernwehrail",
        "Fernweh Rail",
        (
            Opening(
                11,
                "Platform Engineer",
                ("Lindenau",),
                "Hybrid",
                "Engineering",
                "<p>Build the paved road on which twelve teams ship timetables.</p>",
                (70_000, 88_000, "EUR"),
            ),
            Opening(
                12,
                "Product Designer, Accessibility",
                ("Lindenau", "Saint Wren"),
                "Remote",
                "Design",
                "<p>Make a night train bookable in four taps and by ear alone.</p>",
            ),
        ),
    )


def quillbank() -> Company:
    """A bank for authors, two openings."""
    return Company(
        "quillbank",
        "Quill Bank",
        (
            Opening(
                21,
                "Staff Engineer, Ledger",
                ("Saint Wren",),
                "On-site",
                "Engineering",
                "<p>Own the double-entry core. Nothing may be lost, nothing counted twice.</p>",
                (120_000, 150_000, "USD"),
            ),
            Opening(
                22,
                "Support Specialist",
                ("Remote, Europe",),
                "Remote",
                "Support",
                "<p>Explain royalties to people who would rather be writing.</p>",
                (38_000, 44_000, "USD"),
                "Part-time",
            ),
        ),
    )


def moorland() -> Company:
    """A weather-station maker, one opening."""
    return Company(
        "moorlandsensors",
        "Moorland Sensors",
        (
            Opening(
                31,
                "Firmware Engineer",
                ("Kestrel Bay",),
                "Hybrid",
                "Engineering",
                "<p>Weather stations that survive ten winters on one battery.</p>",
                (58_000, 69_000, "GBP"),
            ),
        ),
    )


def crowd(token: str, count: int) -> Company:
    """A company with ``count`` openings, the same ones at every call."""
    return Company(token, token.title(), tuple(_numbered(count)))


def _numbered(count: int) -> Iterator[Opening]:
    for number in range(1, count + 1):
        craft, level = _CRAFTS[number % 7], _LEVELS[number % 4]
        low = 45_000 + number % 50 * 1_000
        yield Opening(
            number,
            f"{level} {craft} Engineer {number}".strip(),
            (_PLACES[number % 5],),
            ("Remote", "Hybrid", "On-site")[number % 3],
            _DEPARTMENTS[number % 3],
            f"<h2>The work</h2><p>Opening {number}: {craft.lower()} work in a small team.</p>"
            + "<p>We plan in the open, write things down and leave on time.</p>" * 12,
            (low, low + 15_000, "EUR") if number % 2 else None,
        )
