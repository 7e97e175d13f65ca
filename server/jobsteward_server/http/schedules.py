"""Routes about schedules; changing them needs the scope ``admin`` (LANE-1)."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from jobsteward.kernel.canonical import canonical_json
from jobsteward.runs import schedules, wire
from jobsteward.runs.schedules import Schedule
from jobsteward.runs.timing import Timing
from jobsteward_server.http.openapi import json_body
from jobsteward_server.http.services import Admin, Reader, WithServices
from jobsteward_server.strict_json import read_json_object

router = APIRouter(prefix=f"{wire.API}/schedules", tags=["schedules"])


@router.get("")
async def list_schedules(token: Reader, services: WithServices) -> wire.SchedulePage:
    """The tenant's schedules, oldest first."""
    found = await services.library.database.read(
        lambda conn: schedules.list_schedules(conn, token.tenant_id)
    )
    return wire.SchedulePage(items=[_view(item) for item in found])


@router.post("", openapi_extra=json_body(wire.ScheduleRequest))
async def add_schedule(
    token: Admin,
    services: WithServices,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
) -> wire.ScheduleView:
    """A workflow to start at its times; its inputs are checked now and at each start."""
    request = wire.parse(wire.ScheduleRequest, body, what="the request body")
    services.desk.check(request.workflow, request.inputs)
    timing = request.timing
    made = await services.library.database.write(
        lambda conn: schedules.add_schedule(
            conn,
            services.library.log,
            token.tenant_id,
            name=request.name,
            workflow=request.workflow,
            inputs=request.inputs,
            timing=Timing(tuple(timing.at), tuple(timing.days), timing.zone, timing.every_minutes),
        )
    )
    return _view(made)


@router.delete("/{schedule_id}")
async def remove_schedule(
    schedule_id: str, token: Admin, services: WithServices
) -> wire.ScheduleView:
    """The schedule, gone; what it started goes on."""
    gone = await services.library.database.write(
        lambda conn: schedules.remove_schedule(
            conn, services.library.log, token.tenant_id, schedule_id
        )
    )
    return _view(gone)


def _view(schedule: Schedule) -> wire.ScheduleView:
    values = asdict(schedule)
    del values["tenant_id"]
    return wire.ScheduleView.model_validate_json(canonical_json(values))
