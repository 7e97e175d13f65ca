"""The spine: events, executions, outbox, runs, gates, tokens and heartbeats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "access_tokens",
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("principal", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("prefix", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("expires_at", sa.String(), nullable=True),
        sa.Column("revoked_at", sa.String(), nullable=True),
        sa.Column("last_used_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("token_id"),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index(
        "access_tokens_tenant", "access_tokens", ["tenant_id", "created_at"], unique=False
    )
    op.create_table(
        "job_events",
        sa.Column(
            "event_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("entity_kind", sa.String(), nullable=False),
        sa.Column("entity_ref", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event_type", sa.String(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=True),
        sa.Column("workflow_id", sa.String(), nullable=True),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("occurred_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("event_id"),
        sa.UniqueConstraint(
            "tenant_id", "entity_kind", "entity_ref", "seq", name="job_events_order"
        ),
        sa.UniqueConstraint("tenant_id", "idempotency_key", name="job_events_once"),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "job_events_by_job", "job_events", ["tenant_id", "job_id", "event_id"], unique=False
    )
    op.create_table(
        "memberships",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("principal", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("revoked_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "principal"),
    )
    op.create_table(
        "scheduled_jobs",
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_type", sa.String(), nullable=False),
        sa.Column("execution_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("execute_at", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("claim_token", sa.String(), nullable=True),
        sa.Column("claimed_until", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("dispatched_at", sa.String(), nullable=True),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.CheckConstraint(
            "status IN ('pending', 'waiting', 'dispatched', 'dropped')", name="scheduled_job_status"
        ),
        sa.PrimaryKeyConstraint("job_id"),
    )
    op.create_index(
        "scheduled_jobs_due",
        "scheduled_jobs",
        ["status", "execute_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('pending', 'waiting')"),
        postgresql_where=sa.text("status IN ('pending', 'waiting')"),
    )
    op.create_index("scheduled_jobs_execution", "scheduled_jobs", ["execution_id"], unique=False)
    op.create_table(
        "store_identity",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("database_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tenants",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id"),
    )
    op.create_table(
        "worker_heartbeats",
        sa.Column("worker_id", sa.String(), nullable=False),
        sa.Column("runtime", sa.String(), nullable=False),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("task_queue", sa.String(), nullable=False),
        sa.Column("beaten_at", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("worker_id"),
    )
    op.create_index(
        "worker_heartbeats_newest", "worker_heartbeats", ["runtime", "beaten_at"], unique=False
    )
    op.create_table(
        "workflow_executions",
        sa.Column("execution_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("group_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("startup", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("waits_for", sa.String(), nullable=True),
        sa.Column("cancel_requested_at", sa.String(), nullable=True),
        sa.Column("cancel_reason", sa.String(), nullable=True),
        sa.Column("closed_at", sa.String(), nullable=True),
        sa.Column("close_status", sa.String(), nullable=True),
        sa.Column("close_code", sa.String(), nullable=True),
        sa.CheckConstraint(
            "state IN ('ready', 'waiting', 'bound', 'finished', 'closed')", name="execution_state"
        ),
        sa.PrimaryKeyConstraint("execution_id"),
    )
    op.create_index(
        "workflow_executions_key",
        "workflow_executions",
        ["tenant_id", "workflow", "idempotency_key"],
        unique=True,
        sqlite_where=sa.text("idempotency_key IS NOT NULL"),
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.create_index(
        "workflow_executions_newest",
        "workflow_executions",
        ["tenant_id", "created_at", "execution_id"],
        unique=False,
    )
    op.create_index(
        "workflow_executions_open",
        "workflow_executions",
        ["tenant_id", "workflow_id"],
        unique=False,
        sqlite_where=sa.text("state IN ('ready', 'waiting', 'bound')"),
        postgresql_where=sa.text("state IN ('ready', 'waiting', 'bound')"),
    )
    op.create_index(
        "workflow_executions_repeat",
        "workflow_executions",
        ["tenant_id", "workflow", "fingerprint", "created_at"],
        unique=False,
    )
    op.create_index(
        "workflow_executions_run", "workflow_executions", ["tenant_id", "run_id"], unique=False
    )
    op.create_table(
        "workflow_gates",
        sa.Column("gate_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("opened_at", sa.String(), nullable=False),
        sa.Column("decision", sa.String(), nullable=True),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", sa.String(), nullable=True),
        sa.Column("answers", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("closed_at", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("gate_id"),
    )
    op.create_index("workflow_gates_run", "workflow_gates", ["tenant_id", "run_id"], unique=False)
    op.create_table(
        "workflow_run_projections",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("stuck", sa.Boolean(), nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("marked_at", sa.String(), nullable=True),
        sa.Column("started_at", sa.String(), nullable=True),
        sa.Column("ended_at", sa.String(), nullable=True),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("error_retryable", sa.Boolean(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("startup", sa.JSON(), nullable=False),
        sa.Column("gate_id", sa.String(), nullable=True),
        sa.Column("last_event_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id"),
    )
    op.create_index(
        "workflow_run_projections_open",
        "workflow_run_projections",
        ["ended_at"],
        unique=False,
        sqlite_where=sa.text("ended_at IS NULL OR provisional"),
        postgresql_where=sa.text("ended_at IS NULL OR provisional"),
    )
    op.create_index(
        "workflow_run_projections_run",
        "workflow_run_projections",
        ["tenant_id", "run_id"],
        unique=False,
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_index("workflow_run_projections_run", table_name="workflow_run_projections")
    op.drop_index(
        "workflow_run_projections_open",
        table_name="workflow_run_projections",
        sqlite_where=sa.text("ended_at IS NULL OR provisional"),
        postgresql_where=sa.text("ended_at IS NULL OR provisional"),
    )
    op.drop_table("workflow_run_projections")
    op.drop_index("workflow_gates_run", table_name="workflow_gates")
    op.drop_table("workflow_gates")
    op.drop_index("workflow_executions_run", table_name="workflow_executions")
    op.drop_index("workflow_executions_repeat", table_name="workflow_executions")
    op.drop_index(
        "workflow_executions_open",
        table_name="workflow_executions",
        sqlite_where=sa.text("state IN ('ready', 'waiting', 'bound')"),
        postgresql_where=sa.text("state IN ('ready', 'waiting', 'bound')"),
    )
    op.drop_index("workflow_executions_newest", table_name="workflow_executions")
    op.drop_index(
        "workflow_executions_key",
        table_name="workflow_executions",
        sqlite_where=sa.text("idempotency_key IS NOT NULL"),
        postgresql_where=sa.text("idempotency_key IS NOT NULL"),
    )
    op.drop_table("workflow_executions")
    op.drop_index("worker_heartbeats_newest", table_name="worker_heartbeats")
    op.drop_table("worker_heartbeats")
    op.drop_table("tenants")
    op.drop_table("store_identity")
    op.drop_index("scheduled_jobs_execution", table_name="scheduled_jobs")
    op.drop_index(
        "scheduled_jobs_due",
        table_name="scheduled_jobs",
        sqlite_where=sa.text("status IN ('pending', 'waiting')"),
        postgresql_where=sa.text("status IN ('pending', 'waiting')"),
    )
    op.drop_table("scheduled_jobs")
    op.drop_table("memberships")
    op.drop_index("job_events_by_job", table_name="job_events")
    op.drop_table("job_events")
    op.drop_index("access_tokens_tenant", table_name="access_tokens")
    op.drop_table("access_tokens")
