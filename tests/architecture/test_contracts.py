"""The import contracts hold, and each of them can fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "server", "temporal_worker", "tools", "resources")
BREACHES = {
    "server, then tools": ("tools/jobsteward_tools/breach.py", "import jobsteward_server"),
    "a later stage": ("src/jobsteward/runs/breach.py", "import jobsteward.discover.model"),
    "tools and resources": ("resources/jobsteward_resources/breach.py", "import sqlite3"),
    "the kernel and every model": ("src/jobsteward/kernel/breach.py", "import pathlib"),
    "the library never sees": ("src/jobsteward/store/breach.py", "import temporalio.client"),
    "HTTP, MCP, workflows": ("server/jobsteward_server/breach.py", "import playwright"),
    "sources and forms": (
        "src/jobsteward/discover/sources/breach.py",
        "import jobsteward.discover.sources.lever",
    ),
    "no cycles": (
        "src/jobsteward/breach.py",  # also a module that no layer names
        "import jobsteward.kernel.ids",
    ),
}


def _lint(root: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str(root / folder) for folder in FOLDERS)
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=root,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _verdicts(output: str) -> dict[str, str]:
    return dict(re.findall(r"^(\S.*?) (KEPT|BROKEN)(?: \(.*\))?$", output, re.MULTILINE))


def test_eight_contracts_are_kept() -> None:
    """The arrows between rooms are as drawn in docs/architecture.md."""
    result = _lint(ROOT)
    assert result.returncode == 0, result.stdout
    assert list(_verdicts(result.stdout).values()) == ["KEPT"] * 8


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The verdicts on a copy of the code with one breach of every contract."""
    root = tmp_path_factory.mktemp("breaches")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for path, line in BREACHES.values():
        (root / path).write_text(f"{line}\n")
    ids = root / "src/jobsteward/kernel/ids.py"
    ids.write_text(ids.read_text() + "\nimport jobsteward.breach\n")
    return _verdicts(_lint(root).stdout)


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_is_seen(broken: dict[str, str], contract: str) -> None:
    """A forbidden import turns its contract red."""
    [verdict] = [verdict for name, verdict in broken.items() if name.startswith(contract)]
    assert verdict == "BROKEN"
