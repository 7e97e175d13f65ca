"""Leads that look like a job we have: same title, same employer, another posting (DIS-6)."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from jobsteward.discover.model import Posting
from jobsteward.discover.tables import JOBS


def twins(conn: Connection, tenant_id: str, postings: Sequence[Posting]) -> set[str]:
    """Job ids of those postings whose title and employer another stored job has too."""
    titles = {posting.title for posting in postings}
    columns = JOBS.c
    rows = conn.execute(
        select(columns.job_id, columns.title, columns.company).where(
            columns.tenant_id == tenant_id, columns.title.in_(titles)
        )
    )
    stored: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        stored.setdefault((row.title, row.company.casefold()), set()).add(row.job_id)
    return {
        posting.key.job_id
        for posting in postings
        if stored.get((posting.title, posting.company.casefold()), set()) - {posting.key.job_id}
    }
