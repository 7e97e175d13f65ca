"""HTTP bodies about jobs."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from jobsteward.discover.digest import Digest
from jobsteward.discover.preferences import Preferences, from_json
from jobsteward.discover.views import JobDetail, JobPage, JobSummary
from jobsteward.kernel.canonical import canonical_json
from jobsteward.runs.wire import Wire

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
BoardUrl = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


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


class LeastPayView(Wire):
    """The least pay that is worth a look, in an ISO 4217 currency."""

    amount: float = Field(gt=0, le=1e9)
    currency: str = Field(pattern="^[A-Z]{3}$")
    period: Literal["year", "month", "week", "day", "hour"] = "year"


class PreferencesView(Wire):
    """What to look for; whatever is empty does not narrow the search."""

    titles: list[Words] = Field(default_factory=list, max_length=50)
    places: list[Words] = Field(default_factory=list, max_length=50)
    remote: list[Literal["yes", "no", "unknown"]] = Field(default_factory=list, max_length=3)
    least_pay: LeastPayView | None = None
    exclusions: list[Words] = Field(default_factory=list, max_length=200)
    boards: list[BoardUrl] = Field(default_factory=list, max_length=50)


class NewJobView(Wire):
    """A job as a digest shows it."""

    job_id: str
    title: str
    company: str
    locations: list[str]
    remote: Literal["yes", "no", "unknown"]
    url: str
    first_seen_at: str


class DigestView(Wire):
    """Jobs found since the digest before; ``count`` counts them all, ``jobs`` shows the newest."""

    since: str | None
    made_at: str | None
    count: int
    jobs: list[NewJobView]


def preferences_view(wanted: Preferences) -> PreferencesView:
    """The preferences as the API answers them."""
    return PreferencesView.model_validate_json(canonical_json(asdict(wanted)))


def preferences_of(view: PreferencesView) -> Preferences:
    """The preferences that a body holds."""
    return from_json(view.model_dump())


def digest_view(found: Digest) -> DigestView:
    """The digest as the API answers it."""
    return DigestView.model_validate_json(canonical_json(asdict(found)))
