"""ETags and dates of lists that were stored, so that an unchanged one need not be sent again."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import Column, Connection, String, Table, select

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.net import Fetched
from jobsteward.store.engine import METADATA, upsert

WEB_VALIDATORS = Table(
    "web_validators",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("url_digest", String, primary_key=True),
    Column("basis", String, nullable=False),
    Column("etag", String),
    Column("last_modified", String),
    Column("stored_at", String, nullable=False),
)

_LONGEST = 1_000


@dataclass(frozen=True, slots=True)
class Validators:
    """What to send as ``etag`` and ``last_modified``; an answer 304 then means: as stored."""

    etag: str | None = None
    last_modified: str | None = None


def known_validators(conn: Connection, tenant_id: str, url: str, basis: str) -> Validators:
    """What to ask the URL with; empty where its answer was not stored on this basis.

    ``basis`` names all that turned the answer into what is stored (reader, policy): where it
    changed, the answer has to be read again although it is the same.
    """
    columns = WEB_VALIDATORS.c
    row = conn.execute(
        select(columns.etag, columns.last_modified).where(
            columns.tenant_id == tenant_id,
            columns.url_digest == _digest(url),
            columns.basis == basis,
        )
    ).first()
    return Validators(*row) if row else Validators()


def keep_validators(
    conn: Connection, tenant_id: str, url: str, basis: str, answer: Fetched
) -> None:
    """Remember the answer's validators, in the transaction that stores its last posting.

    Earlier would lose postings: a crash in between, and the next answer is 304. The URL is
    kept as its digest, since a query may hold a key. An answer without validators replaces
    those of an earlier one.
    """
    row = {
        "tenant_id": tenant_id,
        "url_digest": _digest(url),
        "basis": basis,
        "etag": _within(answer.etag),
        "last_modified": _within(answer.last_modified),
        "stored_at": timestamp(utc_now()),
    }
    upsert(conn, WEB_VALIDATORS, [row])


def forget_validators(conn: Connection, tenant_id: str) -> None:
    """Read every list of the tenant anew, as after stored jobs were deleted."""
    conn.execute(WEB_VALIDATORS.delete().where(WEB_VALIDATORS.c.tenant_id == tenant_id))


def _within(value: str | None) -> str | None:
    # What goes back as a header must be one line of printable ASCII.
    fits = value and len(value) <= _LONGEST and value.isascii() and value.isprintable()
    return value if fits else None


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()
