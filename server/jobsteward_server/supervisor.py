"""One stack per app directory: Temporal, API and worker, started, watched, restarted, stopped.

This process imports neither Temporal's client nor the web server; it only starts programs
and asks them over HTTP whether they answer.
"""

import asyncio
import http.client
import logging
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import Settings
from jobsteward_server import app_directory
from jobsteward_server.app_directory import StackRecord
from jobsteward_server.children import LOOPBACK, Child, free_ports, port_is_free
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_server.watch import Pace, Watch

log = logging.getLogger(__name__)

API_READY_WITHIN = 60.0
STOP_GRACE = {"api": 3.5, "worker": 3.5, "temporal": 2.0}
"""Seconds each may take to stop; together below the ten that a stop may last."""
WORKER_NICENESS = 10
_ANY_ADDRESS = frozenset({"0.0.0.0", "::"})
_STARTED: list[subprocess.Popen[bytes]] = []
"""Stacks that this process started and leaves running; kept so that none is finalised."""


class Service:
    """One of our own processes, started as a subcommand of the command line."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Callable[[], dict[str, str]],
        *,
        death_signal: signal.Signals,
        niceness: int = 0,
        url: str | None = None,
    ) -> None:
        self.name = name
        self._command = [*command, name]
        self._environment = environment
        self._death_signal = death_signal
        self._niceness = niceness
        self._url = url
        self._child: Child | None = None

    @property
    def exit_code(self) -> int | None:
        """Exit code of the last start, None while it runs or before it."""
        return self._child.exit_code if self._child else None

    async def start(self) -> None:
        """Start the process; its output joins this process's standard error."""
        self._child = await Child.start(
            self._command,
            environment=self._environment(),
            output=sys.stderr.fileno(),
            death_signal=self._death_signal,
            niceness=self._niceness,
        )

    async def exited(self) -> int:
        """Wait for its end; returns the exit code."""
        return await self._child.exited() if self._child else 0

    async def alive(self) -> bool:
        """Whether it answers; one that does not listen counts as alive."""
        if self._url is None:
            return True
        return await asyncio.to_thread(http_status, f"{self._url}/readyz") is not None

    async def stop(self, grace: float) -> None:
        """SIGTERM, then SIGKILL after ``grace`` seconds."""
        if self._child:
            await self._child.stop(grace)

    async def kill(self) -> None:
        """End it at once."""
        if self._child:
            await self._child.kill()


class Supervisor:
    """The stack of one app directory; `run` holds it until it is told to stop."""

    def __init__(
        self,
        settings: Settings,
        *,
        child_command: Sequence[str] | None = None,
        announce: Callable[[str], None] = print,
        pace: Pace | None = None,
    ) -> None:
        self._settings = settings
        self._announce = announce
        self._pace = pace or Pace()
        self._port = choose_port(settings)
        self._stopping = asyncio.Event()
        embedded = settings.temporal_address is None
        self._temporal = EmbeddedTemporal(settings.home) if embedded else None
        command = child_command or entry_point(settings)
        self._api = Service(
            "api",
            command,
            self._environment,
            # Acknowledged work is on disk; the next stack needs the port at once.
            death_signal=signal.SIGKILL,
            url=self.url,
        )
        self._worker = Service(
            "worker",
            command,
            self._environment,
            # It may hold a browser, which it has to close itself.
            death_signal=signal.SIGTERM,
            niceness=WORKER_NICENESS,
        )

    @property
    def url(self) -> str:
        """Base URL of the API for clients on this machine."""
        host = LOOPBACK if self._settings.host in _ANY_ADDRESS else self._settings.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    def stop(self) -> None:
        """Ask `run` to stop everything and return."""
        self._stopping.set()

    async def run(self) -> None:
        """Start the stack, announce it, keep it up; returns after `stop` once all ended.

        Raises ConflictError when another stack holds the app directory, ConfigurationError
        when this one cannot start.
        """
        home = self._settings.home
        with app_directory.held(home):
            app_directory.remove_record(home)
            serving = asyncio.create_task(self._serve())
            stopping = asyncio.create_task(self._stopping.wait())
            try:
                await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if serving.done():
                    serving.result()
            finally:
                for task in (serving, stopping):
                    task.cancel()
                await asyncio.gather(serving, stopping, return_exceptions=True)
                app_directory.remove_record(home)
                await self._stop_all()

    async def _serve(self) -> None:
        if self._temporal:
            await self._temporal.start()
        await self._api.start()
        await self._worker.start()
        try:
            async with asyncio.TaskGroup() as group:
                if self._temporal:
                    group.create_task(self._keep_temporal(self._temporal))
                group.create_task(Watch(self._worker, self._pace).keep())
                await self._admits()
                self._publish()
                self._announce(f"ready url={self.url}")
                group.create_task(Watch(self._api, self._pace).keep())
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None

    async def _admits(self) -> None:
        """Wait until the API takes work; its own line has said why when it does not."""
        deadline = time.monotonic() + API_READY_WITHIN
        while await asyncio.to_thread(http_status, f"{self.url}/readyz") != http.client.OK:
            if self._api.exit_code is not None:
                raise ConfigurationError(
                    f"the API stopped while starting (exit code {self._api.exit_code}):"
                    " mend what its message above names, or run jobsteward doctor"
                )
            if time.monotonic() > deadline:
                raise ConfigurationError(
                    f"the API did not become ready within {API_READY_WITHIN:.0f} s:"
                    " run jobsteward doctor"
                )
            await asyncio.sleep(0.05)

    def _publish(self) -> None:
        address, namespace = self._temporal_at()
        record = StackRecord(
            pid=os.getpid(),
            url=self.url,
            port=self._port,
            temporal_address=address,
            temporal_namespace=namespace,
            started_at=timestamp(utc_now()),
        )
        app_directory.write_record(self._settings.home, record)

    def _temporal_at(self) -> tuple[str, str]:
        if self._temporal:
            return self._temporal.address, self._temporal.namespace
        return self._settings.temporal_address or "", self._settings.temporal_namespace

    def _environment(self) -> dict[str, str]:
        address, namespace = self._temporal_at()
        return os.environ | {
            "JOBSTEWARD_HOME": str(self._settings.home),
            "JOBSTEWARD_PORT": str(self._port),
            "JOBSTEWARD_TEMPORAL_ADDRESS": address,
            "JOBSTEWARD_TEMPORAL_NAMESPACE": namespace,
        }

    async def _keep_temporal(self, temporal: EmbeddedTemporal) -> None:
        """Keep the server up; when it had to move, API and worker start anew to follow it."""
        watch = Watch(temporal, self._pace)
        while True:
            before = self._temporal_at()
            await watch.restart_when_down()
            if self._temporal_at() != before:
                await self._worker.stop(STOP_GRACE["worker"])
                await self._api.stop(STOP_GRACE["api"])

    async def _stop_all(self) -> None:
        """Intake first, then the work, then what the work reports to."""
        await self._api.stop(STOP_GRACE["api"])
        await self._worker.stop(STOP_GRACE["worker"])
        if self._temporal:
            await self._temporal.stop(STOP_GRACE["temporal"])


