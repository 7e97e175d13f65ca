"""Reading jobs: a list with search and filters, one job in full, and how sources fared."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, select, tuple_

from jobsteward.discover.model import (
    Board,
    DiscoveryExecutionRef,
    Pay,
    Posting,
    PostingKey,
    Remote,
    SourceOutcome,
)
from jobsteward.discover.search_text import patterns, words_of
from jobsteward.discover.tables import (
    DISCOVERY_EXECUTION_JOBS,
    DISCOVERY_SOURCE_OUTCOMES,
    JOB_DESCRIPTIONS,
    JOBS,
)
from jobsteward.kernel.clock import parse_timestamp
from jobsteward.kernel.errors import InvalidInputError, NotFoundError
from jobsteward.store.word_index import proposed_jobs

MAX_PAGE = 100
_FEW = 1000
_INDEXED_WORDS = 12


@dataclass(frozen=True, slots=True)
class JobSummary:
    """A job as a list shows it; all times are RFC 3339 in UTC except a zoneless ``posted_at``."""

    job_id: str
    title: str
    company: str
    locations: tuple[str, ...]
    remote: Remote
    workplace: str | None
    employment_type: str | None
    department: str | None
    pay: tuple[Pay, ...]
    url: str
    posted_at: str | None
    first_seen_at: str
    last_seen_at: str
    description_missing: bool


@dataclass(frozen=True, slots=True)
class JobDetail:
    """A job in full; ``version`` counts its contents from 1, ``description`` is Markdown."""

    summary: JobSummary
    key: PostingKey
    apply_url: str
    updated_at: str | None
    version: int
    description: str | None


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Which jobs to list; what is empty does not filter.

    ``text`` and ``location``: every word must begin a word of title, company, department,
    employment type or place, or of a place. ``remote`` lists the values to keep: ask for
    yes and unknown to lose nothing. ``seen_by`` keeps what that run observed.
    """

    text: str = ""
    location: str = ""
    remote: Sequence[Remote] = ()
    provider: str | None = None
    seen_by: DiscoveryExecutionRef | None = None


@dataclass(frozen=True, slots=True)
class JobPage:
    """Jobs, newest first sight first; ``next_cursor`` is None on the last page."""

    jobs: tuple[JobSummary, ...]
    next_cursor: str | None


def list_jobs(
    conn: Connection,
    tenant_id: str,
    only: JobFilter | None = None,
    *,
    cursor: str | None = None,
    limit: int = 50,
) -> JobPage:
    """One page of the tenant's jobs, at most 100. Raises InvalidInputError for a bad cursor."""
    limit = max(1, min(limit, MAX_PAGE))
    only = only or JobFilter()
    place = tuple_(JOBS.c.first_seen_at, JOBS.c.job_id)
    statement = select(JOBS).where(JOBS.c.tenant_id == tenant_id, *_conditions(only))
    if cursor:
        statement = statement.where(place < tuple_(*_position(cursor)))
    few = _few_jobs(conn, tenant_id, only)
    if few is None:
        statement = statement.order_by(JOBS.c.first_seen_at.desc(), JOBS.c.job_id.desc())
    else:
        # An expression, so that no index of that order tempts to walk all jobs for these few.
        seen = JOBS.c.first_seen_at.concat("")
        statement = statement.where(JOBS.c.job_id.in_(few))
        statement = statement.order_by(seen.desc(), JOBS.c.job_id.desc())
    rows = [row._asdict() for row in conn.execute(statement.limit(limit + 1))]
    more = len(rows) > limit
    jobs = tuple(_summary(row) for row in rows[:limit])
    return JobPage(jobs, _cursor(jobs[-1]) if more else None)


def get_job(conn: Connection, tenant_id: str, job_id: str) -> JobDetail:
    """The job in full. Raises NotFoundError, for another tenant's job as well."""
    joined = JOBS.outerjoin(
        JOB_DESCRIPTIONS,
        (JOB_DESCRIPTIONS.c.tenant_id == JOBS.c.tenant_id)
        & (JOB_DESCRIPTIONS.c.job_id == JOBS.c.job_id),
    )
    row = conn.execute(
        select(JOBS, JOB_DESCRIPTIONS.c.description)
        .select_from(joined)
        .where(JOBS.c.tenant_id == tenant_id, JOBS.c.job_id == job_id)
    ).first()
    if row is None:
        raise NotFoundError("there is no such job; search_jobs lists those there are")
    values = row._asdict()
    return JobDetail(
        summary=_summary(values),
        key=PostingKey(values["provider"], values["board"], values["posting_id"]),
        apply_url=values["apply_url"],
        updated_at=values["updated_at"],
        version=values["version"],
        description=values["description"],
    )


