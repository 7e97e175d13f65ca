"""What a fetch gives back, and what its headers say about the next one."""

import email.utils
from collections.abc import Mapping
from dataclasses import dataclass

from jobsteward.kernel.clock import utc_now

MAX_RETRY_AFTER = 300.0

REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: ``url`` after redirects, header names in lower case, ``body`` decoded.

    Any HTTP status may be here, 404 and 503 included: what one means is the reader's to say.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def etag(self) -> str | None:
        """What to send as ``etag`` next time."""
        return self.headers.get("etag")

    @property
    def last_modified(self) -> str | None:
        """What to send as ``last_modified`` next time."""
        return self.headers.get("last-modified")


def retry_after(headers: Mapping[str, str], cap: float = MAX_RETRY_AFTER) -> float | None:
    """Seconds to wait by the answer's Retry-After, never above ``cap`` (ERR-3).

    Reads both forms, seconds and HTTP date; None where there is none that makes sense.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), cap)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        seconds = (moment - utc_now()).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0.0), cap)
