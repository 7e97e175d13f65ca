"""Which runs ended since a place in the log, for whoever counts them (OBS-1)."""

from dataclasses import dataclass

from sqlalchemy import Connection, and_, select

from jobsteward.runs.model import TERMINAL_EVENTS, RunStatus
from jobsteward.runs.tables import RUN_PROJECTIONS
from jobsteward.store.event_log import JOB_EVENTS


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one run, without whose it was."""

    event_id: int
    workflow: str
    status: RunStatus
    code: str | None


def outcomes_after(conn: Connection, after: int, limit: int) -> list[Outcome]:
    """Ends recorded beyond that event id, in log order."""
    event, run = JOB_EVENTS.c, RUN_PROJECTIONS.c
    same = and_(
        run.tenant_id == event.tenant_id,
        run.workflow_id == event.workflow_id,
        run.run_id == event.run_id,
    )
    statement = (
        select(event.event_id, run.workflow, event.event_type, run.error_code)
        .join(RUN_PROJECTIONS, same)
        .where(event.event_id > after, event.event_type.in_(list(TERMINAL_EVENTS)))
        .order_by(event.event_id)
        .limit(limit)
    )
    return [
        Outcome(event_id, workflow, TERMINAL_EVENTS[kind], code)
        for event_id, workflow, kind, code in conn.execute(statement)
    ]
