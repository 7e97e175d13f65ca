"""What discovery runs look for, their search units, and a receipt for each posting."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_OPEN = sa.text("state IN ('pending', 'running')")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "discovery_searches",
        *_of_run(),
        sa.Column("wanted", sa.JSON(), nullable=False),
        sa.Column("job_limit", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id"),
    )
    _create_units()
    op.create_table(
        "discovery_receipts",
        *_of_run(),
        sa.Column("unit_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("effect", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "effect IN ('discovered', 'updated', 'unchanged', 'refused')", name="receipt_effect"
        ),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id", "unit_id", "job_id"),
    )
    op.create_index(
        "discovery_receipts_effect",
        "discovery_receipts",
        ["tenant_id", "workflow_id", "run_id", "effect"],
        unique=False,
    )
    op.create_table(
        "search_preferences",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("wanted", sa.JSON(), nullable=False),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("search_preferences")
    op.drop_index("discovery_receipts_effect", table_name="discovery_receipts")
    op.drop_table("discovery_receipts")
    op.drop_index("discovery_search_units_open", table_name="discovery_search_units")
    op.drop_table("discovery_search_units")
    op.drop_table("discovery_searches")


def _create_units() -> None:
    op.create_table(
        "discovery_search_units",
        *_of_run(),
        sa.Column("unit_id", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("provider", sa.String(), nullable=False),
        sa.Column("board", sa.String(), nullable=False),
        sa.Column("region", sa.String(), nullable=False),
        sa.Column("query", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("request_digest", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("checkpoint", sa.JSON(), nullable=True),
        sa.Column("reset_revision", sa.Integer(), nullable=True),
        sa.Column("refused_writes", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.CheckConstraint(
            "state IN ('pending', 'running', 'done', 'failed', 'canceled')",
            name="search_unit_state",
        ),
        sa.PrimaryKeyConstraint("tenant_id", "workflow_id", "run_id", "unit_id"),
    )
    op.create_index(
        "discovery_search_units_open",
        "discovery_search_units",
        ["changed_at"],
        unique=False,
        sqlite_where=_OPEN,
        postgresql_where=_OPEN,
    )


def _of_run() -> list[sa.Column[str]]:
    return [
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.String(), nullable=False),
    ]
