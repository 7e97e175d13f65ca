"""``jobsteward runs``: what was accepted, how it stands, and why it waits (OBS-5)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click
from pydantic import BaseModel

from jobsteward.client import ApiClient
from jobsteward.runs.wire import RunView
from jobsteward_server.commands.connection import connect

T = TypeVar("T")


@click.command("runs")
@click.argument("run", required=False)
@click.option("--why", metavar="ID", help="Say why this run waits and what to do next.")
@click.option("--workflow", help="Only runs of this workflow.")
@click.option("--status", help="Only runs in this state.")
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the API's answer.")
@click.pass_obj
def command(
    overrides: dict[str, Any],
    *,
    run: str | None,
    why: str | None,
    workflow: str | None,
    status: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List runs, newest first; with RUN (an execution or run id), show that one."""
    api = connect(overrides)
    if why:
        reason = asyncio.run(_ask(api, lambda: api.why(why)))
        _print(reason, as_json, f"{reason.status}: {reason.why}\nnext: {reason.next}")
    elif run:
        _print(asyncio.run(_ask(api, lambda: api.get_run(run))), as_json=True)
    else:
        filters = {"workflow": workflow, "status": status, "limit": limit}
        page = asyncio.run(_ask(api, lambda: api.list_runs(**filters)))
        _print(page, as_json, "\n".join(map(_line, page.items)))


async def _ask(api: ApiClient, question: Callable[[], Awaitable[T]]) -> T:
    async with api:
        return await question()


def _print(answer: BaseModel, as_json: bool, text: str = "") -> None:
    click.echo(answer.model_dump_json(indent=2) if as_json else text)


def _line(run: RunView) -> str:
    state = f"{run.status} (stuck)" if run.stuck else run.status
    return f"{run.execution_id}  {state:<18} {run.workflow:<14} {run.created_at}"
