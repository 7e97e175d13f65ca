"""``jobsteward worker``: one worker process, against a Temporal that is given."""

from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_worker.main import main


@click.command("worker")
@click.pass_obj
def command(overrides: dict[str, Any]) -> None:
    """Run workflows and activities of the configured lanes until SIGTERM.

    ``jobsteward up`` starts one by itself; run more beside it, or on other machines, with
    the same database and JOBSTEWARD_TEMPORAL_ADDRESS.
    """
    main(load_settings(**overrides))
