"""``jobsteward doctor``: what is wrong with this installation, and the remedy for it."""

import asyncio
import json
import sys
from dataclasses import asdict
from typing import Any

import click

from jobsteward.settings import load_settings
from jobsteward_server.doctor import Finding, examine

_SIGNS = {"ok": "ok     ", "warning": "warning", "failed": "FAILED "}


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_obj
def command(overrides: dict[str, Any], as_json: bool) -> None:
    """Check this installation; exits 1 when something required is broken."""
    findings = asyncio.run(examine(load_settings(**overrides)))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        for finding in findings:
            _show(finding)
    sys.exit(any(finding.state == "failed" for finding in findings))


def _show(finding: Finding) -> None:
    click.echo(f"{_SIGNS[finding.state]} {finding.check}: {finding.detail}")
    if finding.remedy:
        click.echo(f"        → {finding.remedy}")
