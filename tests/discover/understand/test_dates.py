"""Dates keep their zone and are never a day ahead by mistake (P110, P112)."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from jobsteward.discover.understand.dates import read_date

NOON = datetime(2026, 4, 21, 16, 30, tzinfo=UTC)
ZONES = ["Pacific/Auckland", "Europe/Berlin", "America/New_York", "America/Los_Angeles"]


def test_a_source_without_a_zone_is_never_in_the_future() -> None:
    """P112: midnight of the 22nd in Seoul is still the 21st elsewhere."""
    read = read_date("2026-04-22T00:00:00", now=NOON)
    assert read is not None
    assert (read.day, read.moment) == ("2026-04-21", None)


def test_the_zone_of_the_source_gives_the_moment() -> None:
    read = read_date("2026-04-22T00:00:00", now=NOON, zone=ZoneInfo("Asia/Seoul"))
    assert read is not None
    assert read.day == "2026-04-22"
    assert read.moment is not None
    assert read.moment.startswith("2026-04-21T15:00:00")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("clock", ["01:30", "23:30"])
def test_today_is_the_readers_own_day(zone: str, clock: str) -> None:
    """P110."""
    now = datetime.fromisoformat(f"2026-08-15T{clock}:00+00:00").astimezone(ZoneInfo(zone))
    for text in ("today", now.date().isoformat()):
        read = read_date(text, now=now)
        assert read is not None
        assert read.day == now.date().isoformat()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Posted 3 days ago", "2026-04-18"), ("Posted Yesterday", "2026-04-20"),
        ("vor 2 Wochen", "2026-04-07"), ("il y a 5 jours", "2026-04-16"),
        ("hace 1 mes", "2026-03-22"), ("5 hours ago", "2026-04-21"),
        ("March 3, 2026", "2026-03-03"), ("3 février 2026", "2026-02-03"),
        ("03.04.2026", "2026-04-03"), ("13/02/2026", "2026-02-13"), ("02/13/2026", "2026-02-13"),
        ("2026-04-01T10:00:00+02:00", "2026-04-01"),
    ],
)  # fmt: skip
def test_forms_of_a_date(text: str, day: str) -> None:
    read = read_date(text, now=NOON)
    assert read is not None
    assert read.day == day


def test_an_open_age_says_so() -> None:
    read = read_date("Posted 30+ Days Ago", now=NOON)
    assert read is not None
    assert (read.day, read.at_least) == ("2026-03-22", True)


@pytest.mark.parametrize("text", ["", "soon", "03/04/2026", "99/99/2026", None, "2026-13-45"])
def test_what_cannot_be_told_is_none(text: str | None) -> None:
    now = NOON.astimezone(timezone(timedelta(hours=2)))
    assert read_date(text, now=now) is None
