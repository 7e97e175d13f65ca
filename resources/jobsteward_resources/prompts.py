"""Prompts: the main journeys, as a user starts them from a host's menu."""

from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field


def register(server: MCPServer[Any]) -> None:
    """Add the prompts."""
    server.prompt(title="Find jobs at companies")(find_jobs)
    server.prompt(title="Check on a run")(check_on_run)
    server.prompt(title="Look through my runs")(review_runs)


def find_jobs(
    boards: Annotated[
        str, Field(description="Links of job boards or careers pages, in any order.")
    ],
    wishes: Annotated[str, Field(description="What the job should be like.")] = "",
) -> str:
    """Read the jobs of some companies and pick those that fit."""
    fitting = f" Then pick the jobs that fit this: {wishes}" if wishes else ""
    return (
        f"Find jobs on these boards: {boards}\n\n"
        "Call discover_jobs with the links and a key of your own, then wait_for_result until the"
        " run has ended. Tell me of each board that was blocked or failed, and why; a blocked"
        f" board is not an empty one. List what there is with search_jobs.{fitting}"
    )


def check_on_run(
    execution_id: Annotated[str, Field(description="The run's execution_id.")],
) -> str:
    """Tell how a run is doing and what it needs."""
    return (
        f"How is the run {execution_id} doing? Read it with check_workflow_status. If it is still"
        " running, wait for it with wait_for_result; never start the same work again. If it needs"
        " me, tell me exactly what for."
    )


def review_runs(
    status: Annotated[str, Field(description="Only runs in this state, as failed.")] = "",
    workflow: Annotated[str, Field(description="Only runs of this workflow.")] = "",
) -> str:
    """Sum up recent runs: what went well, what failed and what waits for me."""
    only = " and ".join(
        part
        for part in (status and f"in the state {status}", workflow and f"of {workflow}")
        if part
    )
    return (
        f"Look through my runs{f' {only}' if only else ''} with list_runs. Tell me in a few lines"
        " what ended well, what failed with which code, and what waits for me. Do not start or"
        " cancel anything."
    )
