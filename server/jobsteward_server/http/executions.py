"""Routes that take work in: execute, and the catalogue of what can be executed."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from jobsteward.kernel.errors import UnknownWorkflowError
from jobsteward.runs import wire
from jobsteward.runs.model import INTERACTIVE_PRIORITY, Lane, lane_of
from jobsteward_server.admission import Submission
from jobsteward_server.http.services import Reader, Runner, WithServices
from jobsteward_server.strict_json import read_json_object
from jobsteward_worker.spec import WorkflowSpec

router = APIRouter(prefix=f"{wire.API}/workflows", tags=["workflows"])

_EXECUTE_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": wire.ExecuteRequest.model_json_schema()}},
    },
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
        }
    ],
}


@router.post("/{workflow}/execute", openapi_extra=_EXECUTE_BODY)
async def execute(
    workflow: str,
    request: Request,
    response: Response,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
    token: Runner,
    services: WithServices,
) -> wire.Receipt:
    """Accept work durably and answer with its receipt, before any worker has begun (ADM-2)."""
    submission = Submission(
        workflow=workflow,
        body=body,
        token=token,
        idempotency_key=request.state.idempotency_key,
        startup=_startup(request),
    )
    lane = _lane(services.catalogue.find(workflow), body)
    services.metrics.observe_stage("authentication", lane, submission.startup)
    receipt = await services.desk.admit(submission)
    services.metrics.observe_stage("admission", lane, submission.startup)
    if receipt.replayed:
        response.headers["idempotent-replayed"] = "true"
    return receipt


@router.get("")
async def list_workflows(_token: Reader, services: WithServices) -> wire.WorkflowPage:
    """The catalogue, with the JSON Schema of each workflow's inputs."""
    return wire.WorkflowPage(items=[_entry(spec) for spec in services.catalogue])


@router.get("/{workflow}")
async def get_workflow(workflow: str, _token: Reader, services: WithServices) -> wire.WorkflowEntry:
    """One workflow of the catalogue."""
    spec = services.catalogue.find(workflow)
    if spec is None:
        raise UnknownWorkflowError("no workflow of that name; list them first", [])
    return _entry(spec)


def _entry(spec: WorkflowSpec) -> wire.WorkflowEntry:
    return wire.WorkflowEntry(
        name=spec.name,
        description=spec.description,
        lane=lane_of(spec.priority),
        spendful=spec.spendful,
        input_schema=spec.inputs.model_json_schema(),
    )


def _startup(request: Request) -> dict[str, str]:
    state = request.state
    return {
        "first_byte": state.received_at,
        "body_received": state.body_received_at,
        "authentication": state.authenticated_at,
    }


def _lane(spec: WorkflowSpec | None, body: dict[str, Any]) -> Lane:
    """The lane of a body that may still turn out to be refused."""
    own = spec.priority if spec else INTERACTIVE_PRIORITY
    asked = body.get("priority")
    return lane_of(asked if isinstance(asked, int) else own)
