"""Completions of arguments: ids of recent runs and jobs, states, names of workflows."""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server import MCPServer
from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from jobsteward.client import ApiClient, Connect
from jobsteward.kernel.errors import JobstewardError
from jobsteward.runs.model import RunStatus

_MOST = 100
"""Most values that one completion may hold."""


async def _runs(client: ApiClient) -> list[str]:
    return [view.execution_id for view in (await client.list_runs(limit=_MOST)).items]


async def _jobs(client: ApiClient) -> list[str]:
    return [item["job_id"] for item in (await client.list_jobs(limit=_MOST))["items"]]


async def _workflows(client: ApiClient) -> list[str]:
    return [entry.name for entry in (await client.workflows()).items]


_FROM_API: dict[str, Callable[[ApiClient], Awaitable[list[str]]]] = {
    "execution_id": _runs,
    "job_id": _jobs,
    "workflow": _workflows,
}
"""Argument → where its values come from; a name means the same in every prompt and template."""


def register(server: MCPServer[Any], connect: Connect) -> None:
    """Answer ``completion/complete``."""

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator]
    async def complete(
        _ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        _context: CompletionContext | None,
    ) -> Completion:
        """Values that begin with what was typed; none where the API does not answer."""
        if argument.name == "status":
            values = [status.value for status in RunStatus]
        else:
            values = await _values(connect, argument.name)
        found = [value for value in values if value.startswith(argument.value)]
        return Completion(values=found[:_MOST], total=len(found), has_more=len(found) > _MOST)


async def _values(connect: Connect, name: str) -> list[str]:
    source = _FROM_API.get(name)
    if source is None:
        return []
    try:
        async with connect() as client:
            return await source(client)
    except JobstewardError:
        # Completing is a convenience; the call itself will say what is wrong.
        return []
