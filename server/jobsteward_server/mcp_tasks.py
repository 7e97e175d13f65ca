"""The tasks extension (SEP-2663) over the receipts that the tools give anyway (MCP-5).

A task is an execution: its id is the execution id, checked by the API for the caller's tenant
at every call. Nothing is stored here.

    tasks/get     the run: working, input_required, completed, cancelled or failed
    tasks/update  decisions on the gates that the answers name
    tasks/cancel  a cancel request; only an acknowledgement
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import decode_header_value
from mcp.types import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    RequestParams,
)

from jobsteward.client import ID_PATTERN, ApiClient, Connect
from jobsteward.kernel.errors import JobstewardError, NotFoundError
from jobsteward.runs import wire
from jobsteward.runs.model import RunStatus
from jobsteward_tools import advice
from jobsteward_tools.errors import told
from jobsteward_tools.generic import run_result
from jobsteward_tools.results import EXECUTION_META

TASKS = "io.modelcontextprotocol/tasks"
_MODERN = frozenset({"2026-07-28"})
_POLL_MS = 2_000
_UNKNOWN = "Unknown taskId"
_BROKEN = frozenset({RunStatus.TERMINATED, RunStatus.TIMED_OUT})
"""Ends that no code of the workflow chose; everything else it chose is a result."""

Questions: TypeAlias = Callable[[ApiClient, wire.RunView], Awaitable[Mapping[str, Any]]]
"""What a parked run asks: gate id → elicitation request, as MCP writes it. Empty where only a
person's page can answer."""
Outcome: TypeAlias = Callable[[wire.RunView], CallToolResult]


class TaskParams(RequestParams):
    """Parameters that name a task."""

    task_id: str


class TaskUpdateParams(TaskParams):
    """Answers to what a task asked; keys that it did not ask for are ignored."""

    input_responses: dict[str, Any]


async def no_questions(_client: ApiClient, _view: wire.RunView) -> Mapping[str, Any]:
    """Nothing: what parks a run is answered on its page or through a tool of its own."""
    return {}


def outcome(view: wire.RunView) -> CallToolResult:
    """The result of the tool that started the run, once it has ended."""
    result = run_result(view)
    if view.status is RunStatus.SUCCEEDED:
        return result
    return CallToolResult(content=result.content, is_error=True)


class RunTasks(Extension):
    """Tasks for clients that declare the extension; others keep the receipt."""

    identifier = TASKS

    def __init__(
        self,
        connect: Connect,
        *,
        questions: Questions = no_questions,
        outcome: Outcome = outcome,
    ) -> None:
        self._connect = connect
        self._questions = questions
        self._outcome = outcome

    def methods(self) -> list[MethodBinding]:
        """The three task methods, of the current protocol only."""
        return [
            MethodBinding("tasks/get", TaskParams, self.get, _MODERN),
            MethodBinding("tasks/update", TaskUpdateParams, self.update, _MODERN),
            MethodBinding("tasks/cancel", TaskParams, self.cancel, _MODERN),
        ]

    async def get(self, ctx: ServerRequestContext[Any, Any], params: TaskParams) -> dict[str, Any]:
        """The task as it stands, with its result, error or questions."""
        async with self._task(ctx, params) as client:
            view = await client.get_run(params.task_id)
            return await self._detail(client, view)

    async def update(
        self, ctx: ServerRequestContext[Any, Any], params: TaskUpdateParams
    ) -> dict[str, Any]:
        """Deliver accepted answers; declining leaves the question to the person."""
        async with self._task(ctx, params) as client:
            view = await client.get_run(params.task_id)
            asked = await self._questions(client, view)
            for gate_id in asked.keys() & params.input_responses.keys():
                response = params.input_responses[gate_id]
                if isinstance(response, dict) and response.get("action") == "accept":
                    answers = response.get("content") or {}
                    decision = {"gate_id": gate_id, "decision": "answer", "answers": answers}
                    await client.decide(params.task_id, decision)
        return {}

    async def cancel(
        self, ctx: ServerRequestContext[Any, Any], params: TaskParams
    ) -> dict[str, Any]:
        """Pass the request on; tasks/get tells what it came to."""
        async with self._task(ctx, params) as client:
            await client.cancel(params.task_id)
        return {}

    async def intercept_tool_call(
        self,
        params: CallToolRequestParams,
        ctx: ServerRequestContext[Any, Any],
        call_next: CallNext,
    ) -> HandlerResult:
        """Turn the receipt of a tool that started work into a task, where the client wants one."""
        result = await call_next(ctx)
        receipt = _receipt(result) if _declared(ctx) else None
        if receipt is None:
            return result
        async with self._connect() as client:
            view = await client.get_run(receipt)
        # A seed: even when the run has ended already, its result is read with tasks/get.
        return {"resultType": "task", "status": "working", **_facts(view)}

    @asynccontextmanager
    async def _task(
        self, ctx: ServerRequestContext[Any, Any], params: TaskParams
    ) -> AsyncIterator[ApiClient]:
        require_client_extension(ctx, TASKS)
        _check_routing(ctx, params.task_id)
        if not re.fullmatch(ID_PATTERN, params.task_id):
            raise MCPError(code=INVALID_PARAMS, message=_UNKNOWN)
        try:
            async with self._connect() as client:
                yield client
        except NotFoundError:
            raise MCPError(code=INVALID_PARAMS, message=_UNKNOWN) from None
        except JobstewardError as error:
            raise MCPError(code=INTERNAL_ERROR, message=told(error)) from None

    async def _detail(self, client: ApiClient, view: wire.RunView) -> dict[str, Any]:
        facts = _facts(view)
        if view.status is RunStatus.CANCELED:
            return {"status": "cancelled", **facts}
        if view.status in _BROKEN:
            error = {"code": INTERNAL_ERROR, "message": f"the run was {view.status}"}
            return {"status": "failed", "error": error, **facts}
        if view.terminal:
            result = self._outcome(view).model_dump(by_alias=True, mode="json", exclude_none=True)
            return {"status": "completed", "result": {"resultType": "complete", **result}, **facts}
        asked = await self._questions(client, view)
        if asked:
            return {"status": "input_required", "inputRequests": dict(asked), **facts}
        return {"status": "working", "statusMessage": advice.after(view), **facts}


def _facts(view: wire.RunView) -> dict[str, Any]:
    """What every answer about a task holds; an execution is kept without a time limit."""
    facts: dict[str, Any] = {
        "taskId": view.execution_id,
        "createdAt": view.created_at,
        "lastUpdatedAt": view.ended_at or view.as_of,
        "ttlMs": None,
    }
    return facts if view.terminal else facts | {"pollIntervalMs": _POLL_MS}


def _declared(ctx: ServerRequestContext[Any, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    return bool(
        ctx.protocol_version in _MODERN
        and capabilities
        and capabilities.extensions
        and TASKS in capabilities.extensions
    )


def _receipt(result: HandlerResult) -> str | None:
    meta = result.meta if isinstance(result, CallToolResult) and not result.is_error else None
    receipt = meta.get(EXECUTION_META) if meta else None
    return receipt if isinstance(receipt, str) else None


def _check_routing(ctx: ServerRequestContext[Any, Any], task_id: str) -> None:
    """The routing header must name the task; the SDK checks it for core methods only."""
    headers = getattr(ctx.request, "headers", None)
    named = headers.get("mcp-name") if headers is not None else None
    if named is not None and decode_header_value(named) != task_id:
        raise MCPError(
            code=HEADER_MISMATCH, message="the Mcp-Name header does not match params.taskId"
        )
