"""How long somebody has done something, from the dates of their positions."""

import re
from collections.abc import Iterable, Sequence

from jobsteward.kernel.folding import fold
from jobsteward.profile.model import PartialDate, Period
from jobsteward.writing.evidence import Evidence, Support
from jobsteward.writing.reading import Reading

_TENURE = re.compile(
    r"\byears?(?:'|\u2019)?\s+(?:of\b.{0,40}?experience|experience|in|as|with)\b"
    r"|\bexperience of\b.{0,20}\byears?\b|\bjahre?n?\b.{0,20}erfahrung|\bans d'experience"
    r"|\banos de experiencia"
)


def tenure(
    reading: Reading, evidence: Evidence, scope: Sequence[Support], today: PartialDate
) -> tuple[str, ...]:
    """The positions' headings that add up to the years claimed; () where they do not.

    "5 years of Python" counts the positions whose facts name Python, each month once. The
    sentence may say nothing else.
    """
    years = [quantity for quantity in reading.quantities if quantity.unit == "months"]
    if len(years) != 1 or len(reading.quantities) != 1 or reading.dates:
        return ()
    if not _TENURE.search(fold(reading.text)) or reading.leading:
        return ()
    wanted = [word.keys for word in reading.words]
    entries = {support.entry for support in scope}
    periods = {
        entry: period
        for entry, period, held in evidence.careers
        if entry in entries and all(keys & held for keys in wanted)
    }
    if _months(periods.values(), today) < years[0].values[0]:
        return ()
    return tuple(
        fact
        for support in evidence.supports
        if support.kind == "heading" and support.entry in periods
        for fact in support.facts
    )


def _months(periods: Iterable[Period], today: PartialDate) -> int:
    """Months that at least one of the periods covers."""
    covered: set[int] = set()
    for period in periods:
        span = period.months(today)
        if span:
            covered.update(range(*span))
    return len(covered)
