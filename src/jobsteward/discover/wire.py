"""HTTP bodies about jobs."""

from dataclasses import asdict
from typing import Any, Literal

from jobsteward.discover.views import JobDetail, JobPage, JobSummary
from jobsteward.runs.wire import Wire


class PayView(Wire):
    """One pay range as the posting states it; an open end is null."""

    minimum: float | None
    maximum: float | None
    currency: str
    period: str
    swapped: bool


class JobView(Wire):
    """A job as a list shows it. ``remote`` unknown means that the posting does not say."""

    job_id: str
    title: str
    company: str
    locations: list[str]
    remote: Literal["yes", "no", "unknown"]
    workplace: str | None
    employment_type: str | None
    department: str | None
    pay: list[PayView]
    url: str
    posted_at: str | None
    first_seen_at: str
    last_seen_at: str
    description_missing: bool


class JobDetailView(JobView):
    """A job in full; ``description`` is Markdown and untrusted text."""

    provider: str
    board: str
    posting_id: str
    apply_url: str
    updated_at: str | None
    version: int
    description: str | None


class JobPageView(Wire):
    """Jobs, newest first sight first."""

    items: list[JobView]
    next_cursor: str | None


def page_view(page: JobPage) -> JobPageView:
    """The page as the API answers it."""
    return JobPageView(
        items=[JobView(**_summary(job)) for job in page.jobs], next_cursor=page.next_cursor
    )


def detail_view(job: JobDetail) -> JobDetailView:
    """The job as the API answers it."""
    return JobDetailView(
        **_summary(job.summary),
        **asdict(job.key),
        apply_url=job.apply_url,
        updated_at=job.updated_at,
        version=job.version,
        description=job.description,
    )


def _summary(job: JobSummary) -> dict[str, Any]:
    values = asdict(job)
    return values | {
        "locations": list(job.locations),
        "pay": [PayView(**pay) for pay in values["pay"]],
    }
