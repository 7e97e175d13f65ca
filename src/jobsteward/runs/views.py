"""Read models of runs: the projection rows, and executions joined with the run that serves them."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    RowMapping,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
    text,
    tuple_,
    update,
)

from jobsteward.kernel.events import Event
from jobsteward.kernel.ids import EXECUTION_PREFIX
from jobsteward.runs.model import (
    TERMINAL,
    Execution,
    ExecutionState,
    Run,
    RunRef,
    RunStatus,
    fold,
)
from jobsteward.runs.tables import EXECUTIONS, RUN_PROJECTIONS
from jobsteward.store.engine import upsert

_RUN_FIELDS = tuple(Run.__dataclass_fields__)
EXECUTION_FIELDS = tuple(name for name in Execution.__dataclass_fields__ if name != "run")


def _executions_with_runs() -> Select[Any]:
    """Executions, each beside its run's row where there is one."""
    run = RUN_PROJECTIONS.c
    joined = EXECUTIONS.outerjoin(
        RUN_PROJECTIONS,
        and_(
            run.tenant_id == EXECUTIONS.c.tenant_id,
            run.workflow_id == EXECUTIONS.c.workflow_id,
            run.run_id == EXECUTIONS.c.run_id,
        ),
    )
    labelled = [run[name].label(f"run__{name}") for name in _RUN_FIELDS]
    return select(EXECUTIONS, *labelled).select_from(joined)


# Statements of the path that every request takes are built once: building one costs more
# than running it.
EXECUTIONS_WITH_RUNS = _executions_with_runs()
"""Executions, each beside its run's row where there is one; read rows with `execution_of`."""

_BY_EXECUTION_ID = EXECUTIONS_WITH_RUNS.where(
    EXECUTIONS.c.tenant_id == bindparam("tenant"), EXECUTIONS.c.execution_id == bindparam("id")
)
_BY_RUN_ID = (
    EXECUTIONS_WITH_RUNS.where(
        EXECUTIONS.c.tenant_id == bindparam("tenant"), EXECUTIONS.c.run_id == bindparam("id")
    )
    .order_by(EXECUTIONS.c.created_at, EXECUTIONS.c.execution_id)
    .limit(1)
)
# Literals, because a partial index serves only a condition that is spelled like its own.
IS_OPEN = text("workflow_executions.state IN ('ready', 'waiting', 'bound')")
"""The condition that an execution has not ended."""

_COUNT_OPEN = (
    select(func.count())
    .select_from(EXECUTIONS)
    .where(
        EXECUTIONS.c.tenant_id == bindparam("tenant"),
        # True for all; without it SQLite prefers an index over the whole history.
        EXECUTIONS.c.workflow_id >= "",
        IS_OPEN,
    )
)
_RUN_BY_REF = select(RUN_PROJECTIONS).where(
    RUN_PROJECTIONS.c.tenant_id == bindparam("tenant"),
    RUN_PROJECTIONS.c.workflow_id == bindparam("workflow"),
    RUN_PROJECTIONS.c.run_id == bindparam("run"),
)
_SET_FINISHED = (
    update(EXECUTIONS)
    .where(
        EXECUTIONS.c.tenant_id == bindparam("of_tenant"),
        EXECUTIONS.c.run_id == bindparam("of_run"),
        EXECUTIONS.c.state == bindparam("before"),
    )
    .values(state=bindparam("after"))
)


class RunProjection:
    """Keeps ``workflow_run_projections``, one row for each exact run."""

    name = "workflow_runs"
    entity_kinds = frozenset({"run"})

    def fold(self, conn: Connection, events: Sequence[Event]) -> None:
        """Fold the events of each run into its row, and end or reopen its executions."""
        refs = dict.fromkeys(_ref(event) for event in events)
        before = {ref: run for ref in refs if (run := find_run(conn, ref))}
        runs = dict(before)
        for event in events:
            ref = _ref(event)
            run = runs.get(ref) or Run(ref.tenant_id, ref.workflow_id, ref.run_id)
            runs[ref] = fold(run, event)
        changed = [run for ref, run in runs.items() if run != before.get(ref)]
        rows = [{name: getattr(run, name) for name in _RUN_FIELDS} for run in changed]
        upsert(conn, RUN_PROJECTIONS, rows)
        for run in changed:
            was = before.get(run.ref)
            if (was is not None and was.status in TERMINAL) != (run.status in TERMINAL):
                set_finished(conn, run)

    def clear(self, conn: Connection) -> None:
        """Forget every run row; executions count as bound until their end is folded again."""
        conn.execute(RUN_PROJECTIONS.delete())
        conn.execute(
            update(EXECUTIONS)
            .where(EXECUTIONS.c.state == ExecutionState.FINISHED)
            .values(state=ExecutionState.BOUND)
        )


