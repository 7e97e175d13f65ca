"""``jobsteward digest``: what is new since the last one, to read in the terminal."""

import asyncio
from typing import Any

import click

from jobsteward.discover.wire import DigestView, NewJobView
from jobsteward.kernel.canonical import canonical_json
from jobsteward_server.commands.connection import connect


@click.command("digest")
@click.option("--peek", is_flag=True, help="Only look: the next digest still has these.")
@click.option("--json", "as_json", is_flag=True, help="Print the API's answer.")
@click.pass_obj
def command(overrides: dict[str, Any], *, peek: bool, as_json: bool) -> None:
    """Print the jobs that were found since the last digest, newest first."""
    found = DigestView.model_validate_json(canonical_json(asyncio.run(_digest(overrides, peek))))
    if as_json:
        click.echo(found.model_dump_json(indent=2))
        return
    click.echo(f"{found.count} new {'job' if found.count == 1 else 'jobs'}{_since(found)}")
    for job in found.jobs:
        click.echo(_line(job))
    if found.count > len(found.jobs):
        click.echo(f"… and {found.count - len(found.jobs)} more")


async def _digest(overrides: dict[str, Any], peek: bool) -> dict[str, Any]:
    async with connect(overrides) as api:
        return await api.digest("GET" if peek else "POST")


def _since(found: DigestView) -> str:
    return f" since {found.since[:16].replace('T', ' ')} UTC" if found.since else ""


def _line(job: NewJobView) -> str:
    places = " / ".join(job.locations) or "place not stated"
    line = f"  {job.title} · {job.company} · {places}\n    {job.url}"
    # A posting is a stranger's text: nothing in it may steer the terminal.
    return "".join(letter if letter.isprintable() or letter == "\n" else "�" for letter in line)
