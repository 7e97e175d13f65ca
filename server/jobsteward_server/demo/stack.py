"""A whole stack of its own, in a process of its own: ``jobsteward up`` for demo and tests."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from mcp import StdioServerParameters

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import ConfigurationError
from jobsteward_server import app_directory
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.children import Child

COMMAND = [sys.executable, "-P", "-m", "jobsteward_server.cli"]
READY_WITHIN = 60.0
STOP_GRACE = 12.0
_PREFIX = "JOBSTEWARD_"
_POLL = 0.05


class Stack:
    """A running stack; `run_stack` makes it."""

    def __init__(self, home: Path, environment: Mapping[str, str], child: Child, url: str) -> None:
        self.home = home
        self.url = url
        self._environment = dict(environment)
        self._child = child

    @property
    def token(self) -> str:
        """The agent's token of this app directory."""
        return (self.home / AGENT_FILE).read_text("utf-8").strip()

    def api(self) -> ApiClient:
        """A client of the API with the agent's token."""
        return ApiClient(self.url, self.token)

    def mcp(self) -> StdioServerParameters:
        """How a host would launch the MCP server of this app directory."""
        own = {name: value for name, value in self._environment.items() if name.startswith(_PREFIX)}
        return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=own)

    def pid_of(self, part: str) -> int | None:
        """Process id of ``temporal``, ``api`` or ``worker``; None while it does not run."""
        for pid, words in children_of(self._child.pid):
            if _part(words) == part:
                return pid
        return None

    def pids(self) -> dict[str, int]:
        """Every process of the stack by name, the supervisor's own as ``up``."""
        found = {_part(words): pid for pid, words in children_of(self._child.pid)}
        return {name: pid for name, pid in found.items() if name} | {"up": self._child.pid}

    async def killed(self, part: str) -> int:
        """SIGKILL to that process, which has to run; returns its id."""
        pid = self.pid_of(part)
        if pid is None:
            raise ConfigurationError(f"the {part} process does not run: read {self.home}/logs")
        os.kill(pid, signal.SIGKILL)
        return pid

    async def again(self, part: str, before: int, within: float = 30.0) -> int:
        """Wait until the supervisor has started the part anew; returns its id."""
        with anyio.fail_after(within):
            while True:
                pid = self.pid_of(part)
                if pid is not None and pid != before:
                    return pid
                await anyio.sleep(_POLL)


@asynccontextmanager
async def run_stack(home: Path, extra: Mapping[str, str] | None = None) -> AsyncIterator[Stack]:
    """A stack over this app directory, ready for work, and gone afterwards.

    It listens on free ports and hears no ``JOBSTEWARD_*`` setting but those of ``extra``
    (names without the prefix). Its words go to ``logs/stack.log``. Raises
    ConfigurationError when it does not come up.
    """
    app_directory.prepare(home)
    environment = _environment(home, extra or {})
    output = app_directory.open_log(home, "stack")
    try:
        child = await Child.start(
            [*COMMAND, "up"],
            environment=environment,
            output=output,
            death_signal=signal.SIGTERM,
        )
    finally:
        os.close(output)
    try:
        yield Stack(home, environment, child, await _ready(home, child))
    finally:
        with anyio.CancelScope(shield=True):
            await child.stop(STOP_GRACE)


def _environment(home: Path, extra: Mapping[str, str]) -> dict[str, str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith(_PREFIX)}
    settings = {"HOME": str(home), "PORT": "0", **extra}
    return outside | {_PREFIX + name: value for name, value in settings.items()}


async def _ready(home: Path, child: Child) -> str:
    deadline = time.monotonic() + READY_WITHIN
    while child.exit_code is None and time.monotonic() < deadline:
        record = app_directory.running_stack(home)
        if record:
            return record.url
        await anyio.sleep(_POLL)
    raise ConfigurationError(f"the stack did not come up: its words are in {home}/logs/stack.log")


def origin_map(origins: Mapping[str, str]) -> dict[str, str]:
    """The setting that leads hosts to servers on this machine, for `run_stack`."""
    return {"ORIGIN_MAP": json.dumps(dict(origins))}


def children_of(pid: int) -> list[tuple[int, list[str]]]:
    """(id, command line) of each child process."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    if listed.exists():
        return [(child, _words(child)) for child in map(int, listed.read_text().split())]
    rows = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    split = (row.split() for row in rows)
    return [(int(words[0]), words[2:]) for words in split if int(words[1]) == pid]


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _part(words: list[str]) -> str | None:
    if words and Path(words[0]).name == "temporal":
        return "temporal"
    known = words and words[-1] in {"api", "worker"} and "leash.py" not in " ".join(words)
    return words[-1] if known else None
