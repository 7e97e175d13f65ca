"""Routes about what is new: a digest to read, and a feed to follow."""

from fastapi import APIRouter, Response

from jobsteward.discover.digest import look, make_digest, newest_jobs
from jobsteward.discover.wire import DigestView, digest_view
from jobsteward.runs.wire import API
from jobsteward_server.http.atom import CONTENT_TYPE, feed
from jobsteward_server.http.services import Reader, Runner, WithServices

router = APIRouter(prefix=API, tags=["digest"])


@router.get("/digest")
async def look_at_digest(token: Reader, services: WithServices) -> DigestView:
    """What is new since the last digest; it stays new."""
    found = await services.library.database.read(lambda conn: look(conn, token.tenant_id))
    return digest_view(found)


@router.post("/digest")
async def take_digest(token: Runner, services: WithServices) -> DigestView:
    """What is new since the last digest; the next one begins after it."""
    made = await services.library.database.write(lambda conn: make_digest(conn, token.tenant_id))
    return digest_view(made)


@router.get(
    "/digest.atom",
    response_class=Response,
    responses={200: {"content": {CONTENT_TYPE: {"schema": {"type": "string"}}}}},
)
async def digest_feed(token: Reader, services: WithServices) -> Response:
    """The hundred jobs that were found last, as an Atom feed (RFC 4287)."""
    jobs = await services.library.database.read(lambda conn: newest_jobs(conn, token.tenant_id))
    return Response(feed(token.tenant_id, jobs), media_type=CONTENT_TYPE)
