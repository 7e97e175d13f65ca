"""``jobsteward restore``: a backup in the place of the store, with the stack stopped."""

import asyncio
from pathlib import Path
from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward.store.backup import verify
from jobsteward.store.restore import restore
from jobsteward_server import app_directory


@click.command("restore")
@click.argument("source", type=click.Path(path_type=Path, file_okay=False))
@click.option("--check", is_flag=True, help="Only check that the backup is whole and readable.")
@click.pass_obj
def command(overrides: dict[str, Any], source: Path, check: bool) -> None:
    """Make the backup in SOURCE the store of this app directory.

    The stack must be stopped. What was there before is kept, and its place is printed.
    """
    if check:
        click.echo(f"whole: made {verify(source).created_at}")
        return
    settings = load_settings(**overrides)
    app_directory.prepare(settings.home)
    with app_directory.held(settings.home):
        done = asyncio.run(restore(settings, source))
    click.echo(f"restored the state of {done.manifest.created_at}")
    if done.replaced:
        click.echo(f"the state before is kept in {done.replaced}")
