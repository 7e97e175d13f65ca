"""Whether new starts are held back."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "dispatch_holds",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("held_since", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("dispatch_holds")
