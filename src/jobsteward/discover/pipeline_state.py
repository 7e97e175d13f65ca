"""Where each job stands in the pipeline: the only writer of stage states (DOM-1, DOM-3).

A move is checked by `kernel.stages`, becomes an event of the job, and the event becomes the
row. Two more guards stand behind that: the database refuses a change of state that is no
move, and a test that no other module names the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    select,
)

from jobsteward.discover.tables import JOBS
from jobsteward.kernel.errors import NotFoundError
from jobsteward.kernel.events import Event, NewEvent
from jobsteward.kernel.stages import (
    Stage,
    StageMove,
    StageRecord,
    StageState,
    is_ready,
    moved,
)
from jobsteward.store.engine import METADATA, lock, upsert
from jobsteward.store.event_log import JOB_EVENTS, EventLog

JOB_STAGE_STATES = Table(
    "job_stage_states",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("stage", String, primary_key=True),
    Column("state", String, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("reason", String),
    Column("workflow_id", String),
    Column("run_id", String),
    Column("changed_at", String, nullable=False),
    CheckConstraint(
        "state IN ('pending', 'queued', 'running', 'succeeded', 'failed', 'blocked', 'skipped',"
        " 'exhausted', 'canceled', 'needs_verification', 'stale')",
        name="job_stage_state",
    ),
    Index("job_stage_states_run", "tenant_id", "workflow_id", "run_id", "stage", "state"),
)
"""One row for each stage that ever moved. ``workflow_id`` and ``run_id`` name the run whose
work it was last."""

MOVED = "JobStageMoved"
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class StageWork:
    """Whose work moves the stages: the exact run, or nobody's where a person does it."""

    tenant_id: str
    workflow_id: str | None = None
    run_id: str | None = None


def stages_of(conn: Connection, tenant_id: str, job_id: str) -> dict[Stage, StageRecord]:
    """Every stage of the job, in order. Raises NotFoundError where there is no such job."""
    return _records(conn, tenant_id, [job_id])[job_id]


def move_stage(
    conn: Connection, log: EventLog, work: StageWork, job_id: str, stage: Stage, move: StageMove
) -> StageRecord:
    """The stage as it stands after the move, which is stored with its event.

    A move that was made already, of the same attempt to the same state, changes nothing.
    Raises StageMoveError for a move that there is not, NotFoundError for an unknown job.
    """
    return move_stages(conn, log, work, [job_id], stage, move)[job_id]


def move_stages(
    conn: Connection,
    log: EventLog,
    work: StageWork,
    job_ids: Sequence[str],
    stage: Stage,
    move: StageMove,
) -> dict[str, StageRecord]:
    """The same move for many jobs, all of them or none."""
    lock(conn, f"stages:{work.tenant_id}")
    before = _records(conn, work.tenant_id, job_ids)
    made = _made(conn, work.tenant_id, {_key(job_id, stage, move): job_id for job_id in job_ids})
    after: dict[str, StageRecord] = {}
    events: list[NewEvent] = []
    for job_id, records in before.items():
        if job_id in made:
            after[job_id] = records[stage]
            continue
        states = {each: record.state for each, record in records.items()}
        after[job_id] = moved(records[stage], move, states)
        events.append(_event(work, job_id, records[stage], after[job_id], move))
    log.append_all(conn, events)
    return after


def make_stale(
    conn: Connection, log: EventLog, work: StageWork, job_ids: Sequence[str], changed: Stage
) -> None:
    """What built on a stage that came out differently no longer holds.

    Succeeded stages after ``changed`` become stale; a sent application stays as it is.
    """
    if not job_ids:
        return
    lock(conn, f"stages:{work.tenant_id}")
    columns = JOB_STAGE_STATES.c
    later = [stage for stage in changed.downstream if stage is not Stage.APPLY]
    events: list[NewEvent] = []
    for start in range(0, len(job_ids), _CHUNK):
        rows = conn.execute(
            select(JOB_STAGE_STATES).where(
                columns.tenant_id == work.tenant_id,
                columns.job_id.in_(job_ids[start : start + _CHUNK]),
                columns.stage.in_(later),
                columns.state == StageState.SUCCEEDED,
            )
        )
        for row in rows:
            record = _record(row)
            move = StageMove(StageState.STALE, record.attempt, f"{changed}_changed")
            events.append(_event(work, row.job_id, record, moved(record, move, {}), move))
    log.append_all(conn, events)


def due_jobs(conn: Connection, tenant_id: str, job_ids: Sequence[str], stage: Stage) -> list[str]:
    """Those of the jobs whose stage may be queued now, or after a return to pending."""
    waiting = {StageState.PENDING, StageState.STALE, StageState.CANCELED, StageState.FAILED}
    return [
        job_id
        for job_id, records in _records(conn, tenant_id, job_ids).items()
        if records[stage].state in waiting
        and is_ready(stage, {each: record.state for each, record in records.items()})
    ]