def stored_posting(conn: Connection, tenant_id: str, job_id: str) -> Posting:
    """The posting as it is stored, with its text. Raises NotFoundError as `get_job` does."""
    job = get_job(conn, tenant_id, job_id)
    shown = {
        name: getattr(job.summary, name)
        for name in Posting.__dataclass_fields__
        if name in JobSummary.__dataclass_fields__
    }
    return Posting(
        key=job.key,
        apply_url=job.apply_url,
        description=job.description,
        updated_at=job.updated_at,
        **shown,
    )


def source_outcomes(conn: Connection, ref: DiscoveryExecutionRef) -> list[SourceOutcome]:
    """How each source of the run fared, by name."""
    columns = DISCOVERY_SOURCE_OUTCOMES.c
    statement = (
        select(*(columns[name] for name in SourceOutcome.__dataclass_fields__))
        .where(
            columns.tenant_id == ref.tenant_id,
            columns.workflow_id == ref.workflow_id,
            columns.run_id == ref.run_id,
        )
        .order_by(columns.source)
    )
    return [SourceOutcome(**row._mapping) for row in conn.execute(statement)]


def known_postings(conn: Connection, tenant_id: str, posting_id: str) -> list[tuple[Board, str]]:
    """The boards on which a posting of that id was seen, for `resolve_board` (P043)."""
    statement = select(JOBS.c.provider, JOBS.c.board).where(
        JOBS.c.tenant_id == tenant_id, JOBS.c.posting_id == posting_id
    )
    boards: list[tuple[Board, str]] = []
    for provider, key in conn.execute(statement):
        region, _, token = key.rpartition(":")
        boards.append((Board(provider, token, region), posting_id))
    return boards


def _few_jobs(conn: Connection, tenant_id: str, only: JobFilter) -> list[str] | None:
    """The jobs that the word index proposes; None where they are so many that walking all,
    newest first, fills a page sooner."""
    words, places = _indexed(only.text), _indexed(only.location)
    named = only.provider or ""
    provider = named if named.isascii() and named.isidentifier() else None
    if not (words or places or provider):
        return None
    found = proposed_jobs(
        conn,
        tenant_id,
        words=words,
        places=places,
        provider=provider,
        remote=only.remote,
        most=_FEW + 1,
    )
    return found if len(found) <= _FEW else None


def _indexed(query: str) -> list[str]:
    # One letter begins so many words that joining their lists costs more than walking.
    return [word for word in words_of(query) if len(word) > 1][:_INDEXED_WORDS]


def _conditions(only: JobFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    conditions += [JOBS.c.search_text.like(text, escape="!") for text in patterns(only.text)]
    conditions += [JOBS.c.place_text.like(text, escape="!") for text in patterns(only.location)]
    if only.remote:
        conditions.append(JOBS.c.remote.in_(only.remote))
    if only.provider:
        conditions.append(JOBS.c.provider == only.provider)
    if only.seen_by:
        member = DISCOVERY_EXECUTION_JOBS.c
        conditions.append(
            exists().where(
                member.tenant_id == JOBS.c.tenant_id,
                member.job_id == JOBS.c.job_id,
                member.workflow_id == only.seen_by.workflow_id,
                member.run_id == only.seen_by.run_id,
                member.cohort == "observed_this_run",
            )
        )
    return conditions


def _summary(row: Mapping[str, Any]) -> JobSummary:
    fields = {
        name: row[name] for name in JobSummary.__dataclass_fields__ if name != "description_missing"
    }
    fields["locations"] = tuple(fields["locations"])
    fields["pay"] = tuple(Pay(**pay) for pay in fields["pay"])
    return JobSummary(**fields, description_missing=row["description_digest"] is None)


def _cursor(job: JobSummary) -> str:
    return base64.urlsafe_b64encode(f"{job.first_seen_at} {job.job_id}".encode()).decode()


def _position(cursor: str) -> tuple[str, str]:
    try:
        seen, _, job_id = base64.urlsafe_b64decode(cursor).decode().partition(" ")
        parse_timestamp(seen)
    except (binascii.Error, ValueError):
        seen = job_id = ""
    if not seen or not job_id.startswith("job_") or "\0" in job_id:
        raise InvalidInputError(
            "the cursor is not one of ours; start again without it",
            {"cursor": "the next_cursor of the page before"},
        )
    return seen, job_id
