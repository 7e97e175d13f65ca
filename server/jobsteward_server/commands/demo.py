"""``jobsteward demo``: the product on this machine alone, proving itself."""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

import click

from jobsteward_server.demo.journey import StepFailed, run_demo


@click.command("demo")
@click.option("--keep", is_flag=True, help="Leave the app directory and its logs behind.")
def command(keep: bool) -> None:
    """Discover jobs of invented companies through a real MCP client, and check every step.

    Uses a temporary app directory and job boards on loopback; nothing leaves this machine.
    Exits 0 only when all of it held; else names the step on standard error and exits 1.
    """
    home = Path(tempfile.mkdtemp(prefix="jobsteward-demo-"))
    try:
        asyncio.run(run_demo(home, click.echo))
    except StepFailed as failure:
        click.echo(f"FAILED at step {failure}", err=True)
        click.echo("Its logs are kept by: jobsteward demo --keep", err=True)
        sys.exit(1)
    finally:
        if keep:
            click.echo(f"The app directory: {home}")
        else:
            shutil.rmtree(home, ignore_errors=True)
