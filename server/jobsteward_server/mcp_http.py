"""MCP over Streamable HTTP, as part of the API process and behind the API's own tokens (SEC-2)."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

import httpx
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware, get_access_token
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import PARSE_ERROR
from pydantic import AnyHttpUrl
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobsteward.client import ApiClient, Connect
from jobsteward.kernel.errors import AuthenticationError, JobstewardError
from jobsteward.runs.tokens import Token
from jobsteward_server import strict_json
from jobsteward_tools.access import Api

PATH = "/mcp"
METADATA_PATH = "/.well-known/oauth-protected-resource"
REQUIRED_SCOPE = "read"
_MAX_BODY = 1 << 20

Verify: TypeAlias = Callable[[str], Awaitable[Token]]
"""The API's own check of a secret; raises AuthenticationError for anything but a live token."""


@dataclass(frozen=True, slots=True)
class StreamableHttp:
    """What the API adds to itself: routes for its root, and a context to hold while it serves."""

    routes: list[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[None]]


def streamable_http(
    server: MCPServer[Api],
    *,
    base_url: str,
    verify: Verify,
    hosts: Collection[str],
    stateless: bool = True,
) -> StreamableHttp:
    """The server under ``/mcp`` of ``base_url``, with its protected-resource metadata (RFC 9728).

    ``hosts`` are the exact ``host[:port]`` values to answer to; an Origin must be one of them
    too. Without ``stateless`` a client of the older protocol has a session in this process.
    """
    security = TransportSecuritySettings(
        allowed_hosts=list(hosts), allowed_origins=[f"http://{host}" for host in hosts]
    )
    # The SDK's application is not used, only what it sets up: its metadata would name an
    # authorisation server, and there is none.
    server.streamable_http_app(
        stateless_http=stateless,
        transport_security=security,
        max_request_body_size=_MAX_BODY,
    )
    manager = server.session_manager
    metadata_url = f"{base_url}{METADATA_PATH}{PATH}"
    guarded = _guarded(StreamableHTTPASGIApp(manager), verify, metadata_url)
    metadata = _metadata(base_url)
    return StreamableHttp(
        routes=[
            Route(PATH, endpoint=guarded, include_in_schema=False),
            Route(METADATA_PATH, endpoint=metadata, include_in_schema=False),
            Route(METADATA_PATH + PATH, endpoint=metadata, include_in_schema=False),
        ],
        running=manager.run,
    )


def forwarding(app: ASGIApp, base_url: str) -> Connect:
    """Clients that call the API in this process with the bearer of the request in hand (MCP-4)."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)

    @asynccontextmanager
    async def connect() -> AsyncIterator[ApiClient]:
        caller = get_access_token()
        if caller is None:
            raise AuthenticationError("send one header: Authorization: Bearer <token>")
        # Not closed: the transport is shared, and there are no connections.
        yield ApiClient(base_url, caller.token, transport=transport)

    return connect


def _guarded(app: ASGIApp, verify: Verify, metadata_url: str) -> ASGIApp:
    required = RequireAuthMiddleware(_StrictBody(app), [REQUIRED_SCOPE], AnyHttpUrl(metadata_url))
    backend = BearerAuthBackend(_Verifier(verify))
    inner = AuthenticationMiddleware(AuthContextMiddleware(required), backend=backend)
    return _TrimmedHeaders(inner)


class _StrictBody:
    """Refuses what readers of JSON understand differently, as the API does (SEC-8, S25, S26).

    The SDK's reader takes the last of two equal members, NaN and any nesting, and an id that
    is no id makes it drop the request unanswered.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            body = await Request(scope, receive).body()
            if problem := _unfit(body):
                error = {"code": PARSE_ERROR, "message": problem}
                answer = {"jsonrpc": "2.0", "id": None, "error": error}
                await JSONResponse(answer, status_code=400)(scope, receive, send)
                return
            receive = _once(body, receive)
        await self._app(scope, receive, send)


def _unfit(body: bytes) -> str | None:
    try:
        message = strict_json.parse(body)
    except JobstewardError as error:
        return f"[{error.code}] {error.message}"
    if not isinstance(message, dict):
        return "send one JSON-RPC message, an object"
    asked = message.get("id", 0)
    good = isinstance(asked, str) or type(asked) is int
    return None if good else "the id must be a string or a whole number"


def _once(body: bytes, receive: Receive) -> Receive:
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return parts.pop() if parts else await receive()

    return replayed


class _TrimmedHeaders:
    """Drops the blanks around header values, which the HTTP parser leaves (RFC 9110, 5.5)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await self._app(scope, receive, send)


class _Verifier:
    """The API's check in the SDK's terms. Tokens are ours alone, so there is no audience."""

    def __init__(self, verify: Verify) -> None:
        self._verify = verify

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            known = await self._verify(token)
        except AuthenticationError:
            return None
        return AccessToken(
            token=token,
            client_id=known.token_id,
            scopes=list(known.scopes),
            subject=f"{known.tenant_id}/{known.principal}",
        )


def _metadata(base_url: str) -> Callable[[Request], Awaitable[JSONResponse]]:
    document = {
        "resource": f"{base_url}{PATH}",
        "resource_name": "jobsteward",
        "bearer_methods_supported": ["header"],
        "scopes_supported": ["read", "run"],
    }

    async def metadata(_: Request) -> JSONResponse:
        return JSONResponse(document)

    return metadata
