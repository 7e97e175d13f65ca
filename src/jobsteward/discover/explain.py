"""Why a job is in the list or not, rule by rule, with the words that decide (DIS-7)."""

from dataclasses import dataclass

from sqlalchemy import Connection

from jobsteward.discover.admissions import Admission, find_admission
from jobsteward.discover.admit import Decision, basis, explained
from jobsteward.discover.links import StoredLink, links_of, posting_of
from jobsteward.discover.preferences import read_preferences
from jobsteward.discover.views import get_job
from jobsteward.kernel.errors import NotFoundError


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that decides on one job.

    ``standing`` is the decision that holds, None where none was taken yet. ``now`` is what
    the rules say of a stored job under today's preferences, every rule answered; None for a
    job of which only the refusal is kept. ``outdated`` says that the preferences changed
    since the standing decision, which is taken anew when the posting is next seen.
    """

    job_id: str
    title: str
    url: str
    standing: Admission | None
    now: Decision | None
    outdated: bool
    links: tuple[StoredLink, ...]


def explain(conn: Connection, tenant_id: str, job_id: str) -> Explanation:
    """Why the job is in the list or left out. Raises NotFoundError for one never seen."""
    wanted = read_preferences(conn, tenant_id)
    standing = find_admission(conn, tenant_id, job_id)
    links = links_of(conn, tenant_id, job_id)
    outdated = standing is not None and not standing.by_person and standing.basis != basis(wanted)
    try:
        job = get_job(conn, tenant_id, job_id)
    except NotFoundError:
        if standing is None:
            raise
        return Explanation(
            job_id, standing.title, standing.url, standing, None, outdated, tuple(links)
        )
    now = explained(wanted, posting_of(job))
    title, url = job.summary.title, job.summary.url
    return Explanation(job_id, title, url, standing, now, outdated, tuple(links))
