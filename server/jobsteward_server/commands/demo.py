"""``jobsteward demo``: the product on this machine alone, proving itself."""

import asyncio
import shutil
import signal
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

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
        asyncio.run(_unless_interrupted(run_demo(home, click.echo)))
    except StepFailed as failure:
        click.echo(f"FAILED at step {failure}", err=True)
        click.echo("Its logs are kept by: jobsteward demo --keep", err=True)
        sys.exit(1)
    finally:
        if keep:
            click.echo(f"The app directory: {home}")
        else:
            shutil.rmtree(home, ignore_errors=True)


async def _unless_interrupted(journey: Coroutine[Any, Any, None]) -> None:
    """Run the journey; raises KeyboardInterrupt after Ctrl-C, also where a library took the
    cancel for its own and went on."""
    task = asyncio.ensure_future(journey)
    interrupted = asyncio.Event()

    def interrupt() -> None:
        interrupted.set()
        task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupt)
    with suppress(asyncio.CancelledError):
        await task
    if interrupted.is_set():
        raise KeyboardInterrupt
