"""Schedules, and the digests that were made."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "schedules",
        sa.Column("schedule_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("workflow", sa.String(), nullable=False),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("timing", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.Column("next_at", sa.String(), nullable=False),
        sa.Column("last_at", sa.String(), nullable=True),
        sa.Column("last_execution_id", sa.String(), nullable=True),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("schedule_id"),
    )
    op.create_index("schedules_due", "schedules", ["next_at"], unique=False)
    op.create_index("schedules_tenant", "schedules", ["tenant_id", "created_at"], unique=False)
    op.create_table(
        "digests",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("digest_id", sa.String(), nullable=False),
        sa.Column("made_at", sa.String(), nullable=False),
        sa.Column("through_event", sa.BigInteger(), nullable=False),
        sa.Column("job_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "digest_id"),
    )
    op.create_index("digests_newest", "digests", ["tenant_id", "through_event"], unique=False)


def downgrade() -> None:
    """Drop the tables."""
    op.drop_index("digests_newest", table_name="digests")
    op.drop_table("digests")
    op.drop_index("schedules_tenant", table_name="schedules")
    op.drop_index("schedules_due", table_name="schedules")
    op.drop_table("schedules")
