"""Routes about what a person looks for."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from jobsteward.discover.preferences import read_preferences
from jobsteward.discover.preferences import save_preferences as save
from jobsteward.discover.wire import PreferencesView, preferences_of, preferences_view
from jobsteward.runs.wire import API, parse
from jobsteward_server.http.openapi import json_body
from jobsteward_server.http.services import Reader, Runner, WithServices
from jobsteward_server.strict_json import read_json_object

router = APIRouter(prefix=f"{API}/preferences", tags=["preferences"])


@router.get("")
async def get_preferences(token: Reader, services: WithServices) -> PreferencesView:
    """What the person looks for; all empty where nothing was saved."""
    wanted = await services.library.database.read(
        lambda conn: read_preferences(conn, token.tenant_id)
    )
    return preferences_view(wanted)


@router.put("", openapi_extra=json_body(PreferencesView))
async def put_preferences(
    token: Runner,
    services: WithServices,
    body: Annotated[dict[str, Any], Depends(read_json_object)],
) -> PreferencesView:
    """What the person looks for from now on; runs that were planned keep theirs (DIS-5)."""
    view = parse(PreferencesView, body, what="the request body")
    wanted = preferences_of(view)
    await services.library.database.write(lambda conn: save(conn, token.tenant_id, wanted))
    return view