def set_finished(conn: Connection, run: Run) -> None:
    """Let the executions of this run end or reopen with it."""
    ended = run.status in TERMINAL
    states = (ExecutionState.BOUND, ExecutionState.FINISHED)
    before, after = states if ended else states[::-1]
    keys = {"of_tenant": run.tenant_id, "of_run": run.run_id, "before": before, "after": after}
    conn.execute(_SET_FINISHED, keys)


def finish_if_ended(conn: Connection, ref: RunRef) -> None:
    """Let the executions that were bound to this run after its end be finished too."""
    run = find_run(conn, ref)
    if run is not None and run.status in TERMINAL:
        set_finished(conn, run)


def find_run(conn: Connection, ref: RunRef) -> Run | None:
    """The run's row, where one of its events has been folded."""
    key = {"tenant": ref.tenant_id, "workflow": ref.workflow_id, "run": ref.run_id}
    row = conn.execute(_RUN_BY_REF, key).first()
    return run_of(row._mapping) if row else None


def open_runs(conn: Connection, after: tuple[str, str, str], limit: int) -> list[Run]:
    """Runs that have not truly ended, in key order, for the reconciler (REC-1)."""
    columns = RUN_PROJECTIONS.c
    key = tuple_(columns.tenant_id, columns.workflow_id, columns.run_id)
    statement = (
        select(RUN_PROJECTIONS)
        .where(or_(columns.ended_at.is_(None), columns.provisional), key > tuple_(*after))
        .order_by(columns.tenant_id, columns.workflow_id, columns.run_id)
        .limit(limit)
    )
    return [run_of(row._mapping) for row in conn.execute(statement)]


def run_of(values: Mapping[str, Any] | RowMapping) -> Run:
    """The run that a projection row holds."""
    fields = {name: values[name] for name in _RUN_FIELDS}
    return Run(**fields | {"status": RunStatus(fields["status"])})


def find_execution(conn: Connection, tenant_id: str, any_id: str) -> Execution | None:
    """The execution with this receipt, or the first one that holds this run id."""
    statement = _BY_EXECUTION_ID if any_id.startswith(EXECUTION_PREFIX) else _BY_RUN_ID
    row = conn.execute(statement, {"tenant": tenant_id, "id": any_id}).first()
    return execution_of(row) if row else None


def list_executions(
    conn: Connection,
    tenant_id: str,
    *,
    workflow: str | None = None,
    statuses: Sequence[RunStatus] = (),
    before: tuple[str, str] | None = None,
    limit: int = 50,
) -> list[Execution]:
    """Executions, newest first. ``before`` is the (created_at, execution_id) of the last one
    seen; ``statuses`` keeps those whose visible status is among them."""
    columns = EXECUTIONS.c
    statement = EXECUTIONS_WITH_RUNS.where(columns.tenant_id == tenant_id)
    if workflow:
        statement = statement.where(columns.workflow == workflow)
    if statuses:
        statement = statement.where(_has_status(statuses))
    if before:
        statement = statement.where(
            tuple_(columns.created_at, columns.execution_id) < tuple_(*before)
        )
    statement = statement.order_by(columns.created_at.desc(), columns.execution_id.desc())
    return [execution_of(row) for row in conn.execute(statement.limit(limit))]


def count_open(conn: Connection, tenant_id: str) -> int:
    """How many of the tenant's executions have not ended."""
    return conn.scalar(_COUNT_OPEN, {"tenant": tenant_id}) or 0


def execution_of(row: Row[Any]) -> Execution:
    """The execution and run that a row of `EXECUTIONS_WITH_RUNS` holds."""
    values = row._mapping
    run = None
    if values["run__run_id"] is not None:
        run = run_of({name: values[f"run__{name}"] for name in _RUN_FIELDS})
    fields = {name: values[name] for name in EXECUTION_FIELDS}
    return Execution(**fields | {"state": ExecutionState(fields["state"]), "run": run})


def _has_status(statuses: Sequence[RunStatus]) -> Any:
    columns, run = EXECUTIONS.c, RUN_PROJECTIONS.c
    closed = columns.state == ExecutionState.CLOSED
    shown = func.coalesce(run.status, RunStatus.PENDING.value)
    live = shown.not_in([status.value for status in TERMINAL])
    cancelling = and_(live, columns.cancel_requested_at.is_not(None))
    own = and_(closed, columns.close_status.in_([status.value for status in statuses]))
    cases = [own, and_(~closed, ~cancelling, shown.in_([status.value for status in statuses]))]
    if RunStatus.CANCEL_REQUESTED in statuses:
        cases.append(and_(~closed, cancelling))
    return or_(*cases)


def _ref(event: Event) -> RunRef:
    return RunRef(event.tenant_id, event.workflow_id or "", event.run_id or "")
