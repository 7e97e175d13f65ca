"""Delivers envelopes to Temporal: at once after admission, and again until it is confirmed."""

import asyncio
import secrets
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import Connection
from temporalio.client import Client, WorkflowHandle
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import StorageError
from jobsteward.library import Library
from jobsteward.runs import lifecycle, outbox, store
from jobsteward.runs.drain import held_since
from jobsteward.runs.model import Execution, Lane, RunRef, RunStatus
from jobsteward.runs.views import find_execution
from jobsteward_worker.activities.control import StartupObserver
from jobsteward_worker.parking import Parking
from jobsteward_worker.spec import Catalogue, WorkflowStart, workflow_queue

START_TIMEOUT = 5.0
"""Seconds one delivery may take before it counts as uncertain (ADM-1)."""
RECOVERY_INTERVAL = 1.0
RECORD_AFTER = 0.05
"""Seconds by which the record of an interactive start lets the run's own first writes pass:
they share one writer, and nobody waits for this record."""
_BATCH = 100
_PARALLEL = 16
_RETRY_AFTER = timedelta(seconds=1)
_PRIORITY_LEVELS = 5

log = structlog.get_logger()


class Dispatcher:
    """The one place that starts and cancels workflows.

    ``client`` is None while Temporal is not connected: envelopes then wait.
    """

    def __init__(self, library: Library, catalogue: Catalogue, observer: StartupObserver) -> None:
        self._library = library
        self._catalogue = catalogue
        self._observer = observer
        self._token = secrets.token_hex(16)
        self._slots = asyncio.Semaphore(_PARALLEL)
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self._answers = True
        self._held = False
        self.client: Client | None = None

    @property
    def claim_token(self) -> str | None:
        """The claim for an envelope that can be delivered at once; None leaves it to recovery."""
        ready = self.connected and not self._held and not self._slots.locked()
        return self._token if ready else None

    @property
    def connected(self) -> bool:
        """Whether Temporal took or answered the last delivery."""
        return self.client is not None and self._answers

    def start_now(self, execution: Execution, payload: Mapping[str, Any]) -> None:
        """Begin the delivery of a just admitted, claimed envelope."""
        job_id = f"{outbox.EXECUTION_START}:{execution.execution_id}"
        envelope = outbox.Envelope(
            job_id,
            outbox.EXECUTION_START,
            execution.tenant_id,
            execution.execution_id,
            0,
            payload,
        )
        self._spawn(self._deliver(envelope, execution))

    def wake(self) -> None:
        """Look for due envelopes now rather than at the next interval."""
        self._wake.set()

    async def wake_run(self, execution: Execution) -> None:
        """Tell a parked run to look for its decision; it also looks by itself (ADM-9)."""
        if self.client is None or execution.run_id is None:
            return
        handle = self.client.get_workflow_handle(execution.workflow_id, run_id=execution.run_id)
        with suppress(RPCError, TimeoutError):
            async with asyncio.timeout(START_TIMEOUT):
                await handle.signal(Parking.wake)

    async def recover_forever(self) -> None:
        """Deliver every due envelope, each second and whenever woken, until cancelled."""
        while True:
            try:
                while await self._recover_once() == _BATCH:
                    pass
            except StorageError as error:
                log.warning("dispatch_paused", code=error.code)
            with suppress(TimeoutError):
                async with asyncio.timeout(RECOVERY_INTERVAL):
                    await self._wake.wait()
            self._wake.clear()

    async def close(self) -> None:
        """Let deliveries in flight finish; what is uncertain stays in the outbox."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=START_TIMEOUT)

    async def _recover_once(self) -> int:
        database = self._library.database
        self._held = await database.read(held_since) is not None
        if self.client is None or not await database.read(outbox.has_work):
            return 0
        await database.write(outbox.promote_waiting)
        limit = _BATCH if self._answers else 1  # one probe while Temporal is silent
        kinds = (outbox.EXECUTION_CANCEL,) if self._held else outbox.KINDS
        due = await database.write(lambda conn: outbox.claim_due(conn, self._token, limit, kinds))
        async with asyncio.TaskGroup() as group:
            for envelope in due:
                group.create_task(self._deliver(envelope))
        return len(due) if self._answers else 0

    def _spawn(self, delivery: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(delivery)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _deliver(self, envelope: outbox.Envelope, execution: Execution | None = None) -> None:
        """One attempt; anything but a confirmation gives the claim back."""
        async with self._slots:
            try:
                async with asyncio.timeout(START_TIMEOUT):
                    delivered = await self._attempt(envelope, execution)
                self._answers = True
            except (RPCError, TimeoutError) as error:
                self._answers = not _is_outage(error)
                delivered = False
                log.warning("delivery_failed", kind=envelope.job_type, error=type(error).__name__)
            except StorageError as error:
                log.warning("delivery_unrecorded", kind=envelope.job_type, code=error.code)
                return
            if not delivered:
                await self._release(envelope)

    async def _release(self, envelope: outbox.Envelope) -> None:
        def work(conn: Connection) -> None:
            outbox.release(
                conn, envelope.job_id, self._token, error="not_confirmed", delay=_RETRY_AFTER
            )

        with suppress(StorageError):
            await self._library.database.write(work)

    async def _attempt(self, envelope: outbox.Envelope, execution: Execution | None) -> bool:
        if execution is None:
            execution = await self._library.database.read(
                lambda conn: find_execution(conn, envelope.tenant_id, envelope.execution_id)
            )
        assert execution is not None and self.client is not None
        if envelope.job_type == outbox.EXECUTION_CANCEL:
            return await self._cancel(envelope, execution)
        return await self._start(envelope, execution)

    async def _start(self, envelope: outbox.Envelope, execution: Execution) -> bool:
        run_id = execution.run_id
        if run_id is None:
            failpoints.reach("dispatch.before_start")
            run_id = await self._start_run(envelope, execution)
        if run_id is None:
            return False
        failpoints.reach("dispatch.after_start")
        self._observer.observe_stage("publication", execution.lane, execution.startup)
        ref = RunRef(execution.tenant_id, execution.workflow_id, run_id)
        published = {"publication": timestamp(utc_now())}
        if execution.lane is Lane.INTERACTIVE:
            await asyncio.sleep(RECORD_AFTER)

        def work(conn: Connection) -> None:
            lifecycle.record_dispatched(
                conn,
                self._library.log,
                ref,
                group_id=execution.group_id,
                workflow=execution.workflow,
                startup=published,
            )
            outbox.mark_dispatched(conn, envelope.job_id)

        await self._library.database.write(work)
        return True

    async def _start_run(self, envelope: outbox.Envelope, execution: Execution) -> str | None:
        """The run that serves this execution, started now or by an earlier attempt."""
        assert self.client is not None
        spec = self._catalogue.find(execution.workflow)
        if spec is None:
            log.error("workflow_gone", workflow=execution.workflow)
            return None
        start = WorkflowStart(
            tenant_id=execution.tenant_id,
            runtime=self._library.runtime,
            execution_id=execution.execution_id,
            inputs_sha256=envelope.payload.get("inputs_sha256", ""),
            lane=execution.lane,
            heartbeat_seconds=self._library.settings.heartbeat_timeout,
        )
        derived = spec.workflow_id is None
        reuse = WorkflowIDReusePolicy
        try:
            handle: WorkflowHandle[Any, Any] = await self.client.start_workflow(
                spec.workflow.__name__,
                start,
                id=execution.workflow_id,
                task_queue=workflow_queue(execution.lane),
                id_reuse_policy=reuse.REJECT_DUPLICATE if derived else reuse.ALLOW_DUPLICATE,
                id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
                memo={"execution_id": execution.execution_id, "workflow": spec.name},
                request_eager_start=execution.lane is Lane.INTERACTIVE,
                priority=Priority(priority_key=_priority_key(execution.priority)),
            )
        except WorkflowAlreadyStartedError as already:
            return await self._joined(execution, already.run_id)
        return handle.result_run_id

    async def _joined(self, execution: Execution, run_id: str | None) -> str | None:
        """The live run's id where it is this execution's own; otherwise its turn comes later."""
        assert self.client is not None and run_id is not None
        handle = self.client.get_workflow_handle(execution.workflow_id, run_id=run_id)
        memo = await (await handle.describe()).memo()
        return run_id if memo.get("execution_id") == execution.execution_id else None

    async def _cancel(self, envelope: outbox.Envelope, execution: Execution) -> bool:
        if execution.is_terminal:
            await self._settle(envelope.job_id)
            return True
        if execution.run_id is None:
            return await self._cancel_unstarted(envelope, execution)
        assert self.client is not None
        handle = self.client.get_workflow_handle(execution.workflow_id, run_id=execution.run_id)
        try:
            await handle.cancel()
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            await self._settle(envelope.job_id)  # it closed by itself
            return True
        failpoints.reach("cancel.after_delivery")
        ref = RunRef(execution.tenant_id, execution.workflow_id, execution.run_id)

        def work(conn: Connection) -> None:
            lifecycle.record_cancellation(
                conn,
                self._library.log,
                ref,
                evidence="request_intent",
                requester=envelope.payload.get("requester", ""),
                source="api",
                reason=envelope.payload.get("reason"),
            )
            outbox.mark_dispatched(conn, envelope.job_id)

        await self._library.database.write(work)
        return True

    async def _cancel_unstarted(self, envelope: outbox.Envelope, execution: Execution) -> bool:
        """End an execution whose start nobody has made or is making; otherwise look again."""

        def work(conn: Connection) -> bool:
            if not outbox.drop_unclaimed_start(conn, execution.group_id):
                return False
            store.close(conn, self._library.log, execution, RunStatus.CANCELED, None)
            outbox.mark_dispatched(conn, envelope.job_id)
            return True

        return await self._library.database.write(work)

    async def _settle(self, job_id: str) -> None:
        await self._library.database.write(lambda conn: outbox.mark_dispatched(conn, job_id))


def _is_outage(error: RPCError | TimeoutError) -> bool:
    """Whether Temporal is silent, rather than refusing this one call."""
    refusals = {RPCStatusCode.INVALID_ARGUMENT, RPCStatusCode.ALREADY_EXISTS}
    return isinstance(error, TimeoutError) or error.status not in refusals


def _priority_key(priority: int) -> int:
    """Our 9 (first) … 0 (last) as Temporal's 1 (first) … 5 (last)."""
    return _PRIORITY_LEVELS - priority // 2
