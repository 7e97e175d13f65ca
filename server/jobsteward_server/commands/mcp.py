"""``jobsteward mcp``: the MCP server on standard input and output, for one MCP host."""

from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_server.mcp import main


@click.command("mcp")
@click.pass_obj
def command(overrides: dict[str, Any]) -> None:
    """Serve MCP over stdio; starts the stack when none runs and leaves it running (TOP-4)."""
    main(load_settings(**overrides))
