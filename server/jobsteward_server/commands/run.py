"""``jobsteward run``: durable work, from the command line."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import click

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import InvalidInputError
from jobsteward.runs.model import NEEDS_PERSON
from jobsteward.runs.wire import Receipt, RunView
from jobsteward_server.commands.connection import connect

_MAX_WAIT = 30.0
"""Seconds that one request asks the API to hold."""


@click.command("run")
@click.argument("workflow")
@click.option("--inputs", default="{}", help="JSON object; - reads it from standard input.")
@click.option("--key", help="Idempotency key: the same key and inputs give the same run.")
@click.option("--priority", type=click.IntRange(0, 9), help="5 and above is interactive.")
@click.option("--wait", is_flag=True, help="Stay until the run ends or needs a person.")
@click.pass_obj
def command(
    overrides: dict[str, Any],
    *,
    workflow: str,
    inputs: str,
    key: str | None,
    priority: int | None,
    wait: bool,
) -> None:
    """Start WORKFLOW; prints the receipt, or with --wait the run, as JSON.

    Leaving early never stops the work. With --wait, exits 1 unless the run succeeded.
    """
    values = parse_inputs(sys.stdin.buffer.read() if inputs == "-" else inputs)
    start = partial(ApiClient.execute, workflow=workflow, inputs=values)
    receipt = partial(start, idempotency_key=key, priority=priority)
    answer = asyncio.run(_run(connect(overrides), receipt, wait))
    click.echo(answer.model_dump_json(indent=2))
    if isinstance(answer, RunView) and answer.status != "succeeded":
        sys.exit(1)


def parse_inputs(text: str | bytes) -> dict[str, Any]:
    """The JSON object in the text. Raises InvalidInputError for anything else."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise InvalidInputError('--inputs must be a JSON object, such as \'{"query": "python"}\'')
    return values


async def _run(
    client: ApiClient, start: Callable[[ApiClient], Awaitable[Receipt]], wait: bool
) -> Receipt | RunView:
    async with client as api:
        receipt = await start(api)
        if not wait:
            return receipt
        while True:
            run = await api.get_run(receipt.execution_id, wait=_MAX_WAIT)
            if run.terminal or run.status in NEEDS_PERSON:
                return run
