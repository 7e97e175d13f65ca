"""``jobsteward drain``: let running work end before an upgrade, and start again after it."""

import asyncio
from typing import Any

import click

from jobsteward.client import ApiClient
from jobsteward_server.commands.connection import connect_as_owner

_LOOK_EVERY = 1.0


@click.command("drain")
@click.option("--end", is_flag=True, help="Start again what was accepted meanwhile.")
@click.option(
    "--within", type=click.FloatRange(min=0), default=600, show_default=True, metavar="SECONDS",
    help="How long to wait for running work.",
)  # fmt: skip
@click.pass_obj
def command(overrides: dict[str, Any], *, end: bool, within: float) -> None:
    """Hold new starts back and wait until no worker is busy; requests are still accepted.

    Runs that wait for a person keep no worker busy and are not waited for. Exit code 1 when
    work still runs after the time; nothing is cut short.
    """
    api = connect_as_owner(overrides)
    if not asyncio.run(_end(api) if end else _drain(api, within)):
        raise SystemExit(1)


async def _end(api: ApiClient) -> bool:
    async with api:
        state = await api.drain("DELETE")
    click.echo(f"starting again; {state.waiting} accepted requests were waiting")
    return True


async def _drain(api: ApiClient, within: float) -> bool:
    clock = asyncio.get_running_loop().time
    deadline = clock() + within
    async with api:
        state = await api.drain("PUT")
        while not state.done and clock() < deadline:
            await asyncio.sleep(_LOOK_EVERY)
            state = await api.drain("GET")
    still = f"{state.running} still running, {state.parked} waiting for you"
    click.echo(f"{'drained' if state.done else 'not drained yet'}: {still}; {state.waiting} held")
    return state.done
