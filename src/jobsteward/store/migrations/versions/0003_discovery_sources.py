"""The planned sources of discovery runs."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "discovery_sources",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("provider", sa.String(), nullable=True),
        sa.Column("board", sa.String(), nullable=True),
        sa.Column("region", sa.String(), nullable=True),
        sa.Column("code", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id", "source_id"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("discovery_sources")
