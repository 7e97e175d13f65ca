"""A real Temporal server for tests, and starts as the API process makes them."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import start_blocking_portal
from temporalio.client import Client, WorkflowHandle

from jobsteward.kernel.canonical import digest
from jobsteward.library import Library
from jobsteward.runs import lifecycle, store
from jobsteward.runs.model import Execution, RunRef, lane_of
from jobsteward.runs.views import find_execution
from jobsteward.settings import Settings
from jobsteward_server.app_directory import prepare
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.connect import connect
from jobsteward_worker.spec import Catalogue, WorkflowStart, workflow_queue


@contextmanager
def embedded_temporal(home: Path) -> Iterator[EmbeddedTemporal]:
    """The product's own embedded server, running over that app directory."""
    prepare(home)
    with start_blocking_portal() as portal:
        server = EmbeddedTemporal(home)
        portal.call(server.start)
        try:
            yield server
        finally:
            portal.call(server.stop, 5.0)


class Starter:
    """Admits and starts work as the API process does, without HTTP."""

    def __init__(self, library: Library, client: Client, catalogue: Catalogue) -> None:
        self.library = library
        self.client = client
        self.catalogue = catalogue

    async def admit(
        self, workflow: str, inputs: Mapping[str, Any], *, priority: int = 5, tenant: str = "local"
    ) -> Execution:
        """The accepted request."""
        spec = self.catalogue.find(workflow)
        assert spec is not None
        model = spec.inputs.model_validate(inputs)
        request = store.Admission(
            tenant_id=tenant,
            workflow=workflow,
            workflow_id=spec.workflow_id(tenant, model) if spec.workflow_id else "",
            priority=priority,
            token_id="tok_test",
            idempotency_key=f"key-{time.monotonic_ns()}",
            fingerprint=digest(dict(inputs)),
            inputs=inputs,
            envelope={},
            startup={},
            claim_token=None,
        )
        admitted = await self.library.database.write(
            lambda conn: store.admit(conn, self.library.log, request)
        )
        return admitted.execution

    async def begin(
        self,
        execution: Execution,
        *,
        acknowledge: bool = True,
        run_timeout: timedelta | None = None,
    ) -> WorkflowHandle[Any, Any]:
        """Start the request's run; its id is stored at once unless ``acknowledge`` is off."""
        spec = self.catalogue.find(execution.workflow)
        assert spec is not None
        lane = lane_of(execution.priority)
        handle: WorkflowHandle[Any, Any] = await self.client.start_workflow(
            spec.workflow.__name__,
            WorkflowStart(
                tenant_id=execution.tenant_id,
                runtime=self.library.runtime,
                execution_id=execution.execution_id,
                lane=lane,
                heartbeat_seconds=self.library.settings.heartbeat_timeout,
            ),
            id=execution.workflow_id,
            task_queue=workflow_queue(lane),
            request_eager_start=True,
            run_timeout=run_timeout,
        )
        if acknowledge:
            ref = RunRef(execution.tenant_id, execution.workflow_id, handle.result_run_id or "")
            await self.library.database.write(
                lambda conn: lifecycle.record_dispatched(
                    conn,
                    self.library.log,
                    ref,
                    group_id=execution.group_id,
                    workflow=execution.workflow,
                    startup={},
                )
            )
        return handle

    async def run(self, workflow: str, inputs: Mapping[str, Any], **how: Any) -> Execution:
        """The accepted and started request."""
        execution = await self.admit(workflow, inputs, **how)
        await self.begin(execution)
        return execution

    async def until(
        self,
        execution: Execution,
        reached: Callable[[Execution], bool] = lambda found: found.is_terminal,
        within: float = 60.0,
    ) -> Execution:
        """The request once it looks as asked (by default: ended); fails after ``within`` s."""
        with anyio.fail_after(within):
            while True:
                found = await self.library.database.read(
                    lambda conn: find_execution(conn, execution.tenant_id, execution.execution_id)
                )
                assert found is not None
                if reached(found):
                    return found
                await anyio.sleep(0.02)

    def handle(self, execution: Execution) -> WorkflowHandle[Any, Any]:
        """Temporal's handle of the run that serves it."""
        return self.client.get_workflow_handle(execution.workflow_id, run_id=execution.run_id)


async def client_of(server: EmbeddedTemporal, home: Path) -> Client:
    """A client of the test's server, made the way the product makes it."""
    return await connect(
        Settings(home=home, temporal_address=server.address, temporal_namespace=server.namespace)
    )
