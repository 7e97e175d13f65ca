"""What a posting said at one moment, kept for good, and what is known of the job by it (DIS-9)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Connection,
    Integer,
    Row,
    String,
    Table,
    select,
)

from jobsteward.discover.model import Pay, Posting, PostingKey
from jobsteward.kernel.canonical import digest
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.store.engine import METADATA, insert_or_ignore, upsert

Text = Literal["full", "unknown"]
"""Whether the posting's own text is known; a cookie notice or a sign-in wall is no text."""

JOB_POSTING_SNAPSHOTS = Table(
    "job_posting_snapshots",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("digest", String, primary_key=True),
    Column("posting", JSON, nullable=False),
    Column("taken_at", String, nullable=False),
)
"""Postings as they were read, by the sha256 of their content; the database refuses a change."""

JOB_ENRICHMENTS = Table(
    "job_enrichments",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("snapshot", String, nullable=False),
    Column("text", String, nullable=False),
    Column("facts", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("code", String),
    Column("read_at", String, nullable=False),
    CheckConstraint("text IN ('full', 'unknown')", name="job_enrichment_text"),
)
"""The newest reading of each job. ``facts`` is an `Understanding` as JSON, ``version`` counts
those that said something new, ``code`` is why the last fetch gave nothing, if it did."""


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What is known of a job by reading it; ``code`` says why the last fetch gave nothing."""

    job_id: str
    snapshot: str
    text: Text
    facts: Mapping[str, Any]
    version: int
    code: str | None
    read_at: str


def keep_snapshot(conn: Connection, tenant_id: str, posting: Posting) -> str:
    """The digest under which the posting is kept; the same content is kept once."""
    content = asdict(posting)
    name = digest(content)
    row = {
        "tenant_id": tenant_id,
        "job_id": posting.key.job_id,
        "digest": name,
        "posting": content,
        "taken_at": timestamp(utc_now()),
    }
    insert_or_ignore(conn, JOB_POSTING_SNAPSHOTS, [row])
    return name


def snapshots_of(conn: Connection, tenant_id: str, job_id: str) -> list[tuple[str, Posting]]:
    """Each snapshot of the job with its digest, oldest first."""
    columns = JOB_POSTING_SNAPSHOTS.c
    rows = conn.execute(
        select(columns.digest, columns.posting)
        .where(columns.tenant_id == tenant_id, columns.job_id == job_id)
        .order_by(columns.taken_at, columns.digest)
    )
    return [(row.digest, _posting(row.posting)) for row in rows]


def enrichment_of(conn: Connection, tenant_id: str, job_id: str) -> Enrichment | None:
    """The newest reading of the job, None before the first."""
    columns = JOB_ENRICHMENTS.c
    row = conn.execute(
        select(JOB_ENRICHMENTS).where(columns.tenant_id == tenant_id, columns.job_id == job_id)
    ).first()
    return _enrichment(row) if row else None


def save_enrichment(
    conn: Connection,
    tenant_id: str,
    posting: Posting,
    *,
    text: Text,
    facts: Mapping[str, Any],
    code: str | None,
) -> tuple[Enrichment, bool]:
    """Keep the posting and make its reading the job's newest; say whether it has news.

    News are other facts, or another posting behind the same ones.
    """
    job_id = posting.key.job_id
    before = enrichment_of(conn, tenant_id, job_id)
    snapshot = keep_snapshot(conn, tenant_id, posting)
    same = before is not None and (before.snapshot, digest(before.facts)) == (
        snapshot,
        digest(facts),
    )
    version = (before.version if before else 0) + (not same)
    now = timestamp(utc_now())
    enrichment = Enrichment(job_id, snapshot, text, facts, version, code, now)
    upsert(conn, JOB_ENRICHMENTS, [asdict(enrichment) | {"tenant_id": tenant_id}])
    return enrichment, not same


def _enrichment(row: Row[Any]) -> Enrichment:
    return Enrichment(**{name: row._mapping[name] for name in Enrichment.__dataclass_fields__})


def _posting(content: Mapping[str, Any]) -> Posting:
    pay = tuple(Pay(**each) for each in content["pay"])
    shaped = {"key": PostingKey(**content["key"]), "pay": pay}
    return Posting(**{**content, **shaped, "locations": tuple(content["locations"])})
