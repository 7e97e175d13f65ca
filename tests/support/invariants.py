"""What must hold of every stored state, as a list of what does not (FAULTS I1, I6, I13)."""

from typing import Any

from sqlalchemy import Connection, func, select

from jobsteward.library import PROJECTIONS
from jobsteward.runs.model import ACCEPTED
from jobsteward.runs.tables import EXECUTIONS, RUN_PROJECTIONS
from jobsteward.store.event_log import JOB_EVENTS, whole_log
from jobsteward.store.projector import Projector


def violations(conn: Connection) -> list[str]:
    """Broken invariants of the log and the executions, empty where all hold.

    The projections are rebuilt on the way, so run this in a transaction.
    """
    found = [f"{ref}: gap in seq" for ref in _gaps(conn)]
    accepted = _refs(conn, JOB_EVENTS.c.event_type == ACCEPTED)
    executions = set(conn.scalars(select(EXECUTIONS.c.execution_id)))
    found += [f"{ref}: no accepted event" for ref in executions - accepted]
    found += [f"{ref}: events without an execution" for ref in accepted - executions]
    before = _projected(conn)
    Projector(PROJECTIONS).rebuild(conn, whole_log(conn))
    if _projected(conn) != before:
        found.append("projections differ from a rebuild")
    return found


def _gaps(conn: Connection) -> list[str]:
    columns = JOB_EVENTS.c
    count, first, last = func.count(), func.min(columns.seq), func.max(columns.seq)
    statement = (
        select(columns.entity_ref)
        .group_by(columns.tenant_id, columns.entity_kind, columns.entity_ref)
        .having((first != 1) | (last != count))
    )
    return list(conn.scalars(statement))


def _refs(conn: Connection, condition: Any) -> set[str]:
    return set(conn.scalars(select(JOB_EVENTS.c.entity_ref).where(condition)))


def _projected(conn: Connection) -> list[tuple[Any, ...]]:
    runs = conn.execute(select(RUN_PROJECTIONS).order_by(RUN_PROJECTIONS.c.run_id))
    states = conn.execute(
        select(EXECUTIONS.c.execution_id, EXECUTIONS.c.state).order_by(EXECUTIONS.c.execution_id)
    )
    return [tuple(row) for row in (*runs, *states)]
