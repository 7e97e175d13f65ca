"""When a schedule is due: at times of day in a time zone, or every so many minutes. Pure."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from jobsteward.kernel.errors import InvalidInputError

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
LEAST_MINUTES = 15
_DAYS_LOOKED_AT = 10
"""From yesterday on, so that each weekday comes at least once, in every zone."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Either ``at`` times of day (``HH:MM``) on ``days`` (empty: all), or ``every_minutes``.

    ``zone`` is an IANA name. A time that a change of clocks leaves out comes just after the
    gap; one that it repeats comes once, the first time.
    """

    at: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    zone: str = "UTC"
    every_minutes: int | None = None


def check_timing(timing: Timing) -> Timing:
    """The timing itself. Raises InvalidInputError, naming the field, where it is none."""
    if bool(timing.at) == (timing.every_minutes is not None):
        raise _wrong("at", "times of day, or every_minutes, but not both")
    if timing.every_minutes is not None and timing.every_minutes < LEAST_MINUTES:
        raise _wrong("every_minutes", f"at least {LEAST_MINUTES}")
    if not set(timing.days) <= set(DAYS):
        raise _wrong("days", f"some of {', '.join(DAYS)}")
    for text in timing.at:
        _time_of_day(text)
    zone_of(timing)
    return timing


def zone_of(timing: Timing) -> ZoneInfo:
    """The timing's zone. Raises InvalidInputError for a name that no zone has."""
    try:
        return ZoneInfo(timing.zone)
    except (KeyError, ValueError, OSError):
        raise _wrong("zone", "a time zone such as Europe/Berlin") from None


def next_after(timing: Timing, due: datetime, now: datetime) -> datetime:
    """The first due instant after ``now``, in UTC, whatever was missed in between.

    ``due`` is the one before it, or when the schedule was made; it anchors ``every_minutes``.
    """
    if timing.every_minutes is not None:
        every = timedelta(minutes=timing.every_minutes)
        missed = max(0, (now - due) // every)
        return due + every * (missed + 1)
    zone = zone_of(timing)
    first = now.astimezone(zone).date() - timedelta(days=1)
    found = [
        moment
        for offset in range(_DAYS_LOOKED_AT)
        for moment in _moments(timing, first + timedelta(days=offset), zone)
    ]
    return min(moment for moment in found if moment > now)


def _moments(timing: Timing, day: date, zone: ZoneInfo) -> list[datetime]:
    if timing.days and DAYS[day.weekday()] not in timing.days:
        return []
    times = [_time_of_day(text) for text in timing.at]
    return [datetime.combine(day, item, zone).astimezone(UTC) for item in times]


def _time_of_day(text: str) -> time:
    try:
        return datetime.strptime(text, "%H:%M").time()
    except ValueError:
        raise _wrong("at", "times of day such as 07:30") from None


def _wrong(field: str, wanted: str) -> InvalidInputError:
    return InvalidInputError("this schedule's timing does not fit", {field: wanted})
