"""Reading JSON that a stranger wrote: every access is checked, every posting on its own."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from jobsteward.discover.model import Broken, ParsedBoard, Pay, PayPeriod, Posting, Remote
from jobsteward.discover.text import one_line
from jobsteward.kernel.clock import timestamp
from jobsteward.kernel.errors import SourceUnavailableError

Item = Mapping[str, Any]

_MAX_PAY = 1e9
_PERIODS: dict[str, PayPeriod] = {
    "annual": "year",
    "annually": "year",
    "annum": "year",
    "yearly": "year",
    "year": "year",
    "monthly": "month",
    "month": "month",
    "weekly": "week",
    "week": "week",
    "daily": "day",
    "day": "day",
    "hourly": "hour",
    "hour": "hour",
}


class BrokenPostingError(ValueError):
    """One posting lacks what a job needs; ``code`` says what."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def load(payload: bytes) -> Any:
    """The JSON value of an answer. Raises SourceUnavailableError where it is none."""
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        raise SourceUnavailableError(
            "the board answered with something that is not its job list; try again later"
        ) from None


def read_each(
    items: object, read: Callable[[Item], Posting | None], advertised: object = None
) -> ParsedBoard:
    """The postings of a list, each read by itself.

    Rows with equal ids are one posting, the first, at all their places. ``read`` gives
    None for what is not on offer. Raises SourceUnavailableError where ``items`` is no list.
    """
    if not isinstance(items, list):
        raise SourceUnavailableError("the board's answer holds no job list; try again later")
    postings: dict[str, Posting] = {}
    broken: list[Broken] = []
    for place, item in enumerate(items):
        try:
            posting = read(_object(item))
        except BrokenPostingError as error:
            broken.append(Broken(place, error.code))
        else:
            if posting is not None:
                key = posting.key.posting_id
                postings[key] = _joined(postings[key], posting) if key in postings else posting
    total = advertised if type(advertised) is int and advertised >= 0 else None
    return ParsedBoard(tuple(postings.values()), tuple(broken), total, len(items))


def read_one(item: object, posting_id: str, name: str, read: Callable[[Item], Posting]) -> Posting:
    """The posting of an answer that holds only it, read as if its id stood under ``name``.

    Raises SourceUnavailableError where the answer is no posting.
    """
    try:
        return read({**_object(item), name: posting_id})
    except BrokenPostingError:
        raise SourceUnavailableError("the answer holds no posting; try again later") from None


def _joined(first: Posting, again: Posting) -> Posting:
    if first.locations == again.locations:
        return first
    stated: set[Remote] = {first.remote, again.remote} - {"unknown"}
    return replace(
        first,
        locations=tuple(dict.fromkeys(first.locations + again.locations)),
        remote=stated.pop() if len(stated) == 1 else "unknown",
    )


def _object(item: object) -> Item:
    if not isinstance(item, dict):
        raise BrokenPostingError("not_an_object")
    return item


def member(item: Item, name: str) -> Item:
    """The object under ``name``, an empty one where there is none."""
    value = item.get(name)
    return value if isinstance(value, dict) else {}


def members(item: Item, name: str) -> list[Item]:
    """The objects in the list under ``name``."""
    value = item.get(name)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def needed(value: str | None, code: str) -> str:
    """The value; raises BrokenPostingError with the code where there is none."""
    if not value:
        raise BrokenPostingError(code)
    return value


def identifier(value: object) -> str:
    """A posting's id as text: digits or the provider's own plain string."""
    if type(value) is int and value > 0:
        return str(value)
    if isinstance(value, str) and value.isascii() and value.isprintable() and len(value) <= 100:
        return needed(value.strip(), "no_id")
    raise BrokenPostingError("no_id")


def distinct(texts: list[str | None]) -> tuple[str, ...]:
    """The texts that there are, each once, in order."""
    return tuple(dict.fromkeys(text for text in texts if text))


def place(*parts: object) -> str | None:
    """One place from its parts, ``Lyon, France``; a part that repeats another is left out."""
    return ", ".join(distinct([one_line(part) for part in parts])) or None


def moment(value: object) -> str | None:
    """A date-time in UTC where its zone is known, else as given; None where it is none.

    Takes ISO 8601 text and milliseconds since 1970.
    """
    try:
        if type(value) is int:
            return timestamp(datetime.fromtimestamp(value / 1000, UTC))
        if not isinstance(value, str):
            return None
        given = datetime.fromisoformat(value)
        return timestamp(given) if given.tzinfo else value.strip()
    except (ValueError, OverflowError, OSError):
        return None


def pay_period(word: object) -> PayPeriod:
    """The period that a word names in any of its usual forms: ``YEARLY``, ``per hour``."""
    text = word.lower().removeprefix("per").strip(" _-") if isinstance(word, str) else ""
    return _PERIODS.get(text, "unknown")


def pay_range(minimum: object, maximum: object, currency: object, period: PayPeriod) -> Pay | None:
    """The range with its bounds in order; None where neither bound is a sensible figure."""
    low, high = _amount(minimum), _amount(maximum)
    if low is None and high is None:
        return None
    code = currency.strip().upper() if isinstance(currency, str) else ""
    code = code if len(code) == 3 and code.isascii() and code.isalpha() else ""
    swapped = low is not None and high is not None and low > high
    return Pay(high, low, code, period, True) if swapped else Pay(low, high, code, period)


def _amount(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 < value <= _MAX_PAY and math.isfinite(value) else None
