"""What a posting pays: structured figures first, then what its title and text state."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from jobsteward.discover.model import Pay, PayPeriod
from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.model import PayReading
from jobsteward.discover.understand.money import Amount, amount, amount_pattern
from jobsteward.discover.understand.pay_words import (
    is_on_target,
    is_other_money,
    is_pay,
    open_end,
    period_of,
)

_TO = (
    r"(?P<to>-{1,2}|~|\u301c|\u304b\u3089|\bto up to\b|\bthrough\b|\bto\b"
    r"|\bbis(?: zu)?\b|\ba\b|\bhasta\b"
    r"|\bate\b|\bdo\b|\btot\b|\bund\b|\band\b|\bet\b|\ben\b|\by\b|\be\b)"
)
_AND = frozenset({"und", "and", "et", "en", "y", "e"})
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|tussen|mellan)\W{0,3}$")
_UNIT = r"(?:\s?(?:/|per |an? |p\.?)\s?(?:hr|hour|year|yr|annum|month|mo|week|day|h)\b)?"
_RANGE = re.compile(amount_pattern(1) + _UNIT + rf"\s?{_TO}\s?" + amount_pattern(2))
_SINGLE = re.compile(amount_pattern(1))
_CLAUSE = re.compile(r"[;\u2022\n!?|]|\.(?=\s|$)")
_OWN_DOLLAR = {"CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "US": "USD"}
_NAMED_DOLLAR = re.compile(r"\b(?:cad|aud|nzd|sgd|usd|hkd|mxn)\b")
_KRONA = {"SE": "SEK", "NO": "NOK", "DK": "DKK"}
_EURO = frozenset(
    [
        "AT",
        "BE",
        "CY",
        "DE",
        "EE",
        "ES",
        "FI",
        "FR",
        "GR",
        "HR",
        "IE",
        "IT",
        "LT",
        "LU",
        "LV",
        "MT",
        "NL",
        "PT",
        "SI",
        "SK",
    ]
)
_WIDEST = 10.0
_MATCHES = 200  # figures that are looked at in one text
_MOST = 200  # times the least that counts as a year's pay: more is no one's pay
_SHORT = 60  # characters of a text that is a pay statement by itself
_YEAR_FROM = {
    "JPY": 1.5e6,
    "INR": 2e5,
    "KRW": 1.5e7,
    "HUF": 3e6,
    "CZK": 4e5,
    "PLN": 6e4,
    "SEK": 2e5,
    "NOK": 2e5,
    "DKK": 2e5,
    "PHP": 3e5,
    "MXN": 1.5e5,
    "BRL": 5e4,
    "ILS": 1e5,
    "TWD": 4e5,
    "IDR": 8e7,
    "VND": 2e8,
    "COP": 3e7,
    "CLP": 1e7,
    "THB": 3e5,
    "ZAR": 1.2e5,
    "CNY": 1e5,
    "RUB": 8e5,
    "UAH": 5e5,
    "TRY": 5e5,
    "ARS": 5e6,
    "RON": 5e4,
    "BGN": 3e4,
}
_YEAR = 15_000.0


def read_pay(
    structured: Sequence[Pay],
    description: str | None = None,
    title: str = "",
    countries: Sequence[str] = (),
) -> tuple[PayReading, ...]:
    """Every stated pay, the one to use first; () where nothing is stated.

    Structured figures win over text where both exist (P017). Base pay comes before
    on-target earnings. Equity, stipends, bonuses, pensions, revenue and prices are no pay.
    ``countries`` settle a sign that several currencies share ("$" in Canada is CAD).
    """
    given = [_structured(at, pay) for at, pay in enumerate(structured)]
    if given:
        return tuple(given)
    read = [*pay_in("title", title, countries), *pay_in("description", description, countries)]
    return tuple(sorted(_merged(read), key=lambda pay: pay.on_target))


def pay_in(field: str, text: str | None, countries: Sequence[str] = ()) -> list[PayReading]:
    """The pay that one text states, in order; ranges before lone amounts."""
    if not text:
        return []
    folded = fold(text)
    ranges = [m for m in islice(_RANGE.finditer(folded), _MATCHES) if _joins(folded, m)]
    found = [_reading(field, text, folded, m, _bounds(folded, m), countries) for m in ranges]
    taken = [match.span() for match in ranges]
    for match in islice(_SINGLE.finditer(folded), _MATCHES):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            found.append(_reading(field, text, folded, match, _lone(folded, match), countries))
    return [reading for reading in found if reading]


def _joins(folded: str, match: re.Match[str]) -> bool:
    """Whether two amounts are the ends of one range: "and" joins them only after "between"."""
    return match["to"] not in _AND or bool(
        _BETWEEN.search(folded[max(0, match.start() - 15) : match.start()])
    )


def _structured(at: int, pay: Pay) -> PayReading:
    span = Span(f"pay.{at}", 0, 0, "")
    low, high, swapped = pay.minimum, pay.maximum, pay.swapped
    if low is not None and high is not None and low > high:
        low, high, swapped = high, low, True
    return PayReading(low, high, pay.currency, pay.period, span, swapped)


@dataclass(frozen=True, slots=True)
class _Bounds:
    low: float | None
    high: float | None
    currency: str
    scaled: bool
    lone: bool = False
    lakhs: bool = False


def _bounds(folded: str, match: re.Match[str]) -> _Bounds | None:
    one, two = amount(match, 1), amount(match, 2)
    one, two = _same_scale(one, two)
    currency = two.currency if len(two.currency) == 3 else one.currency or two.currency
    if not currency and _years(one, two):
        return None
    more = folded[match.end() : match.end() + 1] == "+"
    high = None if more and one.total == two.total else two.total
    return _Bounds(one.total, high, currency, max(one.scale, two.scale) > 1, lakhs=_lakhs(two))


def _years(one: Amount, two: Amount) -> bool:
    return 1950 <= one.total <= 2040 and 1950 <= two.total <= 2040


def _lakhs(value: Amount) -> bool:
    return value.scale in (1e5, 1e7)


def _same_scale(one: Amount, two: Amount) -> tuple[Amount, Amount]:
    """Both bounds in one scale: "$120-150k" and "120k-150" are both thousands (P015)."""
    if one.scale == 1 and two.scale > 1 and one.value < 1000:
        one = replace(one, scale=two.scale)
    elif two.scale == 1 and one.scale > 1 and two.value < 1000:
        two = replace(two, scale=one.scale)
    elif one.scale == 1 and two.scale == 1 and one.value < 500 and two.value >= 10_000:
        one = replace(one, scale=1000.0)  # "120 - 150,000"
    return one, two


def _lone(folded: str, match: re.Match[str]) -> _Bounds | None:
    value = amount(match, 1)
    end = open_end(folded, match.start(), match.end())
    lakhs = _lakhs(value)
    if not value.currency and not lakhs and not (value.scale > 1 and end == "minimum"):
        return None
    low = None if end == "maximum" else value.total
    high = None if end == "minimum" else value.total
    return _Bounds(low, high, value.currency, value.scale > 1, lone=True, lakhs=lakhs)


def _reading(
    field: str,
    text: str,
    folded: str,
    match: re.Match[str],
    bounds: _Bounds | None,
    countries: Sequence[str],
) -> PayReading | None:
    if bounds is None:
        return None
    start, end = match.span()
    before, after = _context(folded, start, end)
    period = "year" if bounds.lakhs else period_of(before, after, folded[start:end])
    currency = _settled(bounds.currency or "INR" * bounds.lakhs, countries, before)
    if not _accepted(bounds, before, after, period, currency, len(text) <= _SHORT):
        return None
    low, high = bounds.low, bounds.high
    swapped = low is not None and high is not None and low > high
    low, high = (high, low) if swapped else (low, high)
    sizes = [value for value in (low, high) if value]
    most = _MOST * _YEAR_FROM.get(currency, _YEAR)
    if not sizes or max(sizes) > min(_WIDEST * min(sizes), most):
        return None
    return PayReading(
        minimum=low,
        maximum=high,
        currency=currency,
        period=period or _by_size(max(sizes), currency),
        span=span_of(field, text, start, end),
        swapped=swapped,
        on_target=is_on_target(before, after),
    )


def _accepted(
    bounds: _Bounds, before: str, after: str, period: PayPeriod | None, currency: str, short: bool
) -> bool:
    """Whether the words around a figure make it pay, or the text is nothing else."""
    pay = is_pay(before, after)
    if is_other_money(before, after, pay):
        return False
    if not bounds.currency:
        sized = bounds.scaled or (bounds.low or 0) >= 1000
        return bounds.lakhs or (pay and sized) or (bounds.lone and short)
    size = bounds.high or bounds.low or 0.0
    yearly = _by_size(size, currency) == "year" and size < 2e6
    if pay or period or (short and (bounds.scaled or yearly or not bounds.lone)):
        return True
    return yearly and not bounds.lone


def _context(folded: str, start: int, end: int) -> tuple[str, str]:
    """The clause before a figure and the rest of the clause after it."""
    head, tail = folded[max(0, start - 160) : start], folded[end : end + 90]
    cuts = [match.end() for match in _CLAUSE.finditer(head)]
    stop = _CLAUSE.search(tail)
    return head[cuts[-1] :] if cuts else head, tail[: stop.start()] if stop else tail


def _settled(currency: str, countries: Sequence[str], before: str) -> str:
    own = set(countries)
    match currency:
        case "$" if named := _NAMED_DOLLAR.search(before[-40:]):
            return named[0].upper()
        case "$":
            dollars = {_OWN_DOLLAR[country] for country in own if country in _OWN_DOLLAR}
            return dollars.pop() if len(dollars) == 1 else "USD"
        case "kr":
            return next((_KRONA[country] for country in countries if country in _KRONA), "SEK")
        case "¥":
            return "CNY" if "CN" in own else "JPY"
        case "":
            german = re.search(r"\b(?:ab|gehalt|bis zu|brutto\w*)\b", before)
            return "EUR" if own & _EURO or (german and not own) else ""
        case _:
            return currency


def _by_size(size: float, currency: str) -> PayPeriod:
    """A year's pay by its size where no period is written; smaller figures stay unknown."""
    return "year" if size >= _YEAR_FROM.get(currency, _YEAR) else "unknown"


def _merged(read: Sequence[PayReading]) -> list[PayReading]:
    """Each figure once; a lone amount inside a range of the same text adds nothing."""
    kept: dict[tuple[object, ...], PayReading] = {}
    for pay in read:
        key = (pay.minimum, pay.maximum, pay.currency, pay.period)
        kept.setdefault(key, pay)
    return list(kept.values())
