"""Requests to admit, and the steps of their lives, for tests of the runs room."""

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select, update

from jobsteward.runs import lifecycle, outbox, store, views
from jobsteward.runs.model import CancelOutcome, Execution, RunRef, RunStatus
from jobsteward.runs.store import Admission, Admitted
from jobsteward.runs.tables import EXECUTIONS, SCHEDULED_JOBS
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog, events_after

REQUEST = Admission(
    tenant_id="acme",
    workflow="DiscoverWorkflow",
    workflow_id="discover-acme",
    priority=5,
    token_id="tok_1",
    idempotency_key=None,
    fingerprint="f1",
    inputs={"board": "globex"},
    envelope={"config": {"version": 1}},
    startup={"received": "t0"},
    claim_token="claim-1",
)


@dataclass(frozen=True)
class Desk:
    """The runs room over one database: each method is one transaction."""

    database: Database
    log: EventLog

    async def admit(self, **changes: Any) -> Admitted:
        """Admit the standard request with these changes."""
        request = replace(REQUEST, **changes)
        return await self.database.write(lambda conn: store.admit(conn, self.log, request))

    async def cancel(self, execution: Execution, reason: str | None = None) -> CancelOutcome:
        """Request the execution's cancellation."""
        return await self.database.write(
            lambda conn: store.request_cancel(
                conn, self.log, execution, requester="owner", reason=reason
            )
        )

    async def start(self, execution: Execution, run_id: str, workflow_id: str = "") -> str:
        """Let a run serve the execution's group, as after a confirmed start."""
        ref = RunRef(execution.tenant_id, workflow_id or execution.workflow_id, run_id)

        def work(conn: Any) -> str:
            outbox.mark_dispatched(conn, f"execution_start:{execution.group_id}")
            return lifecycle.record_dispatched(
                conn, self.log, ref, group_id=execution.group_id, workflow="D", startup={}
            )

        return await self.database.write(work)

    async def end(
        self, run_id: str, status: RunStatus = RunStatus.SUCCEEDED, workflow_id: str = ""
    ) -> RunStatus:
        """Record the run's outcome; what stands afterwards."""
        ref = RunRef("acme", workflow_id or REQUEST.workflow_id, run_id)
        return await self.database.write(
            lambda conn: lifecycle.record_outcome(conn, self.log, ref, status)
        )

    async def promote(self) -> int:
        """Free what waits no longer."""
        return await self.database.write(outbox.promote_waiting)

    async def find(self, execution: Execution) -> Execution:
        """The execution as it stands now."""
        found = await self.database.read(
            lambda conn: views.find_execution(conn, execution.tenant_id, execution.execution_id)
        )
        assert found is not None
        return found

    async def jobs(self) -> list[Any]:
        """Every outbox row, oldest first."""
        statement = select(SCHEDULED_JOBS).order_by(SCHEDULED_JOBS.c.created_at)
        return await self.database.read(lambda conn: list(conn.execute(statement).all()))

    async def events(self, kind: str, ref: str) -> list[str]:
        """The types of an entity's events, in order."""
        found = await self.database.read(lambda conn: events_after(conn, "acme", [(kind, ref)], 0))
        return [event.event_type for event in found]

    async def backdate(self, execution: Execution, created_at: str) -> None:
        """Let the execution be older."""
        await self.database.write(
            lambda conn: conn.execute(
                update(EXECUTIONS)
                .where(EXECUTIONS.c.execution_id == execution.execution_id)
                .values(created_at=created_at)
            )
        )