async def run_stack(settings: Settings) -> None:
    """Run the stack of this app directory until SIGTERM, SIGINT or SIGHUP.

    Prints ``ready url=http://…`` once the API takes work.
    """
    app_directory.prepare(settings.home)
    app_directory.check_free(settings.home)
    supervisor = Supervisor(settings, announce=lambda line: print(line, flush=True))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, supervisor.stop)
    await supervisor.run()


async def ensure_stack(settings: Settings, within: float = 90.0) -> str:
    """Base URL of the API for these settings, starting the stack when none runs (TOP-4).

    A stack started here lives in a session of its own and outlasts the caller; of several
    callers at once one wins the app directory and all get its address. Raises
    ConfigurationError when none comes up within ``within`` seconds.
    """
    if settings.url:
        return settings.url.rstrip("/")
    home = settings.home
    app_directory.prepare(home)
    deadline = time.monotonic() + within
    starter: subprocess.Popen[bytes] | None = None
    while True:
        held = app_directory.is_held(home)
        record = app_directory.running_stack(home) if held else None
        if record:
            return record.url
        failed = starter is not None and starter.poll() is not None and not held
        if failed or time.monotonic() > deadline:
            raise ConfigurationError(
                f"the stack does not come up: read {home}/logs/stack.log, or run jobsteward doctor"
            )
        if starter is None and not held:
            starter = _start_detached(settings)
        await asyncio.sleep(0.1)


def _start_detached(settings: Settings) -> subprocess.Popen[bytes]:
    # Not asyncio's: its transport kills the process when the event loop closes.
    output = app_directory.open_log(settings.home, "stack")
    try:
        starter = subprocess.Popen(
            [*entry_point(settings), "up"],
            env=os.environ | {"JOBSTEWARD_HOME": str(settings.home)},
            cwd=settings.home,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    finally:
        os.close(output)
    _STARTED.append(starter)
    return starter


def entry_point(settings: Settings) -> list[str]:
    """The command that our own processes are subcommands of.

    ``JOBSTEWARD_CHILD_COMMAND`` replaces it in test mode, to add workflows of a test.
    """
    replaced = os.environ.get("JOBSTEWARD_CHILD_COMMAND")
    if settings.test_mode and replaced:
        return shlex.split(replaced)
    return [sys.executable, "-P", "-m", "jobsteward_server.cli"]


def choose_port(settings: Settings) -> int:
    """The API's port: the one asked for, else the usual one when free, else any free one.

    Raises ConfigurationError when a port that was asked for is taken.
    """
    if settings.port and port_is_free(settings.port):
        return settings.port
    if settings.port and "port" in settings.model_fields_set:
        raise ConfigurationError(
            f"port {settings.port} is taken: set JOBSTEWARD_PORT to another one, or to 0 for any"
        )
    return free_ports(1)[0]


def http_status(url: str, timeout: float = 5.0) -> int | None:
    """Status code of a GET, None when nothing answers."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout)
    try:
        connection.request("GET", parts.path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
