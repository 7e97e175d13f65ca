"""Which jobs belong together, kept as links that a person can undo (DIS-8).

No job is ever rewritten or removed by a link: of jobs that are the ``same``, one is shown
and the others stay stored behind it, so that undoing a link brings them back as they were.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Index,
    String,
    Table,
    or_,
    select,
    update,
)

from jobsteward.discover.companies import Aliases
from jobsteward.discover.duplicates import Because, Comparison, Link, block_key, compare
from jobsteward.discover.model import Posting
from jobsteward.discover.views import JobDetail, get_job
from jobsteward.kernel.canonical import digest_text
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import NotFoundError
from jobsteward.store.engine import METADATA, insert_or_ignore, lock, upsert

JOB_BLOCKS = Table(
    "job_blocks",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("block", String, nullable=False),
    Index("job_blocks_block", "tenant_id", "block"),
)
"""Jobs of one employer with one title share a block, a digest; only these are compared."""

JOB_LINKS = Table(
    "job_links",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("other_id", String, primary_key=True),
    Column("link", String, nullable=False),
    Column("because", String, nullable=False),
    Column("undone_at", String),
    Column("linked_at", String, nullable=False),
    CheckConstraint("link IN ('same', 'possible_duplicate', 'repost_of')", name="job_link_kind"),
    Index("job_links_other", "tenant_id", "other_id"),
)
"""``job_id`` is the job that was seen later: it is the repost, or stands behind the other."""

MOST_COMPARED = 20


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link between two jobs; ``undone_at`` is when a person took it back."""

    job_id: str
    other_id: str
    link: Link
    because: Because
    linked_at: str
    undone_at: str | None = None


def add_to_blocks(conn: Connection, tenant_id: str, postings: Sequence[Posting]) -> None:
    """Note by what the postings can be found for comparing."""
    rows = [
        {"tenant_id": tenant_id, "job_id": posting.key.job_id, "block": _block(posting)}
        for posting in postings
    ]
    upsert(conn, JOB_BLOCKS, rows)


def candidates(conn: Connection, tenant_id: str, posting: Posting) -> list[str]:
    """Ids of up to `MOST_COMPARED` other jobs of the same employer and title."""
    columns = JOB_BLOCKS.c
    statement = select(columns.job_id).where(
        columns.tenant_id == tenant_id,
        columns.block == _block(posting),
        columns.job_id != posting.key.job_id,
    )
    return list(conn.scalars(statement.order_by(columns.job_id).limit(MOST_COMPARED)))


def link_new(
    conn: Connection, tenant_id: str, postings: Sequence[Posting], aliases: Aliases = ()
) -> list[StoredLink]:
    """Link postings that were just stored with the jobs that they may repeat (J09).

    Costs one look-up for each posting, and a comparison for each other job of its block.
    """
    add_to_blocks(conn, tenant_id, postings)
    links: list[StoredLink] = []
    for posting in postings:
        others = candidates(conn, tenant_id, posting)
        earlier = [posting_of(get_job(conn, tenant_id, job_id)) for job_id in others]
        links += link_alike(conn, tenant_id, posting, earlier, aliases) if earlier else []
    return links


def posting_of(job: JobDetail) -> Posting:
    """The stored job as the posting that was last seen."""
    seen = job.summary
    return Posting(
        key=job.key,
        url=seen.url,
        apply_url=job.apply_url,
        title=seen.title,
        company=seen.company,
        locations=seen.locations,
        remote=seen.remote,
        workplace=seen.workplace,
        employment_type=seen.employment_type,
        department=seen.department,
        pay=seen.pay,
        description=job.description,
        posted_at=seen.posted_at,
        updated_at=job.updated_at,
    )


def link_alike(
    conn: Connection,
    tenant_id: str,
    posting: Posting,
    earlier: Sequence[Posting],
    aliases: Aliases = (),
) -> list[StoredLink]:
    """Compare a posting with earlier ones and keep every link that is new.

    A link that a person undid stays undone.
    """
    lock(conn, f"jobs:{tenant_id}")
    now = timestamp(utc_now())
    found = [(other, compare(posting, other, aliases)) for other in earlier]
    links = [
        _stored(posting, other, result, now)
        for other, result in found
        if result.link != "different" and other.key != posting.key
    ]
    known = {
        frozenset((link.job_id, link.other_id))
        for link in links_of(conn, tenant_id, posting.key.job_id, undone=True)
    }
    fresh = [link for link in links if frozenset((link.job_id, link.other_id)) not in known]
    insert_or_ignore(conn, JOB_LINKS, [_row(tenant_id, link) for link in fresh])
    return fresh


def links_of(
    conn: Connection, tenant_id: str, job_id: str, *, undone: bool = False
) -> list[StoredLink]:
    """The job's links in either direction, oldest first; with ``undone`` also those taken back."""
    columns = JOB_LINKS.c
    statement = select(*(columns[name] for name in StoredLink.__dataclass_fields__)).where(
        columns.tenant_id == tenant_id,
        or_(columns.job_id == job_id, columns.other_id == job_id),
    )
    if not undone:
        statement = statement.where(columns.undone_at.is_(None))
    statement = statement.order_by(columns.linked_at, columns.job_id, columns.other_id)
    return [StoredLink(**row._mapping) for row in conn.execute(statement)]


def reposts(conn: Connection, tenant_id: str, job_id: str) -> int:
    """How many earlier postings the job repeats, a sign of an opening that is none (P026)."""
    links = links_of(conn, tenant_id, job_id)
    return sum(link.link == "repost_of" and link.job_id == job_id for link in links)


def undo_link(conn: Connection, tenant_id: str, job_id: str, other_id: str) -> None:
    """Take a link back for good, in whichever direction it stands.

    Raises NotFoundError where the two jobs are not linked.
    """
    _mark(conn, tenant_id, job_id, other_id, timestamp(utc_now()))


def redo_link(conn: Connection, tenant_id: str, job_id: str, other_id: str) -> None:
    """Let a link stand again that was undone. Raises NotFoundError where there is none."""
    _mark(conn, tenant_id, job_id, other_id, None)


def _mark(
    conn: Connection, tenant_id: str, job_id: str, other_id: str, undone_at: str | None
) -> None:
    columns = JOB_LINKS.c
    pair = [job_id, other_id]
    changed = conn.execute(
        update(JOB_LINKS)
        .where(
            columns.tenant_id == tenant_id,
            columns.job_id.in_(pair),
            columns.other_id.in_(pair),
        )
        .values(undone_at=undone_at)
    )
    if not changed.rowcount:
        raise NotFoundError("these two jobs are not linked; explain one to see its links")


def _stored(posting: Posting, other: Posting, result: Comparison, now: str) -> StoredLink:
    ids = (posting.key.job_id, other.key.job_id)
    if result.link == "repost_of" and (posting.posted_at or "") < (other.posted_at or ""):
        ids = ids[::-1]
    return StoredLink(*ids, result.link, result.because, now)


def _row(tenant_id: str, link: StoredLink) -> dict[str, str | None]:
    names = StoredLink.__dataclass_fields__
    return {"tenant_id": tenant_id} | {name: getattr(link, name) for name in names}


def _block(posting: Posting) -> str:
    return digest_text(block_key(posting))[:24]
