"""Jobs: their texts, discovery memberships and source outcomes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "jobs",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("posting_id", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("apply_url", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("company", sa.String(), nullable=False),
        sa.Column("locations", sa.JSON(), nullable=False),
        sa.Column("remote", sa.String(), nullable=False),
        sa.Column("workplace", sa.String(), nullable=True),
        sa.Column("employment_type", sa.String(), nullable=True),
        sa.Column("department", sa.String(), nullable=True),
        sa.Column("pay", sa.JSON(), nullable=False),
        sa.Column("posted_at", sa.String(), nullable=True),
        sa.Column("updated_at", sa.String(), nullable=True),
        sa.Column("first_seen_at", sa.String(), nullable=False),
        sa.Column("last_seen_at", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_digest", sa.String(), nullable=False),
        sa.Column("description_digest", sa.String(), nullable=True),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("place_text", sa.Text(), nullable=False),
        sa.CheckConstraint("remote IN ('yes', 'no', 'unknown')", name="jobs_remote"),
        sa.PrimaryKeyConstraint("tenant_id", "job_id"),
    )
    op.create_index(
        "jobs_identity", "jobs", ["tenant_id", "provider", "board", "posting_id"], unique=True
    )
    op.create_index("jobs_newest", "jobs", ["tenant_id", "first_seen_at", "job_id"], unique=False)
    op.create_index("jobs_posting", "jobs", ["tenant_id", "posting_id"], unique=False)
    op.create_table(
        "job_descriptions",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id", "job_id"], ["jobs.tenant_id", "jobs.job_id"]),
        sa.PrimaryKeyConstraint("tenant_id", "job_id"),
    )
    op.create_table(
        "discovery_execution_jobs",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("cohort", sa.String(), nullable=False),
        sa.Column("work_plan", sa.String(), nullable=False),
        sa.Column("added_at", sa.String(), nullable=False),
        sa.CheckConstraint(
            "cohort IN ('observed_this_run', 'existing_backlog')", name="discovery_cohort"
        ),
        sa.CheckConstraint(
            "work_plan IN ('pending', 'planned', 'not_eligible', 'failed')",
            name="discovery_work_plan",
        ),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id", "job_id"),
    )
    op.create_table(
        "discovery_source_outcomes",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("found", sa.Integer(), nullable=False),
        sa.Column("broken", sa.Integer(), nullable=False),
        sa.Column("advertised", sa.Integer(), nullable=True),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("recorded_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id", "source"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("discovery_source_outcomes")
    op.drop_table("discovery_execution_jobs")
    op.drop_table("job_descriptions")
    op.drop_index("jobs_posting", table_name="jobs")
    op.drop_index("jobs_newest", table_name="jobs")
    op.drop_index("jobs_identity", table_name="jobs")
    op.drop_table("jobs")
