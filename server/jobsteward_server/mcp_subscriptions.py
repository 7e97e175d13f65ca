"""Who hears of changed runs: listeners of the current protocol, and subscribers of the older."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup
from mcp.server import MCPServer, ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.subscriptions import ResourceUpdated, SubscriptionBus
from mcp.shared.exceptions import MCPError
from mcp.types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from jobsteward.client import Connect
from jobsteward_resources.watching import run_uris, watch_run

_LISTEN = "subscriptions/listen"
_MOST_WATCHED = 100


class RunWatch:
    """Middleware that watches the runs named by a listen request, as long as it is open.

    The watching tasks run within the request, so with its caller's credential.
    """

    def __init__(self, connect: Connect, bus: SubscriptionBus) -> None:
        self._connect = connect
        self._bus = bus

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Serve the request, with watchers beside it where it listens to runs."""
        uris = _listened(ctx) if ctx.method == _LISTEN else []
        if not uris:
            return await call_next(ctx)
        refusal: MCPError | None = None
        result: HandlerResult = None
        async with anyio.create_task_group() as watchers:
            for uri in uris:
                watchers.start_soon(watch_run, uri, self._connect, self._publish)
            try:
                result = await call_next(ctx)
            except MCPError as error:
                refusal = error  # raised in here it would reach the client inside a group
            watchers.cancel_scope.cancel()
        if refusal:
            raise refusal
        return result

    async def _publish(self, uri: str) -> None:
        await self._bus.publish(ResourceUpdated(uri=uri))


def _listened(ctx: ServerRequestContext[Any, Any]) -> list[str]:
    wanted = (ctx.params or {}).get("notifications")
    uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
    named = [uri for uri in uris if isinstance(uri, str)] if isinstance(uris, list) else []
    return run_uris(dict.fromkeys(named))[:_MOST_WATCHED]


@asynccontextmanager
async def serve_legacy_subscriptions(
    server: MCPServer[Any], connect: Connect
) -> AsyncIterator[None]:
    """Serve ``resources/subscribe`` of the older protocol while open.

    Only for a transport with one lasting connection, such as stdio.
    """
    async with anyio.create_task_group() as tasks:
        subscriptions = _LegacySubscriptions(connect, tasks)
        # The SDK has no public hook for these two on its high-level server.
        low = server._lowlevel_server
        low.add_request_handler(
            "resources/subscribe", SubscribeRequestParams, subscriptions.subscribe
        )
        low.add_request_handler(
            "resources/unsubscribe", UnsubscribeRequestParams, subscriptions.unsubscribe
        )
        yield
        tasks.cancel_scope.cancel()


class _LegacySubscriptions:
    def __init__(self, connect: Connect, tasks: TaskGroup) -> None:
        self._connect = connect
        self._tasks = tasks
        self._watched: dict[str, anyio.CancelScope] = {}

    async def subscribe(
        self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams
    ) -> EmptyResult:
        new = params.uri not in self._watched and len(self._watched) < _MOST_WATCHED
        if new and run_uris([params.uri]):
            scope = self._watched[params.uri] = anyio.CancelScope()
            self._tasks.start_soon(self._watch, params.uri, scope, ctx)
        return EmptyResult()

    async def unsubscribe(
        self, _: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        if scope := self._watched.pop(params.uri, None):
            scope.cancel()
        return EmptyResult()

    async def _watch(
        self, uri: str, scope: anyio.CancelScope, ctx: ServerRequestContext[Any, Any]
    ) -> None:
        with scope:
            await watch_run(uri, self._connect, ctx.session.send_resource_updated)
        if self._watched.get(uri) is scope:
            del self._watched[uri]
