"""When schedules are due: zones, changes of clocks, and what was missed."""

from datetime import UTC, datetime, timedelta

import pytest

from jobsteward.kernel.errors import InvalidInputError
from jobsteward.runs.timing import Timing, check_timing, next_after

BERLIN = "Europe/Berlin"


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-01-10T06:00", "2026-01-10T06:30"),
        ("2026-01-10T06:30", "2026-01-11T06:30"),
        ("2026-03-28T12:00", "2026-03-29T05:30"),
        ("2026-10-24T12:00", "2026-10-25T06:30"),
    ],
)
def test_a_time_of_day_follows_its_zone(now: str, expected: str) -> None:
    """07:30 in Berlin is 06:30 or 05:30 in UTC."""
    timing = Timing(at=("07:30",), zone=BERLIN)
    assert next_after(timing, utc(now), utc(now)) == utc(expected)


def test_a_time_in_the_gap_comes_just_after_it() -> None:
    """02:30 on the day on which clocks go from 02:00 to 03:00."""
    timing = Timing(at=("02:30",), zone=BERLIN)
    assert next_after(timing, utc("2026-03-28T12:00"), utc("2026-03-28T12:00")) == utc(
        "2026-03-29T01:30"
    )


def test_a_repeated_time_comes_once() -> None:
    """02:30 comes twice on the day on which clocks go back."""
    timing = Timing(at=("02:30",), zone=BERLIN)
    first = next_after(timing, utc("2026-10-24T12:00"), utc("2026-10-24T12:00"))
    assert first == utc("2026-10-25T00:30")
    assert next_after(timing, first, first) == utc("2026-10-26T01:30")


def test_days_are_those_of_the_zone() -> None:
    """Monday 00:30 in Tokyo is still Sunday in UTC."""
    timing = Timing(at=("00:30",), days=("mon",), zone="Asia/Tokyo")
    assert next_after(timing, utc("2026-06-01T00:00"), utc("2026-06-01T00:00")) == utc(
        "2026-06-07T15:30"
    )


def test_an_interval_keeps_its_beat_whatever_was_missed() -> None:
    timing = Timing(every_minutes=60)
    due = utc("2026-06-01T10:00")
    assert next_after(timing, due, due) == utc("2026-06-01T11:00")
    assert next_after(timing, due, due + timedelta(days=3, minutes=20)) == utc("2026-06-04T11:00")


@pytest.mark.parametrize(
    ("timing", "field"),
    [
        (Timing(), "at"),
        (Timing(at=("07:30",), every_minutes=60), "at"),
        (Timing(at=("25:00",)), "at"),
        (Timing(at=("noon",)), "at"),
        (Timing(at=("07:30",), days=("someday",)), "days"),
        (Timing(at=("07:30",), zone="Europe/Atlantis"), "zone"),
        (Timing(at=("07:30",), zone="../../etc/passwd"), "zone"),
        (Timing(every_minutes=1), "every_minutes"),
    ],
)
def test_a_timing_that_is_none_is_refused_by_field(timing: Timing, field: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        check_timing(timing)
    assert list(caught.value.fields) == [field]
