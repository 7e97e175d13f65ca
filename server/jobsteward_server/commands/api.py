"""``jobsteward api``: one API process, against the configured database and Temporal."""

from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_server.http.serve import main
from jobsteward_worker.workflows import CATALOGUE


@click.command("api")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 for any.")
@click.pass_obj
def command(overrides: dict[str, Any], port: int | None) -> None:
    """Serve the HTTP API until SIGTERM; ``jobsteward up`` starts one by itself."""
    if port is not None:
        overrides = overrides | {"port": port}
    main(load_settings(**overrides), CATALOGUE)
