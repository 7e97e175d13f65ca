"""Runs as resources: one by its execution id, and the newest ones."""

from typing import Any

from mcp.server import MCPServer

from jobsteward.client import Connect
from jobsteward_resources.reading import JSON, checked, document, reading

_SHOWN = 20


def register(server: MCPServer[Any], connect: Connect) -> None:
    """Add the run resources."""

    @server.resource("runs://{execution_id}", name="run", title="A run", mime_type=JSON)
    async def run(execution_id: str) -> str:
        """One execution with its state and result; subscribe to hear when it changes."""
        async with reading(connect) as client:
            view = await client.get_run(checked(execution_id))
        return view.model_dump_json(exclude_none=True)

    @server.resource("runs://newest", name="newest_runs", title="Newest runs", mime_type=JSON)
    async def newest() -> str:
        """The twenty newest executions, without their results."""
        async with reading(connect) as client:
            page = await client.list_runs(limit=_SHOWN)
        hidden = {"result", "metadata"}
        return document(
            [view.model_dump(mode="json", exclude_none=True, exclude=hidden) for view in page.items]
        )
