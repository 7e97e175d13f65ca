"""Uploaded files."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "uploads",
        sa.Column("upload_id", sa.String(), nullable=False),
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("upload_id"),
    )
    op.create_index("uploads_tenant", "uploads", ["tenant_id", "created_at"], unique=False)


def downgrade() -> None:
    """Drop the table."""
    op.drop_index("uploads_tenant", table_name="uploads")
    op.drop_table("uploads")
