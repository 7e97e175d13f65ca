"""Where each job stands in the pipeline, with a guard over every change of state."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_TABLE = "job_stage_states"
_STATES = (
    "state IN ('pending', 'queued', 'running', 'succeeded', 'failed', 'blocked', 'skipped',"
    " 'exhausted', 'canceled', 'needs_verification', 'stale')"
)
_MOVES = {
    "pending": ("queued", "running", "blocked", "skipped"),
    "queued": ("running", "canceled"),
    "running": ("succeeded", "failed", "canceled", "needs_verification"),
    "failed": ("pending", "exhausted"),
    "blocked": ("pending",),
    "exhausted": ("pending",),
    "canceled": ("pending",),
    "needs_verification": ("succeeded", "failed", "pending"),
    "skipped": ("pending",),
    "succeeded": ("stale",),
    "stale": ("pending",),
}
_REFUSAL = "a stage does not move that way"


def upgrade() -> None:
    """Create the table and its guard."""
    op.create_table(
        _TABLE,
        sa.Column("tenant_id", sa.String(), nullable=False),
        sa.Column("job_id", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("workflow_id", sa.String(), nullable=True),
        sa.Column("run_id", sa.String(), nullable=True),
        sa.Column("changed_at", sa.String(), nullable=False),
        sa.CheckConstraint(_STATES, name="job_stage_state"),
        sa.PrimaryKeyConstraint("tenant_id", "job_id", "stage"),
    )
    op.create_index(
        "job_stage_states_run",
        _TABLE,
        ["tenant_id", "workflow_id", "run_id", "stage", "state"],
        unique=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_POSTGRESQL_FUNCTION)
        op.execute(
            f"CREATE TRIGGER job_stage_moves BEFORE UPDATE ON {_TABLE} FOR EACH ROW"
            f" WHEN (NOT ({_allowed()})) EXECUTE FUNCTION refuse_job_stage_move()"
        )
    else:
        op.execute(
            f"CREATE TRIGGER job_stage_moves BEFORE UPDATE ON {_TABLE} WHEN NOT ({_allowed()})"
            f" BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END"
        )


def downgrade() -> None:
    """Drop the table, its guard with it."""
    op.drop_index("job_stage_states_run", table_name=_TABLE)
    op.drop_table(_TABLE)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse_job_stage_move()")


def _allowed() -> str:
    ways = (
        f"(OLD.state = '{before}' AND NEW.state IN ({_quoted(after)}))"
        for before, after in _MOVES.items()
    )
    return " OR ".join(ways)


def _quoted(states: tuple[str, ...]) -> str:
    return ", ".join(f"'{state}'" for state in states)


_POSTGRESQL_FUNCTION = f"""
CREATE FUNCTION refuse_job_stage_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '{_REFUSAL}' USING ERRCODE = 'check_violation';
END
$$
"""
