"""Why postings were let in or not, and which jobs belong together."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "job_admissions",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("checks", sa.JSON(), nullable=False),
        sa.Column("basis", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("by_person", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("decided_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "job_id"),
    )
    op.create_table(
        "job_blocks",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("block", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "job_id"),
    )
    op.create_index("job_blocks_block", "job_blocks", ["tenant_id", "block"])
    op.create_table(
        "job_links",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("other_id", sa.String(), nullable=False),
        sa.Column("link", sa.String(), nullable=False),
        sa.Column("because", sa.String(), nullable=False),
        sa.Column("undone_at", sa.String(), nullable=True),
        sa.Column("linked_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "job_id", "other_id"),
        sa.CheckConstraint(
            "link IN ('same', 'possible_duplicate', 'repost_of')", name="job_link_kind"
        ),
    )
    op.create_index("job_links_other", "job_links", ["tenant_id", "other_id"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("job_links")
    op.drop_table("job_blocks")
    op.drop_table("job_admissions")
