"""Pay out of schema.org's baseSalary: one figure, a range, or words, with the unit anywhere."""

import re
from collections.abc import Iterator
from typing import Any

from jobsteward.discover.markup_text import field, first_words
from jobsteward.discover.model import Pay, PayPeriod
from jobsteward.discover.payload import Item, pay_range
from jobsteward.discover.stated import figure, stated_pay

_MAX_RANGES = 50
_PERIODS: dict[str, PayPeriod] = {
    **dict.fromkeys(("hour", "hours", "hourly", "perhour", "hur", "hr", "h"), "hour"),
    **dict.fromkeys(("day", "days", "daily", "perday", "d"), "day"),
    **dict.fromkeys(("week", "weeks", "weekly", "perweek", "wee", "w"), "week"),
    **dict.fromkeys(("month", "months", "monthly", "permonth", "mon", "m"), "month"),
    **dict.fromkeys(
        ("year", "years", "yearly", "peryear", "annual", "annually", "annum", "perannum", "ann",
         "pa", "y", "a"), "year"),
}  # fmt: skip
_SIGNS = {"€": "EUR", "£": "GBP", "₹": "INR", "US$": "USD", "C$": "CAD", "A$": "AUD"}
_RANGE = re.compile(
    r"\s*(\S[^-\u2013\u2014]{0,30}?)\s*(?:[-\u2013\u2014]|\bto\b)\s*(\S.{0,30}?)\s*"
)


def base_salary(node: Item) -> tuple[Pay, ...]:
    """Every base salary of the posting, each once; estimates and benefits are none.

    The unit may stand on the amount or on the object around it (P016), the currency also
    on the posting. A missing bound stays open, a missing unit unknown.
    """
    stated = field(node, "baseSalary")
    every = stated if isinstance(stated, list) else [stated]
    currency = first_words(field(node, "salaryCurrency"))
    found = [pay for entry in every[:_MAX_RANGES] for pay in _ranges(entry, currency)]
    return tuple(dict.fromkeys(found))


def _ranges(amount: Any, currency: str | None) -> Iterator[Pay]:
    if not isinstance(amount, dict):
        yield from _pay({"value": amount}, currency, None)
        return
    stated = first_words(field(amount, "currency")) or first_words(field(amount, "priceCurrency"))
    unit = _unit(amount)
    values = field(amount, "value")
    for value in (values if isinstance(values, list) else [values])[:_MAX_RANGES]:
        inner = value if isinstance(value, dict) else {**amount, "value": value}
        own = first_words(field(inner, "currency")) or stated or currency
        yield from _pay(inner, own, _unit(inner) or unit)


def _unit(node: Item) -> PayPeriod | None:
    for name in ("unitText", "unitCode", "duration"):
        word = re.sub(r"[^a-z]", "", (first_words(field(node, name)) or "").lower())
        if word in _PERIODS:
            return _PERIODS[word]
    return None


def _pay(node: Item, currency: str | None, unit: PayPeriod | None) -> Iterator[Pay]:
    code = _SIGNS.get(currency or "", currency)
    low = figure(_scalar(node, "minValue") or _scalar(node, "minPrice"))
    high = figure(_scalar(node, "maxValue") or _scalar(node, "maxPrice"))
    if not low and not high:
        value = _scalar(node, "value") or _scalar(node, "price")
        low = high = figure(value)
        if low is None and isinstance(value, str):
            yield from _in_words(value, code, unit)
            return
    pay = pay_range(low, high, code, unit or "unknown")
    if pay:
        yield pay


def _scalar(node: Item, name: str) -> Any:
    value = field(node, name)
    if isinstance(value, dict):
        value = field(value, "@value")
    return value[0] if isinstance(value, list) and value else value


def _in_words(text: str, currency: str | None, unit: PayPeriod | None) -> Iterator[Pay]:
    bounds = _RANGE.fullmatch(text[:100])
    low, high = (figure(bounds.group(1)), figure(bounds.group(2))) if bounds else (None, None)
    if low is not None and high is not None:
        pay = pay_range(low, high, currency, unit or "unknown")
        if pay:
            yield pay
        return
    for read in stated_pay(text):
        period = unit or read.period
        yield Pay(read.minimum, read.maximum, read.currency or currency or "", period, read.swapped)
