"""What import contracts cannot see: calls of ``open`` in pure rooms, lazy imports, file sizes."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "src/jobsteward",
    "server/jobsteward_server",
    "temporal_worker/jobsteward_worker",
    "tools/jobsteward_tools",
    "resources/jobsteward_resources",
)
_PURE = [
    path
    for path in sorted((ROOT / "src/jobsteward").rglob("*.py"))
    if path.name == "model.py" or path.parent.name == "kernel"
]


def tracked_modules(*folders: str) -> list[str]:
    """Paths, relative to the root, of the Python files that git has there and that exist."""
    listed = subprocess.run(
        ["git", "ls-files", "--", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return [path for path in listed if path.endswith(".py") and (ROOT / path).exists()]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", [p for p in _PURE if p.name != "failpoints.py"], ids=_name)
def test_pure_rooms_open_nothing(path: Path) -> None:
    """Kernel and models call none of the built-ins that reach the outside."""
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "exec", "eval", "__import__"}


def test_files_stay_below_600_lines() -> None:
    """A file is read in one sitting."""
    sizes = {
        path: len((ROOT / path).read_text().splitlines())
        for path in tracked_modules(*PACKAGES, "tests", "benchmarks")
    }
    assert {path: size for path, size in sizes.items() if size >= 600} == {}


def test_lazy_imports_say_why() -> None:
    """An import inside a function is there for something heavy; a comment says what."""
    silent = [
        f"{path}:{node.lineno}"
        for path in tracked_modules(*PACKAGES)
        for node in _lazy_imports((ROOT / path).read_text())
        if not _has_reason((ROOT / path).read_text().splitlines(), node.lineno)
    ]
    assert silent == []


def _lazy_imports(source: str) -> list[ast.Import | ast.ImportFrom]:
    return [
        node
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def _has_reason(lines: list[str], lineno: int) -> bool:
    # The reason may stand above a block of imports, or once for the file in its docstring.
    above = lines[max(0, lineno - 8) : lineno]
    return any("#" in line and "noqa" not in line.split("#")[1] for line in above) or any(
        "import" in line.lower() and ("slow" in line or "lazy" in line or "lazily" in line)
        for line in lines[:20]
    )
