"""Tools that find jobs (MCP-2)."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from jobsteward_tools.access import Call
from jobsteward_tools.arguments import IdempotencyKey
from jobsteward_tools.generic import start
from jobsteward_tools.results import RunAnswer
from jobsteward_tools.strict import STARTS, tool

BoardUrl = Annotated[str, Field(min_length=1, max_length=2000)]


async def discover_jobs(
    ctx: Call,
    boards: Annotated[
        list[BoardUrl],
        Field(
            min_length=1,
            max_length=50,
            description="URLs of job boards or careers pages, as the user pasted them.",
        ),
    ],
    workflow_idempotency_key: IdempotencyKey = "",
) -> Annotated[CallToolResult, RunAnswer]:
    """Read the jobs of companies from their job boards (Greenhouse, Lever, Ashby) and keep them.

    Answers at once with an execution_id. Next call wait_for_result with it; the result tells for
    each board how it went. Then call search_jobs. A board that answers nothing may be blocked
    rather than empty: its status says which.
    """
    return await start(ctx, "discover", {"boards": boards}, key=workflow_idempotency_key)


TOOLS = (tool(discover_jobs, "Find jobs at companies", STARTS),)
