"""The ``jobsteward`` command: names its subcommands and loads only the one that is called."""

import importlib
import os
import sys
from pathlib import Path

import click

from jobsteward import __version__
from jobsteward.kernel.errors import InvalidInputError, JobstewardError

COMMANDS = {
    "up": "Run the whole stack here: Temporal, API and worker, watched and restarted.",
    "api": "Serve the HTTP API against a given database and Temporal.",
    "worker": "Run one worker process against a given Temporal.",
    "mcp": "Serve MCP on standard input and output; starts the stack when none runs.",
    "setup": "Say what you look for; later steps read it.",
    "run": "Start a workflow and print its receipt.",
    "runs": "List runs, show one, or say why it waits.",
    "schedule": "Start work by itself, at its times.",
    "digest": "Read what is new since the last time.",
    "drain": "Let running work end before an upgrade; start again with --end.",
    "token": "Create, list and revoke access tokens.",
    "demo": "See it work, on this machine alone, with invented companies.",
    "openapi": "Print the HTTP API's OpenAPI document.",
    "backup": "Copy database and artefacts to a checked backup, while the stack runs.",
    "restore": "Put a backup in the place of the database, with the stack stopped.",
    "doctor": "Check this installation; one line of remedy for each finding.",
}
"""Subcommand → its help line. Each lives in ``commands/NAME.py`` as ``command``."""


class LazyGroup(click.Group):
    """A group that imports a subcommand's module when that subcommand runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the registry."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported now; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"jobsteward_server.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the registry's help lines, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="jobsteward")
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    help="App directory; JOBSTEWARD_HOME, else the user's data folder, when not given.",
)
@click.pass_context
def cli(ctx: click.Context, home: Path | None) -> None:
    """Job-search automation: an MCP server, an HTTP API and durable workflows."""
    ctx.obj = {} if home is None else {"home": home}


def main() -> None:
    """Run the command line; a failure of ours is one line on standard error and exit code 1.

    Every file that a command makes is for its user alone (SEC-8).
    """
    os.umask(0o077)
    try:
        cli()
    except JobstewardError as error:
        click.echo(f"error[{error.code}]: {error.message}{_fields(error)}", err=True)
        sys.exit(1)
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"error[storage_error]: {what}", err=True)
        sys.exit(1)


def _fields(error: JobstewardError) -> str:
    """Each bad argument and what it must be, on the same line."""
    fields = error.fields if isinstance(error, InvalidInputError) else {}
    named = "; ".join(f"{name}: {rule}" for name, rule in fields.items())
    return f" ({named})" if named else ""


if __name__ == "__main__":
    main()
