"""The route for files that are too large for an input."""

from fastapi import APIRouter, Request

from jobsteward.runs import uploads, wire
from jobsteward_server.http.openapi import RAW_BODY
from jobsteward_server.http.services import Runner, WithServices

router = APIRouter(prefix=f"{wire.API}/uploads", tags=["uploads"])


@router.post("/{kind}", openapi_extra=RAW_BODY)
async def upload(
    kind: uploads.UploadKind, request: Request, token: Runner, services: WithServices
) -> wire.UploadView:
    """Store the raw body; name it in inputs by its id and sha256 (ADM-12)."""
    library = services.library
    sha256, size = await uploads.receive(library.settings.artefacts, kind, request.stream())
    stored = await library.database.write(
        lambda conn: uploads.record_upload(conn, token.tenant_id, kind, sha256, size)
    )
    return wire.UploadView(upload_id=stored.upload_id, sha256=sha256, size=size)
