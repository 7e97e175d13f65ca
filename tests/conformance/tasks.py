"""Fixtures of the tasks extension: tools whose runs live in the in-memory API."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

from jobsteward.client import ApiClient
from jobsteward.runs import wire
from jobsteward.runs.model import RunStatus
from jobsteward_server.mcp_tasks import TASKS, RunTasks
from jobsteward_tools.results import EXECUTION_META
from tests.conformance.inputs import NAME, ask
from tests.tools.fake_api import FakeApi


class TaskFixtures:
    """Tools that start runs, and what those runs ask and end with."""

    def __init__(self, api: FakeApi) -> None:
        self.extension = RunTasks(api.connect, questions=self._questions, outcome=_outcome)
        self._api = api
        self._asked: dict[str, dict[str, Any]] = {}
        self._work: set[asyncio.Task[None]] = set()
        api.on_decision = self._decided

    def register(self, server: MCPServer[Any]) -> None:
        """Add the tools."""
        for fixture in (
            self.greet,
            self.slow_compute,
            self.failing_job,
            self.protocol_error_job,
            self.confirm_delete,
            self.multi_input,
            self.test_tool_with_task,
        ):
            server.add_tool(fixture, description=f"Suite fixture {fixture.__name__}.")

    async def greet(self, name: str = "World") -> TextContent:
        return TextContent(type="text", text=f"Hello, {name}!")

    async def slow_compute(
        self, ctx: Context[Any], seconds: float = 0, label: str = ""
    ) -> CallToolResult:
        run = self._start()
        self._later(self._end(run, f"computed {label}", after=seconds))
        return await self._receipt(ctx, run)

    async def failing_job(self, ctx: Context[Any]) -> CallToolResult:
        if not _wants_tasks(ctx):
            raise MCPError(
                code=MISSING_REQUIRED_CLIENT_CAPABILITY,
                message="this tool needs the tasks extension",
                data={"requiredCapabilities": {"extensions": {TASKS: {}}}},
            )
        run = self._start()
        self._later(self._end(run, "the board refused", after=0.3, status=RunStatus.FAILED))
        return await self._receipt(ctx, run)

    async def protocol_error_job(self, ctx: Context[Any]) -> CallToolResult:
        run = self._start()
        self._later(self._end(run, "", after=0.3, status=RunStatus.TERMINATED))
        return await self._receipt(ctx, run)

    async def confirm_delete(self, ctx: Context[Any], filename: str = "") -> CallToolResult:
        run = self._start()
        self._asked[run] = {"gate-1": _dumped(ask(f"Delete {filename}?", confirm="boolean"))}
        return await self._receipt(ctx, run)

    async def multi_input(self, ctx: Context[Any]) -> CallToolResult:
        run = self._start()
        self._asked[run] = {f"gate-{number}": _dumped(NAME) for number in (1, 2)}
        return await self._receipt(ctx, run)

    async def test_tool_with_task(self, ctx: Context[Any]) -> CallToolResult | InputRequiredResult:
        given = (ctx.input_responses or {}).get("user_name")
        if not isinstance(given, ElicitResult):
            return InputRequiredResult(input_requests={"user_name": NAME})
        run = self._start()
        name = (given.content or {}).get("name")
        self._later(self._end(run, f"Hello, {name}!", after=0.1))
        return await self._receipt(ctx, run)

    def _start(self) -> str:
        return self._api.add_run(len(self._api.runs) + 1).execution_id

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _end(
        self, run: str, text: str, *, after: float, status: RunStatus = RunStatus.SUCCEEDED
    ) -> None:
        with anyio.move_on_after(after):
            await self._api.canceled(run)
            status = RunStatus.CANCELED
        self._api.move(run, status, result={"text": text})

    async def _receipt(self, ctx: Context[Any], run: str) -> CallToolResult:
        """What a tool of the product answers; without tasks, here, the end of the run."""
        if _wants_tasks(ctx):
            text = TextContent(type="text", text=f"accepted: {run}")
            return CallToolResult(content=[text], _meta={EXECUTION_META: run})
        async with self._api.client() as client:
            return _outcome(await client.get_run(run, wait=20))

    async def _questions(self, _client: ApiClient, view: wire.RunView) -> Mapping[str, Any]:
        return self._asked.get(view.execution_id, {})

    def _decided(self, run: str, decision: dict[str, Any]) -> None:
        self._asked[run].pop(decision["gate_id"], None)
        if not self._asked[run]:
            self._later(self._end(run, "answered", after=0.05))


def _outcome(view: wire.RunView) -> CallToolResult:
    text = TextContent(type="text", text=(view.result or {}).get("text", ""))
    return CallToolResult(content=[text], is_error=view.status is not RunStatus.SUCCEEDED)


def _wants_tasks(ctx: Context[Any]) -> bool:
    declared = ctx.client_capabilities
    return bool(declared and TASKS in (declared.extensions or {}))


def _dumped(request: Any) -> Any:
    return request.model_dump(by_alias=True, mode="json", exclude_none=True)
