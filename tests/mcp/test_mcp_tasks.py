"""The tasks extension over receipts; its wire is proved by the official suite (MCP-5)."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, Request, Result
from pydantic import ConfigDict

from jobsteward.client import ApiClient
from jobsteward.runs import wire
from jobsteward.runs.model import RunStatus
from jobsteward_server.mcp import build_server
from jobsteward_server.mcp_tasks import TASKS, RunTasks, TaskUpdateParams
from tests.tools.fake_api import FakeApi

pytestmark = pytest.mark.anyio
START = {"boards": ["https://jobs.acme.example"]}


class Handle(Result):
    """What a start answers where tasks are declared."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = "task"
    task_id: str = ""


class Facts(Result):
    """Any answer about a task."""

    model_config = ConfigDict(extra="allow")


class KeepsHandles(ClientExtension):
    """Declares tasks, and keeps the handles instead of polling."""

    identifier = TASKS

    def __init__(self) -> None:
        self.handles: list[Handle] = []

    def claims(self) -> list[ResultClaim[Any]]:
        """The result shape of a start."""
        return [ResultClaim(result_type="task", model=Handle, resolve=self._keep)]

    async def _keep(self, handle: Handle, _: ClaimContext) -> CallToolResult:
        self.handles.append(handle)
        receipt = {"execution_id": "", "status": "submitted", "terminal": False, "next": ""}
        return CallToolResult(content=[], structured_content=receipt)


class TaskClient:
    """A host with the tasks extension."""

    def __init__(self, client: Client, kept: KeepsHandles) -> None:
        self.client = client
        self._kept = kept

    async def start(self) -> Handle:
        """The handle of newly started work."""
        await self.client.call_tool("discover_jobs", START)
        return self._kept.handles[-1]

    async def ask(
        self, method: str, task_id: str, answers: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """The answer to a request about the task."""
        params = TaskUpdateParams(task_id=task_id, input_responses=dict(answers or {}))
        request = Request[TaskUpdateParams, str](method=method, params=params)
        answer = await self.client.session.send_request(request, Facts)
        return answer.model_dump(by_alias=True, exclude={"meta"})


@asynccontextmanager
async def with_tasks(api: FakeApi, **options: Any) -> AsyncIterator[TaskClient]:
    kept = KeepsHandles()
    server = build_server(api.connect, tasks=RunTasks(api.connect, **options))
    async with Client(server, extensions=[kept]) as client:
        yield TaskClient(client, kept)


async def test_mcp_5_a_start_becomes_a_task_with_the_receipt_as_its_id(api: FakeApi) -> None:
    async with with_tasks(api) as host:
        handle = await host.start()
        assert handle.task_id in api.runs
        facts = await host.ask("tasks/get", handle.task_id)
    assert facts["status"] == "working"
    assert facts["ttlMs"] is None
    assert facts["pollIntervalMs"] > 0


async def test_a_finished_run_is_a_completed_task_with_the_tools_result(api: FakeApi) -> None:
    async with with_tasks(api) as host:
        handle = await host.start()
        api.move(handle.task_id, RunStatus.SUCCEEDED, result={"sources": {"ok": 1}})
        facts = await host.ask("tasks/get", handle.task_id)
    assert facts["status"] == "completed"
    assert facts["result"]["structuredContent"]["result"] == {"sources": {"ok": 1}}
    assert not facts["result"].get("isError")


@pytest.mark.parametrize(
    ("status", "task", "is_error"),
    [
        (RunStatus.FAILED, "completed", True),
        (RunStatus.CANCELED, "cancelled", None),
        (RunStatus.TERMINATED, "failed", None),
        (RunStatus.TIMED_OUT, "failed", None),
        (RunStatus.RUNNING, "working", None),
        (RunStatus.AWAITING_APPROVAL, "working", None),
    ],
)
async def test_each_state_of_a_run_has_one_of_a_task(
    api: FakeApi, status: RunStatus, task: str, is_error: bool | None
) -> None:
    async with with_tasks(api) as host:
        handle = await host.start()
        api.move(handle.task_id, status)
        facts = await host.ask("tasks/get", handle.task_id)
    assert facts["status"] == task
    assert facts.get("result", {}).get("isError") is is_error


async def test_reading_a_run_is_no_task(api: FakeApi) -> None:
    run = api.add_run(1)
    async with with_tasks(api) as host:
        result = await host.client.call_tool(
            "check_workflow_status", {"execution_id": run.execution_id}
        )
    assert result.structured_content


async def test_s15_another_tenants_task_is_unknown_like_any_other(api: FakeApi) -> None:
    foreign = api.add_run(1, owner="mallory")
    async with with_tasks(api) as host:
        answers = []
        for task_id in (foreign.execution_id, "exe_" + "f" * 32, "../jobs"):
            for method in ("tasks/get", "tasks/cancel"):
                with pytest.raises(MCPError) as refused:
                    await host.ask(method, task_id)
                answers.append((refused.value.code, refused.value.message))
    assert set(answers) == {(-32602, "Unknown taskId")}
    assert not api.runs[foreign.execution_id].terminal


async def test_a_cancel_is_acknowledged_and_passed_on(api: FakeApi) -> None:
    async with with_tasks(api) as host:
        handle = await host.start()
        assert await host.ask("tasks/cancel", handle.task_id) == {"resultType": "complete"}
        assert api.runs[handle.task_id].status is RunStatus.CANCEL_REQUESTED


async def test_only_accepted_answers_to_open_questions_are_delivered(api: FakeApi) -> None:
    decisions: list[dict[str, Any]] = []
    api.on_decision = lambda _run, decision: decisions.append(decision)

    async def questions(_: ApiClient, view: wire.RunView) -> Mapping[str, Any]:
        return {"gate-1": {"method": "elicitation/create"}} if not view.terminal else {}

    async with with_tasks(api, questions=questions) as host:
        handle = await host.start()
        facts = await host.ask("tasks/get", handle.task_id)
        assert facts["status"] == "input_required"
        assert facts["inputRequests"] == {"gate-1": {"method": "elicitation/create"}}
        declined = {"gate-1": {"action": "decline"}}
        await host.ask("tasks/update", handle.task_id, declined)
        accepted = {"action": "accept", "content": {"years": 3}}
        both = {"gate-1": accepted, "gate-9": accepted}
        await host.ask("tasks/update", handle.task_id, both)
    assert decisions == [{"gate_id": "gate-1", "decision": "answer", "answers": {"years": 3}}]


async def test_an_api_in_trouble_is_an_error_with_its_code(api: FakeApi) -> None:
    async with with_tasks(api) as host:
        handle = await host.start()
        api.down = True
        with pytest.raises(MCPError, match=r"\[transient_network\]"):
            await host.ask("tasks/get", handle.task_id)
