"""Routes about the process itself: alive, ready, metrics."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from jobsteward.kernel.errors import StorageError
from jobsteward.runs import outbox
from jobsteward_server.http.metrics import CONTENT_TYPE
from jobsteward_server.http.services import WithServices

router = APIRouter(tags=["system"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(services: WithServices) -> JSONResponse:
    """200 where work is admitted; ``degraded`` while Temporal does not answer (ADM-11)."""
    database = services.library.database
    if database.failed:
        return _unready(StorageError.code)
    try:
        backlog = await database.read(outbox.backlog)
    except StorageError as error:
        return _unready(error.code)
    connected = services.dispatcher.connected
    body = {
        "status": "ready" if connected else "degraded",
        "temporal": connected,
        "pending_dispatches": backlog.pending,
    }
    return JSONResponse(body)


def _unready(code: str) -> JSONResponse:
    return JSONResponse({"status": "unready", "code": code}, status_code=503)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(services: WithServices) -> Response:
    """Prometheus text: no tenant, no execution, no posting."""
    await services.metrics.refresh(services.library)
    return Response(services.metrics.render(), media_type=CONTENT_TYPE)
