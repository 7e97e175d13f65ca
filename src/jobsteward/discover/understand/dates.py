"""When a posting was made, in the zone of its source, never a day ahead by mistake."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo

from jobsteward.discover.understand.evidence import Span, fold, whole
from jobsteward.discover.understand.model import DateReading
from jobsteward.kernel.clock import timestamp

_AGO = re.compile(
    r"(?:posted |publie |vor |hace |il y a )?(?P<count>\d+|an?|one|einem|una?"
    r"|un)(?P<more>\+)?\s?"
    r"(?P<unit>minutes?|min|hours?|hrs?|h|stunden?|days?|d|tage?n?|jours?|dias?"
    r"|weeks?|w|wochen?"
    r"|semaines?|semanas?|months?|mo|monate?n?|mois|mes(?:es)?)\b"
)
_NEAR = {
    "today": 0,
    "just now": 0,
    "just posted": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "hoy": 0,
    "yesterday": 1,
    "gestern": 1,
    "hier": 1,
    "ayer": 1,
}
_DAY_FIRST = re.compile(r"(\d{1,2})[./](\d{1,2})[./](20\d\d)")
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan janvier januar enero",
            "february feb fevrier februar febrero",
            "march mar mars marz maerz marzo",
            "april apr avril abril",
            "may mai mayo",
            "june jun juin juni junio",
            "july jul juillet juli julio",
            "august aug aout agosto",
            "september sep sept septembre septiembre",
            "october oct octobre oktober okt octubre",
            "november nov novembre noviembre",
            "december dec decembre dezember dez diciembre",
        ),
        start=1,
    )
    for name in names.split()
}
_NAMED = re.compile(
    r"(?P<day>\d{1,2})\.?(?:st|nd|rd|th)?\s+(?P<month>[a-z]+)\.?,?\s+(?P<year>20\d\d)"
    r"|(?P<month2>[a-z]+)\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year2>20\d\d)"
)


def read_date(
    text: str | None, *, now: datetime, zone: tzinfo | None = None, field: str = "posted_at"
) -> DateReading | None:
    """The date that a source gives, as stated; None where it gives none that can be read.

    ``now`` has a zone. A time without a zone is in the source's ``zone`` where that is
    known; else only its date is kept, and a date after today anywhere on Earth is none
    (P110, P112). "30+ days ago" sets ``at_least``.
    """
    if not text or not text.strip():
        return None
    span = whole(field, text)
    return _iso(text.strip(), now, zone, span) or _relative(text, now, span) or _named(text, span)


def _iso(text: str, now: datetime, zone: tzinfo | None, span: Span) -> DateReading | None:
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return _known(date.fromisoformat(text), now, span)
        given = datetime.fromisoformat(text)
    except ValueError:
        return None
    if given.tzinfo is None and zone is None:
        return _known(given.date(), now, span)
    given = given if given.tzinfo else given.replace(tzinfo=zone)
    return DateReading(given.date().isoformat(), timestamp(given.astimezone(UTC)), span)


def _known(day: date, now: datetime, span: Span) -> DateReading:
    """The date without a moment; today's where a zone ahead of ours makes it tomorrow."""
    ahead = (now.astimezone(UTC) + timedelta(hours=14)).date()
    today = now.date()
    return DateReading((today if today < day <= ahead else day).isoformat(), None, span)


def _relative(text: str, now: datetime, span: Span) -> DateReading | None:
    folded = fold(text)
    for word, days in _NEAR.items():
        if re.search(rf"\b{word}\b", folded):
            return DateReading((now.date() - timedelta(days)).isoformat(), None, span)
    match = _AGO.search(folded)
    if not match:
        return None
    count = int(match["count"]) if match["count"].isdigit() else 1
    days = count * _days(match["unit"])
    if days > 36_500:
        return None
    return DateReading(
        (now.date() - timedelta(days)).isoformat(), None, span, match["more"] is not None
    )


def _days(unit: str) -> int:
    if unit in {"h", "min"} or unit.startswith(("min", "hour", "hr", "stunde")):
        return 0
    if unit.startswith(("mo", "mes", "mois")):
        return 30
    return 7 if unit.startswith(("w", "sem")) else 1


def _named(text: str, span: Span) -> DateReading | None:
    folded = fold(text)
    match = _NAMED.search(folded)
    parts = (0, 0, 0)
    if match:
        month = _MONTHS.get(match["month"] or match["month2"] or "", 0)
        parts = (int(match["year"] or match["year2"]), month, int(match["day"] or match["day2"]))
    elif plain := _DAY_FIRST.search(folded):
        first, second, year = (int(part) for part in plain.groups())
        if "/" in plain[0] and first <= 12 and second <= 12 and first != second:
            return None  # 03/04 is March in one country and April in another
        parts = (year, second, first) if second <= 12 else (year, first, second)
    try:
        return DateReading(date(*parts).isoformat(), None, span)
    except ValueError:
        return None
