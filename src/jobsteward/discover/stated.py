"""Figures and dates in the many forms in which feeds and pages state one and the same thing."""

import email.utils
import re
from datetime import UTC

from jobsteward.discover.model import Pay
from jobsteward.discover.payload import moment
from jobsteward.discover.understand.pay_text import read_pay
from jobsteward.kernel.clock import timestamp

_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_GROUPED = re.compile(r"(\d{1,3}(?:[ ,.'\u00a0\u202f]\d{3})+)(?:[.,]\d{1,2})?")
_DECIMAL_COMMA = re.compile(r"(\d{1,12}),(\d{1,2})$")
_THOUSANDS = re.compile(r"(\d{1,6}(?:\.\d{1,3})?) ?[kK]")
_SIGNS = " \u00a0$€£₹¥+"
_ZONE_WORD = re.compile(r" ?(?:UTC|GMT|Z)$")
_SECONDS_END = 100_000_000_000
"""Numbers below count seconds since 1970 (until the year 5138), others milliseconds."""


def figure(value: object) -> float | None:
    """One amount: a number, or text that holds nothing else; None where it is neither."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e12 else None
    if not isinstance(value, str) or len(value) > 40:
        return None
    text = value.strip(_SIGNS)
    if grouped := _GROUPED.fullmatch(text):
        return float(re.sub(r"\D", "", grouped.group(1)))
    if thousands := _THOUSANDS.fullmatch(text):
        return float(thousands.group(1)) * 1000
    text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return float(text) if _PLAIN.fullmatch(text) else None


def stated_pay(text: str | None) -> tuple[Pay, ...]:
    """The ranges that a field made for the salary states in words; () for "competitive"."""
    if not text:
        return ()
    return tuple(
        Pay(read.minimum, read.maximum, read.currency, read.period, read.swapped)
        for read in read_pay((), f"Salary: {text[:300]}")
    )


def stated_moment(value: object) -> str | None:
    """A date-time as `moment` gives it, also from feed dates and seconds since 1970.

    Takes "2026-10-20 20:28:32 UTC" and "Tue, 20 Oct 2026 20:28:32 +0000" besides ISO
    8601. A time without a zone stays as given (P112).
    """
    if type(value) is int:
        return moment(value * 1000 if abs(value) < _SECONDS_END else value)
    if not isinstance(value, str):
        return None
    text = value.strip()[:64]
    if text.isascii() and text.isdigit() and 9 <= len(text) <= 13:
        return stated_moment(int(text))
    return moment(text) or moment(_ZONE_WORD.sub("+00:00", text)) or _mail_date(text)


def _mail_date(text: str) -> str | None:
    try:
        given = email.utils.parsedate_to_datetime(text)
        # A date-time without a zone is one in UTC of a mail that hides where it was sent.
        return timestamp(given if given.tzinfo else given.replace(tzinfo=UTC))
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
