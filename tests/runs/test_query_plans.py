"""The statements of every request and every run read a few rows, however long the history."""

from typing import Any

import pytest
from sqlalchemy import Executable
from sqlalchemy.dialects import sqlite

from jobsteward.library import Library
from jobsteward.runs import store, views

_RUN_KEY = "(tenant_id=? AND workflow_id=? AND run_id=?)"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("statement", "plan"),
    [
        (store._REPEATED, "workflow_executions_repeat (tenant_id=? AND workflow=? AND fingerp"),
        (store._WITH_KEY, "workflow_executions_key (tenant_id=? AND workflow=? AND idempotency"),
        (store._NEWEST_LIVE, "workflow_executions_open (tenant_id=? AND workflow_id=?)"),
        (store._BOUND, "workflow_executions_group (tenant_id=? AND group_id=?)"),
        (store._BIND, "workflow_executions_group (tenant_id=? AND group_id=?)"),
        (views._COUNT_OPEN, "workflow_executions_open (tenant_id=? AND workflow_id>?)"),
        (views._BY_RUN_ID, "workflow_executions_run (tenant_id=? AND run_id=?)"),
        (views._SET_FINISHED, "workflow_executions_run (tenant_id=? AND run_id=?)"),
        (views._RUN_BY_REF, f"sqlite_autoindex_workflow_run_projections_1 {_RUN_KEY}"),
    ],
    ids=lambda value: value.split(" ")[0] if isinstance(value, str) else "",
)
async def test_the_plan_names_the_narrow_index(
    library: Library, statement: Executable, plan: str
) -> None:
    """DOM-4: an admission or a start marker costs the same at 100 and at 100,000 executions."""
    if library.database.dialect != "sqlite":
        pytest.skip("plans are SQLite's; PostgreSQL plans by statistics")

    def explain(conn: Any) -> str:
        compiled = statement.compile(dialect=sqlite.dialect())  # type: ignore[attr-defined]
        text = str(compiled).replace("(__[POSTCOMPILE_state_1])", "('ready', 'waiting')")
        rows = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", ("",) * text.count("?"))
        return "\n".join(row[3] for row in rows)

    assert plan in await library.database.read(explain)
