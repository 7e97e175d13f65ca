"""Tables of executions, their outbox, runs, tokens and worker heartbeats."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    String,
    Table,
    text,
)

from jobsteward.store.engine import METADATA

EXECUTIONS = Table(
    "workflow_executions",
    METADATA,
    Column("execution_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("workflow", String, nullable=False),
    Column("workflow_id", String, nullable=False),
    Column("group_id", String, nullable=False),
    Column("state", String, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("token_id", String, nullable=False),
    Column("idempotency_key", String),
    Column("fingerprint", String, nullable=False),
    Column("inputs", JSON, nullable=False),
    Column("startup", JSON, nullable=False),
    Column("created_at", String, nullable=False),
    Column("run_id", String),
    Column("waits_for", String),
    Column("cancel_requested_at", String),
    Column("cancel_reason", String),
    Column("closed_at", String),
    Column("close_status", String),
    Column("close_code", String),
    CheckConstraint(
        "state IN ('ready', 'waiting', 'bound', 'finished', 'closed')", name="execution_state"
    ),
    Index(
        "workflow_executions_key",
        "tenant_id",
        "workflow",
        "idempotency_key",
        unique=True,
        sqlite_where=text("idempotency_key IS NOT NULL"),
        postgresql_where=text("idempotency_key IS NOT NULL"),
    ),
    Index("workflow_executions_newest", "tenant_id", "created_at", "execution_id"),
    Index("workflow_executions_run", "tenant_id", "run_id", "created_at", "execution_id"),
    Index("workflow_executions_group", "tenant_id", "group_id"),
    Index("workflow_executions_repeat", "tenant_id", "workflow", "fingerprint", "created_at"),
    Index(
        "workflow_executions_open",
        "tenant_id",
        "workflow_id",
        "created_at",
        "execution_id",
        sqlite_where=text("state IN ('ready', 'waiting', 'bound')"),
        postgresql_where=text("state IN ('ready', 'waiting', 'bound')"),
    ),
)

SCHEDULED_JOBS = Table(
    "scheduled_jobs",
    METADATA,
    Column("job_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("job_type", String, nullable=False),
    Column("execution_id", String, nullable=False),
    Column("status", String, nullable=False),
    Column("execute_at", String, nullable=False),
    Column("created_at", String, nullable=False),
    Column("claim_token", String),
    Column("claimed_until", String),
    Column("attempts", Integer, nullable=False),
    Column("last_error", String),
    Column("dispatched_at", String),
    Column("payload", JSON, nullable=False),
    CheckConstraint(
        "status IN ('pending', 'waiting', 'dispatched', 'dropped')", name="scheduled_job_status"
    ),
    Index(
        "scheduled_jobs_due",
        "status",
        "execute_at",
        sqlite_where=text("status IN ('pending', 'waiting')"),
        postgresql_where=text("status IN ('pending', 'waiting')"),
    ),
    Index("scheduled_jobs_execution", "execution_id"),
)

RUN_PROJECTIONS = Table(
    "workflow_run_projections",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("workflow", String, nullable=False),
    Column("status", String, nullable=False),
    Column("stuck", Boolean, nullable=False),
    Column("provisional", Boolean, nullable=False),
    Column("marked_at", String),
    Column("started_at", String),
    Column("ended_at", String),
    Column("error_code", String),
    Column("error_retryable", Boolean),
    Column("result", JSON(none_as_null=True)),
    Column("summary", JSON, nullable=False),
    Column("startup", JSON, nullable=False),
    Column("gate_id", String),
    Column("last_event_id", BigInteger, nullable=False),
    Index("workflow_run_projections_run", "tenant_id", "run_id"),
    Index(
        "workflow_run_projections_open",
        "ended_at",
        sqlite_where=text("ended_at IS NULL OR provisional"),
        postgresql_where=text("ended_at IS NULL OR provisional"),
    ),
)

GATES = Table(
    "workflow_gates",
    METADATA,
    Column("gate_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("workflow_id", String, nullable=False),
    Column("run_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("opened_at", String, nullable=False),
    Column("decision", String),
    Column("decided_by", String),
    Column("decided_at", String),
    Column("answers", JSON(none_as_null=True)),
    Column("closed_at", String),
    Index("workflow_gates_run", "tenant_id", "run_id"),
)

TENANTS = Table(
    "tenants",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("created_at", String, nullable=False),
)

MEMBERSHIPS = Table(
    "memberships",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("principal", String, primary_key=True),
    Column("created_at", String, nullable=False),
    Column("revoked_at", String),
)

TOKENS = Table(
    "access_tokens",
    METADATA,
    Column("token_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("principal", String, nullable=False),
    Column("name", String, nullable=False),
    Column("prefix", String, nullable=False),
    Column("token_hash", String, nullable=False, unique=True),
    Column("scopes", JSON, nullable=False),
    Column("created_at", String, nullable=False),
    Column("expires_at", String),
    Column("revoked_at", String),
    Column("last_used_at", String),
    Index("access_tokens_tenant", "tenant_id", "created_at"),
)

HEARTBEATS = Table(
    "worker_heartbeats",
    METADATA,
    Column("worker_id", String, primary_key=True),
    Column("runtime", String, nullable=False),
    Column("lane", String, nullable=False),
    Column("task_queue", String, nullable=False),
    Column("beaten_at", String, nullable=False),
    Column("body", JSON, nullable=False),
    Index("worker_heartbeats_newest", "runtime", "beaten_at"),
)
