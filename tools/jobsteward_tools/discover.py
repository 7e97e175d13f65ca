"""Tools that find jobs (MCP-2)."""

from collections.abc import Sequence
from typing import Annotated, Literal

from mcp.types import CallToolResult
from pydantic import Field

from jobsteward_tools.access import Call
from jobsteward_tools.arguments import IdempotencyKey
from jobsteward_tools.generic import start
from jobsteward_tools.results import RunAnswer
from jobsteward_tools.strict import STARTS, tool

BoardUrl = Annotated[str, Field(min_length=1, max_length=2000)]
Words = Annotated[str, Field(min_length=1, max_length=200)]


async def discover_jobs(
    ctx: Call,
    boards: Annotated[
        Sequence[BoardUrl],
        Field(
            max_length=50,
            description=(
                "URLs of job boards or careers pages, as the user pasted them. Empty: the boards"
                " that the user saved."
            ),
        ),
    ] = (),
    titles: Annotated[
        Sequence[Words],
        Field(max_length=50, description="Job titles wanted. Empty: those the user saved."),
    ] = (),
    places: Annotated[
        Sequence[Words],
        Field(max_length=50, description="Places wanted. Empty: those the user saved."),
    ] = (),
    remote: Annotated[
        Sequence[Literal["yes", "no", "unknown"]],
        Field(max_length=3, description="Kinds of remote work wanted. Empty: as saved."),
    ] = (),
    limit: Annotated[
        int, Field(ge=0, le=100_000, description="How many new jobs are enough; 0 for all.")
    ] = 0,
    workflow_idempotency_key: IdempotencyKey = "",
) -> Annotated[CallToolResult, RunAnswer]:
    """Read the jobs of companies from their job boards and keep them.

    Answers at once with an execution_id. Next call wait_for_result with it; the result tells for
    each board how it went. Then call search_jobs. A board that answers nothing may be blocked
    rather than empty: its status says which.
    """
    asked = {"boards": boards, "titles": titles, "places": places, "remote": remote}
    inputs: dict[str, object] = {name: list(words) for name, words in asked.items() if words}
    if limit:
        inputs["limit"] = limit
    return await start(ctx, "discover", inputs, key=workflow_idempotency_key)


TOOLS = (tool(discover_jobs, "Find jobs at companies", STARTS),)
