"""Find an execution's group and the live ones of a workflow id without reading the history."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_TABLE = "workflow_executions"
_IS_OPEN = sa.text("state IN ('ready', 'waiting', 'bound')")
_AGE = ["created_at", "execution_id"]


def upgrade() -> None:
    """Index the group, and order the indexes of runs and of live executions by age."""
    op.create_index("workflow_executions_group", _TABLE, ["tenant_id", "group_id"])
    _replace(_AGE)


def downgrade() -> None:
    """Put the indexes back as they were."""
    _replace([])
    op.drop_index("workflow_executions_group", _TABLE)


def _replace(more: list[str]) -> None:
    op.drop_index("workflow_executions_run", _TABLE)
    op.create_index("workflow_executions_run", _TABLE, ["tenant_id", "run_id", *more])
    op.drop_index("workflow_executions_open", _TABLE)
    op.create_index(
        "workflow_executions_open",
        _TABLE,
        ["tenant_id", "workflow_id", *more],
        sqlite_where=_IS_OPEN,
        postgresql_where=_IS_OPEN,
    )
