"""How a tool reaches the API: with the caller's own credential, one client for each call."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeAlias

from mcp.server.mcpserver import Context

from jobsteward.client import ApiClient, Connect


@dataclass(frozen=True, slots=True)
class Api:
    """What the server's lifespan hands to every tool and resource."""

    connect: Connect


Call: TypeAlias = Context[Api]


def api(ctx: Call) -> AbstractAsyncContextManager[ApiClient]:
    """A client for the length of one call. Entering it may wait for a stack that starts, and
    raises ApiUnreachableError when none answers; nothing was sent then."""
    return ctx.request_context.lifespan_context.connect()
