"""Routes about executions and their runs: read, list, explain, cancel, decide."""

import base64
import binascii
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from sqlalchemy import Connection

from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import parse_timestamp, timestamp, utc_now
from jobsteward.kernel.errors import InvalidInputError, NotFoundError, PermissionDeniedError
from jobsteward.kernel.ids import EXECUTION_PREFIX
from jobsteward.runs import gates, store, wire
from jobsteward.runs.model import NEEDS_PERSON, Execution, RunRef, RunStatus
from jobsteward.runs.pipeline import StepView, steps_of
from jobsteward.runs.tokens import Token
from jobsteward.runs.views import find_execution, list_executions
from jobsteward_server.http.openapi import json_body
from jobsteward_server.http.services import Reader, Runner, Services, WithServices
from jobsteward_server.strict_json import read_json_object
from jobsteward_server.waiting import explain

router = APIRouter(prefix=f"{wire.API}/workflow-runs", tags=["workflow runs"])
MAX_WAIT = 120.0


@router.get("")
async def list_runs(
    token: Reader,
    services: WithServices,
    workflow: Annotated[str | None, Query(max_length=100)] = None,
    status: Annotated[list[RunStatus] | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> wire.RunPage:
    """Executions of the caller's tenant, newest first."""
    before = _read_cursor(cursor) if cursor else None
    found = await services.library.database.read(
        lambda conn: list_executions(
            conn,
            token.tenant_id,
            workflow=workflow,
            statuses=status or (),
            before=before,
            limit=limit + 1,
        )
    )
    page, more = found[:limit], len(found) > limit
    now = timestamp(utc_now())
    return wire.RunPage(
        items=[wire.view_of(execution, now) for execution in page],
        next_cursor=_cursor(page[-1]) if more else None,
    )


@router.get("/{any_id}")
async def get_run(
    any_id: str,
    token: Reader,
    services: WithServices,
    wait: Annotated[float, Query(ge=0, le=MAX_WAIT)] = 0,
) -> wire.RunView:
    """The execution by its receipt or run id; with ``wait``, held up to that many seconds
    until it has ended or needs a person (ADM-7)."""
    execution = await _mine(services, token, any_id)
    if wait and not _settled(execution):
        found: Execution | None = await services.tail.wait_until(
            lambda conn: find_execution(conn, token.tenant_id, execution.execution_id),
            lambda seen: seen is None or _settled(seen),
            seconds=wait,
            tenant_id=token.tenant_id,
        )
        execution = found or execution
    return wire.view_of(execution, timestamp(utc_now()))


@router.get("/{any_id}/why")
async def why(any_id: str, token: Reader, services: WithServices) -> wire.Reason:
    """Why the run waits, and what to do next (OBS-5)."""
    execution = await _mine(services, token, any_id)
    return await explain(services.library, services.dispatcher.connected, execution)


@router.get("/{any_id}/steps")
async def steps(any_id: str, token: Reader, services: WithServices) -> wire.StepPage:
    """How far the run's steps have come (DIS-10); empty before a run serves the request."""
    execution = await _mine(services, token, any_id)
    if execution.run_id is None:
        return wire.StepPage(items=[])
    ref = RunRef(execution.tenant_id, execution.workflow_id, execution.run_id)
    found = await services.library.database.read(lambda conn: steps_of(conn, ref))
    return wire.StepPage(items=[_step(view) for view in found])


@router.post("/{any_id}/cancel", openapi_extra=json_body(wire.CancelRequest))
async def cancel(
    any_id: str,
    token: Runner,
    services: WithServices,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
) -> wire.CancelAnswer:
    """Ask for the run to stop; the request is durable before anything is delivered (ADM-8)."""
    request = wire.parse(wire.CancelRequest, body, what="the request body")
    execution = await _mine(services, token, any_id)
    outcome = await services.library.database.write(
        lambda conn: store.request_cancel(
            conn,
            services.library.log,
            execution,
            requester=token.principal,
            reason=request.reason,
        )
    )
    failpoints.reach("cancel.after_commit")
    services.dispatcher.wake()
    after = await _mine(services, token, execution.execution_id)
    return wire.CancelAnswer(outcome=outcome, status=after.status)


@router.post("/{any_id}/decisions", openapi_extra=json_body(wire.DecisionRequest))
async def decide(
    any_id: str,
    token: Runner,
    services: WithServices,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
) -> wire.DecisionAnswer:
    """Decide the named gate, once; approving needs the scope ``approve`` (ADM-9, SEC-7)."""
    request = wire.parse(wire.DecisionRequest, body, what="the request body")
    execution = await _mine(services, token, any_id)
    if request.decision != "answer" and "approve" not in token.scopes:
        raise PermissionDeniedError("approving and rejecting need a token with the scope approve")

    def work(conn: Connection) -> bool:
        gate = gates.find_gate(conn, token.tenant_id, request.gate_id)
        if gate.run_id != execution.run_id:
            raise NotFoundError("no such gate; read the run for the gate that is open now")
        return gates.decide(
            conn, gate, request.decision, decided_by=token.principal, answers=request.answers
        )

    fresh = await services.library.database.write(work)
    await services.dispatcher.wake_run(execution)
    return wire.DecisionAnswer(
        gate_id=request.gate_id, decision=request.decision, replayed=not fresh
    )


def _step(view: StepView) -> wire.StepEntry:
    state = view.state.lower()
    return wire.StepEntry.model_validate(
        {
            "step": view.kind,
            "key": view.key,
            "attempt": view.attempt,
            "state": state,
            "at": view.at,
            "facts": dict(view.facts),
        }
    )


async def _mine(services: Services, token: Token, any_id: str) -> Execution:
    execution = await services.library.database.read(
        lambda conn: find_execution(conn, token.tenant_id, any_id)
    )
    if execution is None:
        raise NotFoundError("no such run; list yours with GET /api/v1/workflow-runs")
    return execution


def _settled(execution: Execution) -> bool:
    return execution.is_terminal or execution.status in NEEDS_PERSON


def _cursor(execution: Execution) -> str:
    text = f"{execution.created_at} {execution.execution_id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_cursor(text: str) -> tuple[str, str]:
    try:
        padded = text + "=" * (-len(text) % 4)
        created_at, execution_id = base64.urlsafe_b64decode(padded).decode().split(" ")
        parse_timestamp(created_at)
    except (ValueError, binascii.Error):
        created_at = execution_id = ""
    if not execution_id.startswith(EXECUTION_PREFIX) or "\0" in execution_id:
        raise InvalidInputError(
            "this cursor was not given by us; start again without one", {"cursor": "unknown"}
        )
    return created_at, execution_id
