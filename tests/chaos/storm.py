"""A storm over a whole stack: clients, kills, failpoints, then rest and the checker.

The stack is the product's own, with the probes in its catalogue and a supervisor that
restarts at once. Kills come from two sides: each start of API and worker arms one failpoint
(`tests.chaos.armed`), and a nemesis kills processes from outside.
"""

import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import httpx
from mcp import Client
from mcp.client.stdio import stdio_client
from sqlalchemy import Connection, func, select

from jobsteward.kernel.canonical import canonical_json
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.library import Library, open_library
from jobsteward.runs.model import ExecutionState
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.runs.tokens import create_token
from jobsteward.settings import Settings
from jobsteward_server import app_directory
from jobsteward_server.children import Child
from jobsteward_server.demo.stack import Stack, children_of
from jobsteward_worker.connect import connect
from tests.chaos import armed
from tests.chaos.checker import Violation, violations
from tests.chaos.history import Accepted, History
from tests.chaos.readings import read_stored, read_temporal
from tests.chaos.traffic import Traffic

ROOT = Path(__file__).parents[2]
LOCAL, OTHER = "local", "harbour"
READY_WITHIN = 60.0
REST_WITHIN = 30.0
"""Seconds after recovery within which every run has to have ended."""
_CLIENTS = 4
_PAUSE = 0.05
_CROWD = 60
"""Open executions above which clients start nothing new: what is left must end in time."""
_VICTIMS = {"worker": 4, "api": 1, "temporal": 2, "mcp": 2}
_GROWN = {"worker": 4.0, "api": 5.0, "temporal": 6.0, "mcp": 4.0}
"""Age in seconds below which a process is spared, so that kills meet work."""


@dataclass(frozen=True, slots=True)
class Goals:
    """The storm lasts until all of these are reached, or ``at_most`` seconds."""

    kills: int
    at_each_failpoint: int
    acknowledged: int
    at_most: float


SLICE = Goals(kills=25, at_each_failpoint=1, acknowledged=200, at_most=150)
"""A storm of about a minute, for every test run."""
FULL = Goals(kills=200, at_each_failpoint=10, acknowledged=5000, at_most=3000)
"""The whole one."""


@dataclass
class Stormed:
    """What a storm came to.

    ``seconds`` lasts from the first client to the last kill, ``rest`` from recovery until all
    executions had ended, ``temporal_rest`` until Temporal had closed all runs as well.
    """

    history: History = field(default_factory=History)
    killed: Counter[str] = field(default_factory=Counter)
    failpoints: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)
    executions: int = 0
    open_at_rest: int = 0
    seconds: float = 0.0
    rest: float = 0.0
    temporal_rest: float = 0.0

    @property
    def kills(self) -> int:
        """All kills: from outside and at failpoints."""
        return self.killed.total() + self.failpoints.total()

    @property
    def acknowledged(self) -> int:
        """Acknowledged requests, repeated ones included."""
        return len(self.history.accepted)

    def reached(self, goals: Goals) -> bool:
        """Whether the storm was one: it must have met what it is about."""
        return (
            self.kills >= goals.kills
            and self.acknowledged >= goals.acknowledged
            and all(self.failpoints[name] >= goals.at_each_failpoint for name in armed.ALL)
            and all(self.killed[part] >= goals.at_each_failpoint for part in _VICTIMS)
        )

    def __str__(self) -> str:
        pace = self.kills * 60 / max(self.seconds, 1)
        return (
            f"{self.kills} kills in {self.seconds:.0f} s ({pace:.0f} a minute),"
            f" {self.acknowledged} acknowledged ({self.executions} executions),"
            f" {self.history.unanswered} unanswered,"
            f" rest after {self.rest:.1f} s with {self.open_at_rest} open, Temporal's after"
            f" {self.temporal_rest:.1f} s;"
            f" from outside {dict(self.killed)}, at failpoints {dict(self.failpoints)}"
        )


