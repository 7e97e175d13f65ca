"""What is remembered of hosts on the web, and of lists that were stored."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "web_hosts",
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("day", sa.String(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("paid_until", sa.String(), nullable=True),
        sa.Column("resting_until", sa.String(), nullable=True),
        sa.Column("cooling_until", sa.String(), nullable=True),
        sa.Column("probing_until", sa.String(), nullable=True),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("strikes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("host"),
    )
    op.create_table(
        "web_validators",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("url_digest", sa.String(), nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.Column("etag", sa.String(), nullable=True),
        sa.Column("last_modified", sa.String(), nullable=True),
        sa.Column("stored_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "url_digest"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("web_validators")
    op.drop_table("web_hosts")
