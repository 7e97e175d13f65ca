"""From a validated request to a durable receipt: checks, one commit, immediate dispatch."""

import asyncio
import difflib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from jobsteward.kernel import failpoints
from jobsteward.kernel.canonical import canonical_json, digest
from jobsteward.kernel.errors import (
    CapacityExceededError,
    PayloadTooLargeError,
    UnknownWorkflowError,
)
from jobsteward.library import Library
from jobsteward.runs import store, wire
from jobsteward.runs.schedules import PRIORITY, Schedule
from jobsteward.runs.tokens import Token
from jobsteward.runs.views import count_open
from jobsteward_server.dispatcher import Dispatcher
from jobsteward_worker.spec import Catalogue, WorkflowSpec

MAX_INPUT_BYTES = 256 * 1024
MAX_OPEN_EXECUTIONS = 50_000
"""Accepted and not ended, for one tenant; beyond it a request is refused, not queued."""
_COUNT_EVERY = 1.0
_MARGIN = 10_000
"""More than all API processes admit in that second; nearer to the limit each one counts."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One request as it arrived, after its shape, token and key were found good.

    ``startup`` maps the stages so far to their times.
    """

    workflow: str
    body: Mapping[str, Any]
    token: Token
    idempotency_key: str | None
    startup: Mapping[str, str] = field(default_factory=dict)


class AdmissionDesk:
    """Admits work for every front door of this process."""

    def __init__(self, library: Library, catalogue: Catalogue, dispatcher: Dispatcher) -> None:
        self._library = library
        self._catalogue = catalogue
        self._dispatcher = dispatcher
        self._open: dict[str, tuple[float, int]] = {}

    async def admit(self, submission: Submission) -> wire.Receipt:
        """The receipt, once its row and envelope are durable; Temporal is not waited for.

        Raises UnknownWorkflowError, InvalidInputError, PayloadTooLargeError, KeyReusedError,
        CapacityExceededError or StorageError; none of them leaves a row (ADM-3, ADM-6).
        """
        spec = self._spec(submission.workflow)
        request = wire.parse(wire.ExecuteRequest, submission.body, what="the request body")
        inputs = _inputs(spec, request.inputs)
        admission = self._admission(spec, submission, request, inputs)
        open_lately = await self._check_capacity(admission.tenant_id)
        close_to_limit = open_lately + _MARGIN > MAX_OPEN_EXECUTIONS
        log = self._library.log

        def work(conn: Any) -> store.Admitted:
            admitted = store.admit(conn, log, admission)
            if (
                close_to_limit
                and not admitted.replayed
                and count_open(conn, admission.tenant_id) > MAX_OPEN_EXECUTIONS
            ):
                raise CapacityExceededError("too many executions are open; wait or cancel some")
            failpoints.reach("admit.before_commit")
            return admitted

        admitted = await self._library.database.write(work)
        failpoints.reach("admit.after_commit")
        if admitted.dispatch:
            self._dispatcher.start_now(admitted.execution, admission.envelope)
            await asyncio.sleep(0)  # the call to Temporal leaves before the answer is built
        return _receipt(admitted)

    async def _check_capacity(self, tenant_id: str) -> int:
        """The tenant's open executions, counted at most once a second, whatever the load."""
        now = time.monotonic()
        counted_at, open_now = self._open.get(tenant_id, (-_COUNT_EVERY, 0))
        if now - counted_at >= _COUNT_EVERY:
            open_now = await self._library.database.read(lambda conn: count_open(conn, tenant_id))
            self._open[tenant_id] = (now, open_now)
        if open_now >= MAX_OPEN_EXECUTIONS:
            raise CapacityExceededError("too many executions are open; wait or cancel some")
        return open_now

    def check(self, workflow: str, inputs: Mapping[str, Any]) -> None:
        """Raises what admission would for these inputs, without admitting anything."""
        _inputs(self._spec(workflow), inputs)

    def scheduled(self, schedule: Schedule, idempotency_key: str) -> store.Admission:
        """The request that a due schedule makes. Raises what admission would (LANE-1)."""
        spec = self._spec(schedule.workflow)
        inputs = _inputs(spec, schedule.inputs)
        body = {"inputs": dict(schedule.inputs)}
        return store.Admission(
            tenant_id=schedule.tenant_id,
            workflow=spec.name,
            workflow_id=spec.workflow_id(schedule.tenant_id, inputs) if spec.workflow_id else "",
            priority=PRIORITY,
            token_id=schedule.schedule_id,
            idempotency_key=idempotency_key,
            fingerprint=_fingerprint(body),
            inputs=schedule.inputs,
            envelope=self._envelope(spec, schedule.inputs),
            startup={},
            claim_token=None,
        )

    def _envelope(self, spec: WorkflowSpec, inputs: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "workflow": spec.name,
            "version": spec.version,
            "config": spec.config(self._library.settings),
            "inputs_sha256": digest(inputs),
        }

    def _spec(self, name: str) -> WorkflowSpec:
        spec = self._catalogue.find(name)
        if spec is None:
            near = difflib.get_close_matches(name, self._catalogue.specs, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else "list them first"
            raise UnknownWorkflowError(f"no workflow of that name; {hint}", near)
        return spec

    def _admission(
        self,
        spec: WorkflowSpec,
        submission: Submission,
        request: wire.ExecuteRequest,
        inputs: BaseModel,
    ) -> store.Admission:
        tenant_id = submission.token.tenant_id
        return store.Admission(
            tenant_id=tenant_id,
            workflow=spec.name,
            workflow_id=spec.workflow_id(tenant_id, inputs) if spec.workflow_id else "",
            priority=spec.priority if request.priority is None else request.priority,
            token_id=submission.token.token_id,
            idempotency_key=submission.idempotency_key,
            fingerprint=_fingerprint(submission.body),
            inputs=request.inputs,
            envelope=self._envelope(spec, request.inputs),
            startup=submission.startup,
            claim_token=self._dispatcher.claim_token,
        )


def _inputs(spec: WorkflowSpec, inputs: Mapping[str, Any]) -> BaseModel:
    if len(canonical_json(inputs).encode()) > MAX_INPUT_BYTES:
        raise PayloadTooLargeError("inputs are limited to 256 KiB; upload larger files")
    return wire.parse(spec.inputs, inputs, what=f"the input of {spec.name}", at=("inputs",))


def _fingerprint(body: Mapping[str, Any]) -> str:
    members = {name: body.get(name) for name in ("inputs", "caller_chain", "overrides")}
    return digest({name: value for name, value in members.items() if value})


def _receipt(admitted: store.Admitted) -> wire.Receipt:
    execution = admitted.execution
    path = wire.run_path(execution.execution_id)
    return wire.Receipt(
        execution_id=execution.execution_id,
        workflow=execution.workflow,
        replayed=admitted.replayed,
        run_path=path,
        events_path=f"{path}/events",
    )
