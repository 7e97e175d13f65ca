"""A storm in one process, in seconds: the real API and database, a stand-in for Temporal.

It has no crashes; it exists to show that traffic and checker together catch bugs that are
put in on purpose (`tests.chaos.mutants`), and are silent without them.
"""

import secrets
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import anyio
from sqlalchemy import Connection

from jobsteward.kernel.errors import DuplicateRunError
from jobsteward.library import Library
from jobsteward.runs import lifecycle, outbox
from jobsteward.runs.model import Execution, RunRef, RunStatus
from jobsteward.runs.views import find_execution
from tests.chaos.checker import Violation, violations
from tests.chaos.history import History, TemporalRun
from tests.chaos.readings import read_stored
from tests.chaos.traffic import Traffic
from tests.support.api import Api

TENANTS = ("local", "harbour")
CLIENTS = 4
"""Clients of each tenant."""


@dataclass(frozen=True)
class Rehearsed:
    """What came of it."""

    history: History
    violations: list[Violation]


class StandIn:
    """Takes envelopes out of the outbox and lets each run start, step and end."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._token = secrets.token_hex(8)
        self._runs: dict[str, TemporalRun] = {}

    @property
    def runs(self) -> list[TemporalRun]:
        """The runs, as Temporal would list them."""
        return list(self._runs.values())

    async def turn(self) -> int:
        """Deliver what is due; returns how much that was."""
        due = await self._library.database.write(
            lambda conn: outbox.claim_due(conn, self._token, 20)
        )
        async with anyio.create_task_group() as group:
            for envelope in due:
                group.start_soon(self._deliver, envelope)
        return len(due)

    async def _deliver(self, envelope: outbox.Envelope) -> None:
        execution = await self._library.database.read(
            lambda conn: find_execution(conn, envelope.tenant_id, envelope.execution_id)
        )
        if execution is None:
            return  # a mutant lost it; the checker says so
        with suppress(DuplicateRunError):  # closed meanwhile: the run ends without effect
            if envelope.job_type == outbox.EXECUTION_CANCEL:
                await self._cancel(envelope, execution)
            else:
                await self._run(envelope, execution)

    async def _run(self, envelope: outbox.Envelope, execution: Execution) -> None:
        run_id = str(uuid.uuid4())
        ref = RunRef(execution.tenant_id, execution.workflow_id, run_id)
        await self._write(lambda conn, log: self._start(conn, log, envelope, execution, ref))
        await self._write(
            lambda conn, log: lifecycle.record_first_step(
                conn, log, ref, startup={}, entered_at=execution.created_at
            )
        )
        ended = await self._end(ref, RunStatus.SUCCEEDED, "workflow")
        # The reconciler, late and with another view of it, must change nothing.
        await self._end(ref, RunStatus.TERMINATED, "reconciler")
        self._runs[run_id] = TemporalRun(
            ref.workflow_id, run_id, execution.execution_id, ended.value
        )

    async def _cancel(self, envelope: outbox.Envelope, execution: Execution) -> None:
        if execution.run_id is not None and not execution.is_terminal:
            ref = RunRef(execution.tenant_id, execution.workflow_id, execution.run_id)
            await self._end(ref, RunStatus.CANCELED, "workflow")
        await self._write(lambda conn, _log: outbox.mark_dispatched(conn, envelope.job_id))

    def _start(
        self,
        conn: Connection,
        log: Any,
        envelope: outbox.Envelope,
        execution: Execution,
        ref: RunRef,
    ) -> None:
        group, workflow = execution.group_id, execution.workflow
        lifecycle.record_dispatched(conn, log, ref, group_id=group, workflow=workflow, startup={})
        outbox.mark_dispatched(conn, envelope.job_id)
        lifecycle.record_started(
            conn, log, ref, workflow=workflow, group_id=group, summary={}, startup={}
        )

    async def _end(self, ref: RunRef, status: RunStatus, source: str) -> RunStatus:
        stands: RunStatus = await self._write(
            lambda conn, log: lifecycle.record_outcome(conn, log, ref, status, source=source)
        )
        return stands

    async def _write(self, work: Callable[[Connection, Any], Any]) -> Any:
        library = self._library
        return await library.database.write(lambda conn: work(conn, library.log))


async def rehearse(api: Api, seconds: float, seed: int = 1) -> Rehearsed:
    """Traffic for that long, then rest, then the checker's verdict."""
    history = History()
    library = api.services.library
    stand_in = StandIn(library)
    secret = await api.tenant(TENANTS[1])
    until = time.monotonic() + seconds
    async with api.http(api.secret("agent.token")) as mine, api.http(secret) as theirs:
        clients_of = dict(zip(TENANTS, (mine, theirs), strict=True))
        traffic = Traffic(clients_of, history, seed, patience=0.5)

        def goes_on() -> bool:
            return time.monotonic() < until

        async with anyio.create_task_group() as deliveries:
            deliveries.start_soon(_deliver_forever, stand_in)
            async with anyio.create_task_group() as clients:
                for tenant in TENANTS * CLIENTS:
                    clients.start_soon(traffic.client, tenant, goes_on)
                clients.start_soon(traffic.hot_key, TENANTS[0])
            deliveries.cancel_scope.cancel()
    while await stand_in.turn():
        pass
    stored = await library.database.read(lambda conn: read_stored(conn, stand_in.runs))
    return Rehearsed(history, violations(history, stored))


async def _deliver_forever(stand_in: StandIn) -> None:
    while True:
        with anyio.CancelScope(shield=True):
            await stand_in.turn()
        await anyio.sleep(0.01)
