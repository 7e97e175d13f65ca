"""API and worker processes of a test, each with its own failpoints and settings."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from jobsteward.client import ApiClient
from jobsteward.settings import Settings
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.children import free_ports
from tests.worker.facts import eventually

_REPOSITORY = Path(__file__).parents[2]
_STARTED_WITHIN = 90.0


@dataclass
class Processes:
    """Starts processes over one app directory; `open_processes` ends them."""

    settings: Settings
    address: str
    namespace: str
    port: int = field(default_factory=lambda: free_ports(1)[0])
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(
        self, name: str, *, die_at: str = "", address: str = "", **settings: str
    ) -> subprocess.Popen[bytes]:
        """Start ``api`` or ``worker``. It kills itself at the failpoint ``die_at``."""
        own = {
            "HOME": str(self.settings.home),
            "PORT": str(self.port),
            "TEMPORAL_ADDRESS": address or self.address,
            "TEMPORAL_NAMESPACE": self.namespace,
            "TEST_MODE": "1",
            "FAILPOINTS": f"{die_at}=kill" if die_at else "",
            "DATABASE_URL": self.settings.database_url or "",
            **settings,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.process", name],
            cwd=_REPOSITORY,
            env=os.environ | {f"JOBSTEWARD_{key}": value for key, value in own.items()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.started.append(process)
        return process

    async def api(self, *, die_at: str = "", address: str = "") -> subprocess.Popen[bytes]:
        """Start an API and wait until it takes work."""
        process = self.start("api", die_at=die_at, address=address)
        with anyio.fail_after(_STARTED_WITHIN):
            while True:
                async with ApiClient(self.url, None) as client:
                    if await client.ready():
                        return process
                assert process.poll() is None, "the API ended while it started"
                await anyio.sleep(0.05)

    @property
    def url(self) -> str:
        """Where the API answers."""
        return f"http://127.0.0.1:{self.port}"

    def agent(self) -> ApiClient:
        """A client of the API with the agent's token."""
        secret = (self.settings.home / AGENT_FILE).read_text("utf-8").strip()
        return ApiClient(self.url, secret)


async def died(process: subprocess.Popen[bytes], within: float = 30.0) -> None:
    """Wait until the process was killed; fails where it ended otherwise."""
    await eventually(lambda: process.poll() is not None, within)
    assert process.returncode == -signal.SIGKILL


@contextmanager
def open_processes(processes: Processes) -> Iterator[Processes]:
    """The processes; all are gone afterwards."""
    try:
        yield processes
    finally:
        for process in processes.started:
            process.kill()
            process.wait()
