"""Routes that hold new starts back and let them go again; for the scope ``admin``."""

from dataclasses import asdict

from fastapi import APIRouter

from jobsteward.runs import drain, wire
from jobsteward_server.http.services import Admin, Services, WithServices

router = APIRouter(prefix=f"{wire.API}/drain", tags=["system"])


@router.get("")
async def read_drain(_token: Admin, services: WithServices) -> wire.DrainView:
    """How far draining has come."""
    return await _view(services)


@router.put("")
async def begin_drain(_token: Admin, services: WithServices) -> wire.DrainView:
    """Start nothing new, let running work end, keep accepting (ENV-7)."""
    await services.library.database.write(drain.hold_starts)
    return await _view(services)


@router.delete("")
async def end_drain(_token: Admin, services: WithServices) -> wire.DrainView:
    """Start again what was accepted meanwhile."""
    await services.library.database.write(drain.release_starts)
    services.dispatcher.wake()
    return await _view(services)


async def _view(services: Services) -> wire.DrainView:
    found = await services.library.database.read(drain.progress)
    return wire.DrainView(**asdict(found), done=found.done)
