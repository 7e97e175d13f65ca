"""``jobsteward openapi``: the HTTP API's description, without a running stack."""

import json
from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_server.http.app import create_app
from jobsteward_worker.workflows import CATALOGUE


@click.command("openapi")
@click.pass_obj
def command(overrides: dict[str, Any]) -> None:
    """Print the OpenAPI document of the HTTP API as JSON."""
    app = create_app(load_settings(**overrides), CATALOGUE)
    click.echo(json.dumps(app.openapi(), indent=2))
