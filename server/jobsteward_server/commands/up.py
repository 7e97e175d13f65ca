"""``jobsteward up``: the stack of one app directory, until it is told to stop."""

import asyncio
import logging
from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_server.supervisor import run_stack


@click.command("up")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the API; 0 for any.")
@click.pass_obj
def command(overrides: dict[str, Any], port: int | None) -> None:
    """Run Temporal, API and worker; prints ``ready url=…`` once the API takes work.

    SIGTERM or Ctrl-C stops everything within ten seconds.
    """
    if port is not None:
        overrides = overrides | {"port": port}
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(run_stack(load_settings(**overrides)))
