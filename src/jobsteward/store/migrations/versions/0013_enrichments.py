"""Snapshots of postings, which never change, and the newest reading of each job."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_REFUSAL = "a snapshot never changes"


def upgrade() -> None:
    """Create the tables and the snapshots' guard."""
    op.create_table(
        "job_posting_snapshots",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("posting", sa.JSON(), nullable=False),
        sa.Column("taken_at", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("tenant_id", "job_id", "digest"),
    )
    op.create_table(
        "job_enrichments",
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("snapshot", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("read_at", sa.String(), nullable=False),
        sa.CheckConstraint("text IN ('full', 'unknown')", name="job_enrichment_text"),
        sa.PrimaryKeyConstraint("tenant_id", "job_id"),
    )
    if _on_postgresql():
        op.execute(_POSTGRESQL_FUNCTION)
        op.execute(
            "CREATE TRIGGER job_posting_snapshot_kept BEFORE UPDATE ON job_posting_snapshots"
            " FOR EACH ROW EXECUTE FUNCTION refuse_snapshot_change()"
        )
    else:
        op.execute(
            "CREATE TRIGGER job_posting_snapshot_kept BEFORE UPDATE ON job_posting_snapshots"
            f" BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
        )


def downgrade() -> None:
    """Drop the tables, the guard with them."""
    op.drop_table("job_enrichments")
    op.drop_table("job_posting_snapshots")
    if _on_postgresql():
        op.execute("DROP FUNCTION refuse_snapshot_change()")


def _on_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"


_POSTGRESQL_FUNCTION = f"""
CREATE FUNCTION refuse_snapshot_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'check_violation';
END
$$
"""
