"""Tables of jobs, their texts, and what each discovery run saw."""

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from jobsteward.store.engine import METADATA

JOBS = Table(
    "jobs",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("provider", String, nullable=False),
    Column("board", String, nullable=False),
    Column("posting_id", String, nullable=False),
    Column("url", String, nullable=False),
    Column("apply_url", String, nullable=False),
    Column("title", String, nullable=False),
    Column("company", String, nullable=False),
    Column("locations", JSON, nullable=False),
    Column("remote", String, nullable=False),
    Column("workplace", String),
    Column("employment_type", String),
    Column("department", String),
    Column("pay", JSON, nullable=False),
    Column("posted_at", String),
    Column("updated_at", String),
    Column("first_seen_at", String, nullable=False),
    Column("last_seen_at", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("content_digest", String, nullable=False),
    Column("description_digest", String),
    Column("search_text", Text, nullable=False),
    Column("place_text", Text, nullable=False),
    CheckConstraint("remote IN ('yes', 'no', 'unknown')", name="jobs_remote"),
    Index("jobs_identity", "tenant_id", "provider", "board", "posting_id", unique=True),
    Index("jobs_newest", "tenant_id", "first_seen_at", "job_id"),
    Index("jobs_posting", "tenant_id", "posting_id"),
)

JOB_DESCRIPTIONS = Table(
    "job_descriptions",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("description", Text, nullable=False),
    ForeignKeyConstraint(["tenant_id", "job_id"], ["jobs.tenant_id", "jobs.job_id"]),
)

DISCOVERY_EXECUTION_JOBS = Table(
    "discovery_execution_jobs",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("cohort", String, nullable=False),
    Column("work_plan", String, nullable=False),
    Column("added_at", String, nullable=False),
    CheckConstraint("cohort IN ('observed_this_run', 'existing_backlog')", name="discovery_cohort"),
    CheckConstraint(
        "work_plan IN ('pending', 'planned', 'not_eligible', 'failed')", name="discovery_work_plan"
    ),
)

DISCOVERY_SOURCE_OUTCOMES = Table(
    "discovery_source_outcomes",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("source", String, primary_key=True),
    Column("status", String, nullable=False),
    Column("http_status", Integer),
    Column("found", Integer, nullable=False),
    Column("broken", Integer, nullable=False),
    Column("advertised", Integer),
    Column("code", String),
    Column("recorded_at", String, nullable=False),
)
