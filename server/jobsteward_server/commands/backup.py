"""``jobsteward backup``: a verified copy of everything we keep, while the stack runs."""

import asyncio
from pathlib import Path
from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward.store.backup import backup


@click.command("backup")
@click.argument("destination", required=False, type=click.Path(path_type=Path))
@click.pass_obj
def command(overrides: dict[str, Any], destination: Path | None) -> None:
    """Back up database and artefacts to DESTINATION, a folder that does not exist yet.

    Without it, a folder named by the time in the app directory's ``backups``. Prints the
    folder; it appears under that name only when it is whole and checked.
    """
    done = asyncio.run(backup(load_settings(**overrides), destination))
    for name in done.damaged:
        click.echo(f"warning: artefact {name} was already damaged", err=True)
    click.echo(done.path)
