"""What discovery knows: boards, postings with their identity, and how each source fared."""

import hashlib
from dataclasses import dataclass, field
from typing import Literal

Remote = Literal["yes", "no", "unknown"]
"""Whether the work can be done away from an office; unknown is never guessed (DIS-7)."""

PayPeriod = Literal["year", "month", "week", "day", "hour", "unknown"]
SourceStatus = Literal["ok", "empty", "partial", "blocked", "error", "unsupported"]


@dataclass(frozen=True, slots=True)
class Board:
    """One employer's list at one provider. ``region`` is "" for the provider's usual hosts."""

    provider: str
    token: str
    region: str = ""

    @property
    def key(self) -> str:
        """The board's part of a posting's identity: tokens mean the same in any case.

        What follows an ``@`` in a token says how the board is read (a data centre, a
        language), not which one it is (P041).
        """
        token = self.token.partition("@")[0].lower()
        return f"{self.region}:{token}" if self.region else token


@dataclass(frozen=True, slots=True)
class PostingKey:
    """A posting's identity: different provider ids never merge, whatever the titles (DIS-8)."""

    provider: str
    board: str
    posting_id: str

    @property
    def job_id(self) -> str:
        """Our id of the job, the same on every sighting: ``job_`` and 24 hex digits."""
        text = "/".join((self.provider, self.board, self.posting_id))
        return "job_" + hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class DiscoveryExecutionRef:
    """The exact discovery run that all its work is counted to; read once, never changed (DIS-1)."""

    tenant_id: str
    workflow_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Pay:
    """One pay range that the source states as figures; an open end is None.

    ``currency`` is an ISO 4217 code, or "" where the source gives none. ``swapped`` says
    that the source had the bounds the wrong way round (they are in order here).
    """

    minimum: float | None
    maximum: float | None
    currency: str
    period: PayPeriod
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Posting:
    """A job advertisement as its source gives it, cleaned but not interpreted.

    ``description`` is Markdown, None where the source gave no text (then filters answer
    unknown). ``posted_at`` and ``updated_at`` are RFC 3339 in UTC, or as given where the
    source names no time zone; None where it gives no date. ``workplace`` and
    ``employment_type`` keep the source's own words.
    """

    key: PostingKey
    url: str
    apply_url: str
    title: str
    company: str
    locations: tuple[str, ...] = ()
    remote: Remote = "unknown"
    workplace: str | None = None
    employment_type: str | None = None
    department: str | None = None
    pay: tuple[Pay, ...] = ()
    description: str | None = None
    posted_at: str | None = None
    updated_at: str | None = None

    @property
    def description_missing(self) -> bool:
        """Whether nothing is known about the text, as opposed to it saying nothing."""
        return self.description is None


@dataclass(frozen=True, slots=True)
class Broken:
    """A posting that could not be read: its place in the list, from 0, and why."""

    place: int
    code: str


@dataclass(frozen=True, slots=True)
class ParsedBoard:
    """All that one answer of a board holds. ``advertised`` is the board's own total.

    ``rows`` counts the entries of the answer, whatever became of them. ``more`` is what the
    answer itself says about the next page, a URL or a cursor.
    """

    postings: tuple[Posting, ...]
    broken: tuple[Broken, ...] = ()
    advertised: int | None = None
    rows: int = field(default=0, compare=False)
    more: str | None = None


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """How reading one board went (DIS-3). ``source`` is ``provider/board``.

    ``blocked`` is never "no jobs": the site refused us. ``found`` counts readable
    postings, ``broken`` unreadable ones, ``advertised`` what the board says it has.
    """

    source: str
    status: SourceStatus
    http_status: int | None = None
    found: int = 0
    broken: int = 0
    advertised: int | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class SavedPostings:
    """What a batch changed: jobs seen for the first time, with new content, and as before."""

    discovered: int = 0
    updated: int = 0
    unchanged: int = 0
