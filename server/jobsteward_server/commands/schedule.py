"""``jobsteward schedule``: work that starts by itself at its times."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import click

from jobsteward.client import ApiClient
from jobsteward.runs.timing import DAYS
from jobsteward.runs.wire import ScheduleRequest, ScheduleView, TimingView
from jobsteward_server.commands.connection import connect_as_owner
from jobsteward_server.commands.run import parse_inputs

T = TypeVar("T")


@click.group("schedule")
def command() -> None:
    """Start work again and again, at times of day or in steady intervals."""


@command.command("add")
@click.argument("workflow", default="discover")
@click.option("--name", help="What you call it; the workflow's name when not given.")
@click.option("--at", multiple=True, metavar="HH:MM", help="A time of day; may be repeated.")
@click.option("--day", "days", multiple=True, type=click.Choice(DAYS), help="Only on these days.")
@click.option("--zone", default="UTC", show_default=True, help="Time zone, as Europe/Berlin.")
@click.option("--every", "minutes", type=int, metavar="MINUTES", help="Instead of --at.")
@click.option("--inputs", default="{}", help="JSON object; empty uses the saved preferences.")
@click.pass_obj
def add_command(
    overrides: dict[str, Any],
    *,
    workflow: str,
    name: str | None,
    at: tuple[str, ...],
    days: tuple[str, ...],
    zone: str,
    minutes: int | None,
    inputs: str,
) -> None:
    """Add a schedule for WORKFLOW (default: discover)."""
    request = ScheduleRequest(
        name=name or workflow,
        workflow=workflow,
        inputs=parse_inputs(inputs),
        timing=TimingView(at=list(at), days=list(days), zone=zone, every_minutes=minutes),
    )
    click.echo(_line(_ask(overrides, lambda api: api.add_schedule(request))))


@command.command("list")
@click.pass_obj
def list_command(overrides: dict[str, Any]) -> None:
    """List schedules with the time at which each starts next (UTC)."""
    for item in _ask(overrides, ApiClient.schedules).items:
        click.echo(_line(item))


@command.command("remove")
@click.argument("schedule_id")
@click.pass_obj
def remove_command(overrides: dict[str, Any], schedule_id: str) -> None:
    """Remove SCHEDULE_ID; what it started goes on."""
    gone = _ask(overrides, lambda api: api.remove_schedule(schedule_id))
    click.echo(f"removed {gone.schedule_id}  {gone.name}")


def _line(item: ScheduleView) -> str:
    when = f"{_when(item.timing):<36} next {item.next_at}"
    return f"{item.schedule_id}  {item.workflow:<14} {when}  {item.name}"


def _when(timing: TimingView) -> str:
    if timing.every_minutes is not None:
        return f"every {timing.every_minutes} min"
    days = ",".join(timing.days) or "daily"
    return f"{days} {','.join(timing.at)} {timing.zone}"


def _ask(overrides: dict[str, Any], question: Callable[[ApiClient], Awaitable[T]]) -> T:
    async def ask() -> T:
        async with connect_as_owner(overrides) as api:
            return await question(api)

    return asyncio.run(ask())