async def storm(home: Path, goals: Goals, *, seed: int, database_url: str | None = None) -> Stormed:
    """One storm over a new stack in ``home``, judged."""
    stormed = Stormed()
    extra = {"DATABASE_URL": database_url} if database_url else {}
    async with stormy_stack(home, extra) as stack, AsyncExitStack() as opened:
        settings = Settings(home=home, database_url=database_url)
        library = await opened.enter_async_context(await open_library(settings))
        clients = {LOCAL: _client(stack, stack.token), OTHER: await _other(stack, library)}
        for client in clients.values():
            await opened.enter_async_context(client)
        traffic = Traffic(clients, stormed.history, seed)
        weather = Weather(stack, library, stormed, goals, traffic, seed)
        await weather.rage()
        await _settle(library, stormed)
        await _judge(stack, library, stormed)
    return stormed


class Weather:
    """Everything that goes on at once, until the goals are reached."""

    def __init__(
        self,
        stack: Stack,
        library: Library,
        stormed: Stormed,
        goals: Goals,
        traffic: Traffic,
        seed: int,
    ) -> None:
        self._stack = stack
        self._library = library
        self._stormed = stormed
        self._goals = goals
        self._traffic = traffic
        self._random = random.Random(seed)
        self._began = time.monotonic()
        self._born: dict[int, float] = {}
        self._over = False
        self._open = 0

    async def rage(self) -> None:
        """The storm; when it returns, the stack is up, whole and unarmed."""
        async with anyio.create_task_group() as group:
            for tenant in (LOCAL, OTHER) * _CLIENTS:
                group.start_soon(self._client, tenant)
            group.start_soon(self._hot_keys)
            group.start_soon(self._agent)
            await self._kill_until_reached()
            self._over = True
            self._stormed.seconds = time.monotonic() - self._began
            await self._recover()

    async def _client(self, tenant: str) -> None:
        await self._traffic.client(
            tenant, self._goes_on, pause=_PAUSE, crowded=lambda: self._open > _CROWD
        )

    def _goes_on(self) -> bool:
        return not self._over

    async def _kill_until_reached(self) -> None:
        while time.monotonic() - self._began < self._goals.at_most:
            await anyio.sleep(self._random.uniform(0.3, 0.9))
            self._stormed.failpoints = armed.hits(self._stack.home)
            if self._stormed.reached(self._goals):
                return
            self._open = await _count_open(self._library)
            self._strike()

    def _strike(self) -> None:
        [part] = self._random.choices([*_VICTIMS], [*_VICTIMS.values()])
        pid = self._pid(part)
        if pid is None or self._stormed.killed[part] >= self._share(part):
            return
        age = time.monotonic() - self._born.setdefault(pid, time.monotonic())
        if age >= _GROWN[part]:
            self._kill(part, pid)

    def _share(self, part: str) -> int:
        """Kills from outside beyond which it would rarely live to reach a failpoint."""
        share = 3 * self._goals.at_each_failpoint
        return share if part == "api" else max(share, 8)

    def _pid(self, part: str) -> int | None:
        for name in _VICTIMS:
            pid = _mcp_pid() if name == "mcp" else self._stack.pid_of(name)
            if pid is not None:
                self._born.setdefault(pid, time.monotonic())
        return _mcp_pid() if part == "mcp" else self._stack.pid_of(part)

    def _kill(self, part: str, pid: int) -> None:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # a failpoint was faster
        self._stormed.killed[part] += 1

    async def _recover(self) -> None:
        """Start API and worker anew without failpoints, and wait until work is taken in."""
        (self._stack.home / armed.CALM).touch()
        for part in ("api", "worker"):
            pid = self._stack.pid_of(part)
            if pid is not None:
                self._kill(part, pid)
        self._stormed.failpoints = armed.hits(self._stack.home)
        async with self._stack.api() as api:
            with anyio.fail_after(READY_WITHIN):
                while True:
                    if await api.ready():
                        return
                    await anyio.sleep(0.1)

    async def _hot_keys(self) -> None:
        while self._goes_on():
            await self._traffic.hot_key(self._random.choice([LOCAL, OTHER]))
            await anyio.sleep(3)

    async def _agent(self) -> None:
        """An agent over MCP whose server process is killed now and then, and started again."""
        number = 0
        with (self._stack.home / "logs" / "mcp.log").open("w", encoding="utf-8") as words:
            while self._goes_on():
                try:
                    transport = stdio_client(self._stack.mcp(), words)
                    async with Client(transport, read_timeout_seconds=20) as client:
                        while self._goes_on():
                            number += 1
                            await self._ask(client, number)
                # Whatever the client makes of a server that was killed: the host starts another.
                except Exception:
                    self._stormed.history.unanswered += 1

    async def _ask(self, client: Client, number: int) -> None:
        inputs = {"steps": ["ok"], "name": f"agent-{number}"}
        key = f"agent-{number}"
        asked = time.monotonic()
        answer = await client.call_tool(
            "trigger_workflow", {"workflow": "probe", "inputs": inputs, "idempotency_key": key}
        )
        if not answer.is_error and answer.structured_content:
            made = str(answer.structured_content["execution_id"])
            self._stormed.history.accepted.append(
                Accepted(LOCAL, key, canonical_json(inputs), made, asked, time.monotonic())
            )
        await anyio.sleep(0.2)