def jobs_of_run(
    conn: Connection, work: StageWork, stage: Stage, states: Sequence[StageState]
) -> dict[str, StageRecord]:
    """The jobs whose stage this very run moved last and left in one of the states."""
    columns = JOB_STAGE_STATES.c
    rows = conn.execute(
        select(JOB_STAGE_STATES)
        .where(
            columns.tenant_id == work.tenant_id,
            columns.workflow_id == work.workflow_id,
            columns.run_id == work.run_id,
            columns.stage == stage,
            columns.state.in_(states),
        )
        .order_by(columns.job_id)
    )
    return {row.job_id: _record(row) for row in rows}


class StageProjection:
    """Keeps ``job_stage_states``, one row for each stage that moved."""

    name = "job_stages"
    entity_kinds = frozenset({"job"})

    def fold(self, conn: Connection, events: Sequence[Event]) -> None:
        """Put what the events say in their order, so that the database sees every move."""
        rows = [
            {
                "tenant_id": event.tenant_id,
                "job_id": event.entity_ref,
                "stage": event.payload["stage"],
                "state": event.payload["to"],
                "attempt": event.payload["attempt"],
                "failures": event.payload["failures"],
                "reason": event.payload["reason"],
                "workflow_id": event.workflow_id,
                "run_id": event.run_id,
                "changed_at": event.occurred_at,
            }
            for event in events
            if event.event_type == MOVED
        ]
        upsert(conn, JOB_STAGE_STATES, rows)

    def clear(self, conn: Connection) -> None:
        """Forget every row; untouched stages are pending."""
        conn.execute(JOB_STAGE_STATES.delete())


def _records(
    conn: Connection, tenant_id: str, job_ids: Sequence[str]
) -> dict[str, dict[Stage, StageRecord]]:
    found: dict[str, dict[Stage, StageRecord]] = {}
    for start in range(0, len(job_ids), _CHUNK):
        part = job_ids[start : start + _CHUNK]
        known = select(JOBS.c.job_id).where(JOBS.c.tenant_id == tenant_id, JOBS.c.job_id.in_(part))
        found |= {job_id: _untouched() for job_id in conn.scalars(known)}
        stored = select(JOB_STAGE_STATES).where(
            JOB_STAGE_STATES.c.tenant_id == tenant_id, JOB_STAGE_STATES.c.job_id.in_(part)
        )
        for row in conn.execute(stored):
            found[row.job_id][Stage(row.stage)] = _record(row)
    if missing := set(job_ids) - found.keys():
        raise NotFoundError(f"{len(missing)} of these jobs are not there; search_jobs lists all")
    return {job_id: found[job_id] for job_id in job_ids}


def _untouched() -> dict[Stage, StageRecord]:
    # A job that is stored has been discovered: that needs no row of its own.
    records = {stage: StageRecord(stage) for stage in Stage}
    records[Stage.DISCOVER] = StageRecord(Stage.DISCOVER, StageState.SUCCEEDED)
    return records


def _record(row: Row[tuple[object, ...]]) -> StageRecord:
    values = row._mapping
    return StageRecord(
        Stage(values["stage"]),
        StageState(values["state"]),
        values["attempt"],
        values["failures"],
        values["reason"],
    )


def _key(job_id: str, stage: Stage, move: StageMove) -> str:
    # Every way round leads through pending, which begins a new attempt: within one attempt a
    # state is reached once.
    return f"stage:{job_id}:{stage}:{move.attempt}:{move.to}"


def _made(conn: Connection, tenant_id: str, keys: dict[str, str]) -> set[str]:
    columns, names = JOB_EVENTS.c, list(keys)
    found: set[str] = set()
    for start in range(0, len(names), _CHUNK):
        statement = select(columns.idempotency_key).where(
            columns.tenant_id == tenant_id,
            columns.idempotency_key.in_(names[start : start + _CHUNK]),
        )
        found |= {keys[key] for key in conn.scalars(statement)}
    return found


def _event(
    work: StageWork, job_id: str, before: StageRecord, after: StageRecord, move: StageMove
) -> NewEvent:
    return NewEvent(
        tenant_id=work.tenant_id,
        entity_kind="job",
        entity_ref=job_id,
        event_type=MOVED,
        idempotency_key=_key(job_id, before.stage, move),
        payload={
            "stage": before.stage,
            "from": before.state,
            "to": after.state,
            "attempt": after.attempt,
            "failures": after.failures,
            "reason": after.reason,
            "by": move.by,
        },
        job_id=job_id,
        workflow_id=work.workflow_id,
        run_id=work.run_id,
    )
