"""Calendar dates in a line of a résumé or a sentence, as exactly as they are written."""

import re
from dataclasses import dataclass
from functools import lru_cache

from jobsteward.kernel.folding import fold
from jobsteward.profile.model import PartialDate

_MONTHS = (
    "january jan januar janvier enero ene",
    "february feb februar fevrier fevr febrero",
    "march mar marz maerz mars marzo",
    "april apr avril avr abril abr",
    "may mai mayo",
    "june jun juni juin junio",
    "july jul juli juillet juil julio",
    "august aug aout agosto ago",
    "september sep sept septembre septiembre",
    "october oct oktober okt octobre octubre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dic",
)
_MONTH = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_YEAR = r"(?:19[5-9]\d|20[0-4]\d)"
_DATE = re.compile(
    rf"\b(?P<iso>{_YEAR})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?\b"
    rf"|\b(?P<number>0?[1-9]|1[0-2])[/.](?P<year2>{_YEAR})\b"
    rf"|\b(?P<name>{'|'.join(sorted(_MONTH, key=len, reverse=True))})\.?,?\s+(?:de\s+)?"
    rf"(?P<year3>{_YEAR})\b"
    rf"|(?<![^\W_])(?<![$€£\d][.,])(?<![$€£+-])(?<!\d )(?P<year>{_YEAR})(?![^\W_])"
    r"(?![.,]\d|\s?[%$€£]|\+)"
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date and where it stands; ``since`` says that a word like "since" is before it."""

    date: PartialDate
    start: int
    end: int
    since: bool


@lru_cache(maxsize=8192)
def read_dates(text: str) -> tuple[Dated, ...]:
    """Every date of the text, in order. A number like 2,000 or $2000 is none."""
    folded = fold(text)
    found = []
    for match in _DATE.finditer(folded):
        before = re.search(r"(\w+)\W*$", folded[: match.start()])
        since = bool(before and before[1] in {"since", "seit", "depuis", "desde"})
        found.append(Dated(_date(match), *match.span(), since))
    return tuple(found)


def _date(match: re.Match[str]) -> PartialDate:
    if match["iso"]:
        return PartialDate(int(match["iso"]), int(match["month"]), min(int(match["day"] or 0), 31))
    if match["number"]:
        return PartialDate(int(match["year2"]), int(match["number"]))
    if match["name"]:
        return PartialDate(int(match["year3"]), _MONTH[match["name"]])
    return PartialDate(int(match["year"]))