@asynccontextmanager
async def stormy_stack(home: Path, extra: Mapping[str, str]) -> AsyncIterator[Stack]:
    """A whole stack with armed processes, ready for work, and gone afterwards."""
    app_directory.prepare(home)
    own = {
        "HOME": str(home),
        "PORT": "0",
        "TEST_MODE": "1",
        "HEARTBEAT_TIMEOUT": "4",
        "CHILD_COMMAND": f"{sys.executable} -P -m tests.chaos.armed",
        **extra,
    }
    outside = {k: v for k, v in os.environ.items() if not k.startswith("JOBSTEWARD_")}
    environment = outside | {f"JOBSTEWARD_{name}": value for name, value in own.items()}
    search = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment["PYTHONPATH"] = os.pathsep.join(search)
    output = app_directory.open_log(home, "stack")
    try:
        child = await Child.start(
            [sys.executable, "-P", "-m", "tests.chaos.supervisor"],
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
            await child.stop(12.0)


async def _ready(home: Path, child: Child) -> str:
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline and child.exit_code is None:
        record = app_directory.running_stack(home)
        if record:
            return record.url
        await anyio.sleep(0.05)
    told = (home / "logs" / "stack.log").read_text("utf-8", "replace")
    raise ConfigurationError(f"the stack did not come up; its last words: {told[-1500:]}")


def _mcp_pid() -> int | None:
    return next((pid for pid, words in children_of(os.getpid()) if words[-1:] == ["mcp"]), None)


def _client(stack: Stack, secret: str) -> httpx.AsyncClient:
    headers = {"authorization": f"Bearer {secret}"}
    return httpx.AsyncClient(base_url=stack.url, headers=headers, timeout=10, trust_env=False)


async def _other(stack: Stack, library: Library) -> httpx.AsyncClient:
    _, secret = await library.database.write(
        lambda conn: create_token(conn, name="storm", scopes=("read", "run"), tenant_id=OTHER)
    )
    return _client(stack, secret)


async def _settle(library: Library, stormed: Stormed) -> None:
    """Wait until every execution has ended, at most ``REST_WITHIN`` seconds."""
    began = time.monotonic()
    while True:
        stormed.open_at_rest = await _count_open(library)
        stormed.rest = time.monotonic() - began
        if not stormed.open_at_rest or stormed.rest > REST_WITHIN:
            return
        await anyio.sleep(0.2)


async def _count_open(library: Library) -> int:
    ended = (ExecutionState.FINISHED, ExecutionState.CLOSED)
    statement = select(func.count()).where(EXECUTIONS.c.state.not_in(ended))

    def count(conn: Connection) -> int:
        return conn.scalar(statement) or 0

    return await library.database.read(count)


async def _judge(stack: Stack, library: Library, stormed: Stormed) -> None:
    record = app_directory.running_stack(stack.home)
    assert record is not None
    client = await connect(
        Settings(
            home=stack.home,
            temporal_address=record.temporal_address,
            temporal_namespace=record.temporal_namespace,
        )
    )
    began = time.monotonic()
    temporal = await read_temporal(client)
    while any(run.status is None for run in temporal) and time.monotonic() - began < REST_WITHIN:
        await anyio.sleep(0.5)  # a run closes, and is listed so, just after our terminal event
        temporal = await read_temporal(client)
    stormed.temporal_rest = stormed.rest + time.monotonic() - began
    stored = await library.database.read(lambda conn: read_stored(conn, temporal))
    stormed.executions = len(stored.executions)
    stormed.violations = violations(stormed.history, stored)
