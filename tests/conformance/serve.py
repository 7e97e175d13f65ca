"""The product's MCP server over HTTP with the suite's fixtures added: ``python -m … PORT``.

All that is under test is the product's: server, tasks, HTTP, tokens, Host and Origin checks.
The suite cannot send a token, so a thin layer in front adds one.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from jobsteward.kernel.errors import AuthenticationError
from jobsteward.runs.tokens import Token
from jobsteward_server.mcp import build_server
from jobsteward_server.mcp_http import streamable_http
from jobsteward_server.mcp_subscriptions import serve_legacy_subscriptions
from tests.conformance import content, inputs
from tests.conformance.tasks import TaskFixtures
from tests.tools.fake_api import NOW, FakeApi

SECRET = "alice"


async def verify(secret: str) -> Token:
    """One known token."""
    if secret != SECRET:
        raise AuthenticationError("unknown token")
    return Token(
        "tok_1", "local", "owner", "suite", "jobs_", ("read", "run"), NOW, None, None, None
    )


class WithToken:
    """Adds the token to every request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            bearer = (b"authorization", f"Bearer {SECRET}".encode())
            scope = {**scope, "headers": [*scope["headers"], bearer]}
        await self._app(scope, receive, send)


def application(port: int) -> ASGIApp:
    """The application for that port of this machine."""
    api = FakeApi()
    tasks = TaskFixtures(api)
    server = build_server(api.connect, tasks=tasks.extension)
    for fixtures in (content, inputs, tasks):
        fixtures.register(server)
    http = streamable_http(
        server,
        base_url=f"http://localhost:{port}",
        verify=verify,
        hosts=[f"localhost:{port}", f"127.0.0.1:{port}"],
        stateless=False,
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with http.running(), serve_legacy_subscriptions(server, api.connect):
            yield

    return WithToken(Starlette(routes=http.routes, lifespan=lifespan))


if __name__ == "__main__":
    number = int(sys.argv[1])
    config = uvicorn.Config(
        application(number), port=number, log_level="warning", timeout_graceful_shutdown=2
    )
    uvicorn.Server(config).run()
