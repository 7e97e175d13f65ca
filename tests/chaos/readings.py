"""Reads what is stored, from the database and from Temporal, for the checker."""

from sqlalchemy import Connection, select
from temporalio.client import Client, WorkflowExecutionStatus

from jobsteward.runs.model import RunStatus
from jobsteward.runs.outbox import EXECUTION_START
from jobsteward.runs.tables import EXECUTIONS, RUN_PROJECTIONS, SCHEDULED_JOBS
from jobsteward.store.event_log import JOB_EVENTS
from tests.chaos.history import EventRow, ExecutionRow, RunRow, Stored, TemporalRun

_ENDS = {
    WorkflowExecutionStatus.COMPLETED: RunStatus.SUCCEEDED,
    WorkflowExecutionStatus.FAILED: RunStatus.FAILED,
    WorkflowExecutionStatus.CANCELED: RunStatus.CANCELED,
    WorkflowExecutionStatus.TERMINATED: RunStatus.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT: RunStatus.TIMED_OUT,
}


def read_stored(conn: Connection, temporal: list[TemporalRun]) -> Stored:
    """One snapshot of the database beside what Temporal said."""
    executions, events, runs = EXECUTIONS.c, JOB_EVENTS.c, RUN_PROJECTIONS.c
    own = select(
        executions.execution_id,
        executions.tenant_id,
        executions.workflow_id,
        executions.group_id,
        executions.state,
        executions.idempotency_key,
        executions.fingerprint,
        executions.run_id,
    )
    log = select(
        events.event_id,
        events.tenant_id,
        events.entity_kind,
        events.entity_ref,
        events.seq,
        events.event_type,
        events.payload,
    ).order_by(events.event_id)
    starts = select(SCHEDULED_JOBS.c.execution_id).where(
        SCHEDULED_JOBS.c.job_type == EXECUTION_START, SCHEDULED_JOBS.c.status == "dispatched"
    )
    projected = select(runs.tenant_id, runs.workflow_id, runs.run_id, runs.status)
    return Stored(
        executions=[ExecutionRow(*row) for row in conn.execute(own)],
        events=[EventRow(*row[:6], code=row.payload.get("code")) for row in conn.execute(log)],
        runs=[RunRow(*row) for row in conn.execute(projected)],
        dispatched=set(conn.scalars(starts)),
        temporal=temporal,
    )


async def read_temporal(client: Client) -> list[TemporalRun]:
    """Every chain of runs as its first run, with how the chain ended.

    The list may lag behind for a moment: read it once all has been quiet.
    """
    found = []
    async for run in client.list_workflows():
        if run.status is WorkflowExecutionStatus.CONTINUED_AS_NEW:
            continue
        execution_id = (await run.memo()).get("execution_id", "")
        status = _ENDS.get(run.status) if run.status else None
        first = run.raw_info.first_run_id or run.run_id
        found.append(TemporalRun(run.id, first, execution_id, status))
    return found
