"""Processes that must start fast or stay small load nothing heavy (MCP-7)."""

import json
import subprocess
import sys

import pytest

_HEAVY = {"temporalio", "mcp", "sqlalchemy", "fastapi", "alembic", "playwright", "pydantic"}
_PROBE = """
import json, sys
sys.argv = ["jobsteward", *{arguments}]
try:
    from jobsteward_server.cli import main
    main()
except SystemExit:
    pass
print()
print(json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def _loaded(*arguments: str) -> set[str]:
    output = subprocess.run(
        [sys.executable, "-c", _PROBE.format(arguments=list(arguments))],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout
    return set(json.loads(output.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)], ids=" ".join)
def test_the_command_line_starts_light(arguments: tuple[str, ...]) -> None:
    """``--version`` and ``--help`` import no server, database or client."""
    assert _loaded(*arguments) & _HEAVY == set()
