"""How runs came to their first step since a place in the log, for whoever counts it (OBS-1)."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, and_, select

from jobsteward.runs.model import FIRST_STEP, INTERACTIVE_PRIORITY, Lane
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.store.event_log import JOB_EVENTS


@dataclass(frozen=True, slots=True)
class Startup:
    """The start-up times of one run by stage, without whose it was."""

    event_id: int
    lane: Lane
    times: Mapping[str, str]


def background_startups_after(conn: Connection, after: int, limit: int) -> list[Startup]:
    """First steps of background runs recorded beyond that event id, in log order.

    Worker processes run those; the interactive lane is heard where it is served.
    """
    event, execution = JOB_EVENTS.c, EXECUTIONS.c
    first_holder = and_(
        execution.tenant_id == event.tenant_id,
        execution.run_id == event.run_id,
        execution.execution_id == execution.group_id,
    )
    statement = (
        select(event.event_id, event.payload)
        .join(EXECUTIONS, first_holder)
        .where(
            event.event_id > after,
            event.event_type == FIRST_STEP,
            execution.priority < INTERACTIVE_PRIORITY,
        )
        .order_by(event.event_id)
        .limit(limit)
    )
    return [
        Startup(event_id, Lane.BACKGROUND, payload.get("startup", {}))
        for event_id, payload in conn.execute(statement)
    ]
