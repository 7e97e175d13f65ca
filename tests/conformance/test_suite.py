"""The official conformance suite, tasks included, and the Inspector's schema lint (MCP-5)."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.conftest import NODE, ROOT

pytestmark = pytest.mark.slow
_SUITES = {
    "the current protocol": ("--requirements", "2026-07-28", 190),
    "the older handshake": ("--requirements", "2025-11-25", 80),
    "everything": ("--suite", "all", 225),
}
_NOT_SERVED = ("tasks-status-notifications", "sep-2640", "server-sse-polling")
"""Optional: tasks are polled, there are no skills, and see below."""
_ADVISED = "server-server-sse-polling"
"""Only advised: resuming a stream of the older protocol. Here a receipt resumes the work."""


@pytest.mark.parametrize(("option", "value", "at_least"), _SUITES.values(), ids=_SUITES)
def test_mcp_5_the_official_suite_passes_whole(
    node_modules: Path, url: str, tmp_path: Path, option: str, value: str, at_least: int
) -> None:
    suite = node_modules / "conformance" / "dist" / "index.js"
    command = [NODE, str(suite), "server", "--url", url, option, value]
    done = subprocess.run(
        [*command, "--timeout", "60000", "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    checks = {path.parent.name: json.loads(path.read_text()) for path in tmp_path.glob("*/*.json")}
    assert _bad(checks) == []
    assert done.returncode == 0, done.stdout[-3000:]
    passed = Counter(check["status"] for scenario in checks.values() for check in scenario)
    assert passed["SUCCESS"] >= at_least, "scenarios that no longer run prove nothing"
    silent = [name for name, scenario in checks.items() if not _passes(scenario)]
    assert [
        name for name in silent if not name.removeprefix("server-").startswith(_NOT_SERVED)
    ] == []


def _bad(checks: dict[str, Any]) -> list[str]:
    return [
        f"{scenario}: {check['id']}: {check.get('errorMessage')}"
        for scenario, found in checks.items()
        for check in found
        if check["status"] == "FAILURE"
        or (check["status"] == "WARNING" and not scenario.startswith(_ADVISED))
    ]


def _passes(scenario: list[dict[str, Any]]) -> bool:
    return any(check["status"] == "SUCCESS" for check in scenario)


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_mcp_6_the_inspector_finds_every_schema_portable(
    node_modules: Path, tmp_path: Path, era: str
) -> None:
    server = {
        "type": "stdio",
        "command": sys.executable,
        "args": ["-m", "jobsteward_server.cli", "mcp"],
        "env": {
            "JOBSTEWARD_HOME": str(tmp_path),
            "JOBSTEWARD_URL": "http://127.0.0.1:1",
            "JOBSTEWARD_TOKEN": "unused",
        },
        "protocolEra": era,
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"jobsteward": server}}))
    inspector = node_modules / "inspector" / "clients" / "launcher" / "build" / "index.js"
    command = [NODE, str(inspector), "--cli", "--config", str(config), "--server", "jobsteward"]
    done = subprocess.run(
        [*command, "--method", "tools/list", "--strict"],
        cwd=ROOT,
        env={"HOME": str(tmp_path), "MCP_INSPECTOR_SECRET_STORE": "memory"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "discover_jobs" in done.stdout
