"""Whether a posting's stated pay reaches the least that a person asks for."""

from jobsteward.discover.model import PayPeriod, Posting, Remote
from jobsteward.discover.preferences import LeastPay
from jobsteward.discover.understand.evidence import Span
from jobsteward.discover.understand.model import PayReading
from jobsteward.discover.understand.pay_text import read_pay
from jobsteward.discover.understand.places import read_places

_IN_A_YEAR: dict[str, float] = {"year": 1, "month": 12, "week": 52, "day": 260, "hour": 2080}
"""A full year's work: 52 weeks of five days of eight hours."""


def pay_answer(least: LeastPay, posting: Posting) -> tuple[Remote, tuple[Span, ...]]:
    """Yes where some stated pay can reach the least, no where none can, unknown otherwise.

    An open upper end reaches anything. Another currency or an unstated period is never
    converted by guess; $45 an hour is 93,600 a year (J02).
    """
    countries = read_places(posting.locations, None, posting.title).countries
    stated = read_pay(posting.pay, posting.description, posting.title, countries)
    answers = [(_reaches(pay, least), pay.span) for pay in stated]
    for wanted in ("yes", "unknown"):
        for answer, span in answers:
            if answer == wanted:
                return answer, (span,)
    return ("no" if answers else "unknown"), tuple(span for _, span in answers)


def yearly(amount: float, period: PayPeriod | str) -> float | None:
    """The amount for a full year's work; None where the period is unknown."""
    factor = _IN_A_YEAR.get(period)
    return None if factor is None else amount * factor


def _reaches(pay: PayReading, least: LeastPay) -> Remote:
    if pay.currency != least.currency.upper():
        return "unknown"
    if pay.maximum is None:
        return "yes"
    most, floor = yearly(pay.maximum, pay.period), yearly(least.amount, least.period)
    if most is None or floor is None:
        return "unknown"
    return "yes" if most >= floor else "no"
