"""Routes about jobs: search and one in full."""

from typing import Annotated

from fastapi import APIRouter, Query

from jobsteward.discover.model import Remote
from jobsteward.discover.views import MAX_PAGE, JobFilter, get_job, list_jobs
from jobsteward.discover.wire import JobDetailView, JobPageView, detail_view, page_view
from jobsteward.runs.wire import API
from jobsteward_server.http.services import Reader, WithServices

router = APIRouter(prefix=f"{API}/jobs", tags=["jobs"])


@router.get("")
async def search_jobs(
    token: Reader,
    services: WithServices,
    query: Annotated[str, Query(max_length=200)] = "",
    location: Annotated[str, Query(max_length=200)] = "",
    remote: Annotated[list[Remote] | None, Query()] = None,
    provider: Annotated[str | None, Query(max_length=50)] = None,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 20,
) -> JobPageView:
    """The tenant's jobs whose words begin with every word of ``query`` and ``location``."""
    only = JobFilter(text=query, location=location, remote=remote or (), provider=provider)
    page = await services.library.database.read(
        lambda conn: list_jobs(conn, token.tenant_id, only, cursor=cursor, limit=limit)
    )
    return page_view(page)


@router.get("/{job_id}")
async def read_job(job_id: str, token: Reader, services: WithServices) -> JobDetailView:
    """One job in full."""
    job = await services.library.database.read(lambda conn: get_job(conn, token.tenant_id, job_id))
    return detail_view(job)
