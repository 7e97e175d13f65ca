"""The generic tools, through the real MCP client of both eras (MCP-1, MCP-3, P105, P106)."""

from typing import Any

import anyio
import pytest

from jobsteward.runs.model import RunStatus
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import ERAS, connected, facts, text

pytestmark = pytest.mark.anyio
BOTH = pytest.mark.parametrize("mode", ERAS)
BOARD = "https://jobs.acme.example/board"


async def call(api: FakeApi, tool: str, arguments: dict[str, Any], mode: str = "auto") -> Any:
    async with connected(api, mode) as client:
        return await client.call_tool(tool, arguments)


@BOTH
async def test_mcp_1_a_start_answers_with_a_receipt_and_what_to_do_next(
    api: FakeApi, mode: str
) -> None:
    arguments = {"workflow": "discover", "inputs": {"boards": [BOARD]}, "idempotency_key": "k1"}
    result = await call(api, "trigger_workflow", arguments, mode)
    receipt = facts(result)
    assert receipt["status"] == "submitted"
    assert receipt["execution_id"] in api.runs
    assert f"wait_for_result with execution_id {receipt['execution_id']}" in text(result)
    assert api.requests == [("POST", "/api/v1/workflows/discover/execute", "k1")]


async def test_mcp_1_named_tools_map_their_key_to_the_same_header(api: FakeApi) -> None:
    arguments = {"boards": [BOARD], "workflow_idempotency_key": "k2"}
    first = facts(await call(api, "discover_jobs", arguments))
    again = facts(await call(api, "discover_jobs", arguments))
    assert first["execution_id"] == again["execution_id"]
    assert (first["replayed"], again["replayed"]) == (False, True)
    assert api.requests[0] == ("POST", "/api/v1/workflows/discover/execute", "k2")


async def test_adm_3_a_key_used_for_other_work_names_the_first_execution(api: FakeApi) -> None:
    first = facts(
        await call(api, "discover_jobs", {"boards": [BOARD], "workflow_idempotency_key": "k"})
    )
    result = await call(
        api, "discover_jobs", {"boards": [BOARD + "/2"], "workflow_idempotency_key": "k"}
    )
    assert result.is_error
    assert "[idempotency_key_reused]" in text(result)
    assert first["execution_id"] in text(result)


async def test_an_unknown_workflow_is_told_with_names_close_to_it(api: FakeApi) -> None:
    result = await call(api, "trigger_workflow", {"workflow": "discovr", "inputs": {}})
    assert result.is_error
    assert "[unknown_workflow]" in text(result)
    assert "discover" in text(result)
    assert "list_workflows" in text(result)


async def test_p106_a_start_without_an_answer_says_that_it_may_have_happened(
    api: FakeApi,
) -> None:
    api.down = True
    result = await call(api, "discover_jobs", {"boards": [BOARD]})
    assert result.is_error
    assert "may or may not have started" in text(result)
    assert "list_runs" in text(result)


async def test_api_errors_keep_their_code_and_say_whether_to_try_again(api: FakeApi) -> None:
    api.answer_with = (503, {"code": "storage_full", "detail": "no space left; free some"})
    full = await call(api, "list_runs", {})
    assert text(full).startswith("[storage_full] no space left; free some")
    assert "later can help" in text(full)
    api.answer_with = (400, {"code": "bad_json", "detail": "the body is no JSON object"})
    assert "later can help" not in text(await call(api, "list_runs", {}))


@BOTH
async def test_mcp_1_a_status_takes_a_receipt_or_a_run_id(api: FakeApi, mode: str) -> None:
    run = api.add_run(1)
    by_receipt = await call(api, "check_workflow_status", {"execution_id": run.execution_id}, mode)
    by_run = await call(api, "check_workflow_status", {"execution_id": "run-1"}, mode)
    assert facts(by_receipt) == facts(by_run)
    assert facts(by_run)["status"] == "running"
    assert "A slot is not free." in text(by_run), "why it waits belongs to the answer (OBS-5)"


async def test_p105_the_status_of_an_ended_run_is_its_true_end(api: FakeApi) -> None:
    run = api.add_run(1)
    error = {"code": "source_unavailable", "retryable": True}
    api.move(run.execution_id, RunStatus.FAILED)
    api.runs[run.execution_id] = type(run).model_validate(
        api.runs[run.execution_id].model_dump() | {"error": error}
    )
    result = await call(api, "check_workflow_status", {"execution_id": run.execution_id})
    assert facts(result)["status"] == "failed"
    assert facts(result)["terminal"] is True
    assert facts(result)["error_code"] == "source_unavailable"
    assert "can be started again" in text(result)


async def test_another_tenants_run_is_not_found(api: FakeApi) -> None:
    run = api.add_run(1, owner="mallory")
    result = await call(api, "check_workflow_status", {"execution_id": run.execution_id})
    assert result.is_error
    assert "[not_found]" in text(result)


async def test_a_cancel_tells_what_it_came_to(api: FakeApi) -> None:
    run = api.add_run(1)
    asked = facts(await call(api, "cancel_workflow", {"execution_id": run.execution_id}))
    assert (asked["outcome"], asked["status"]) == ("cancel_requested", "cancel_requested")
    api.move(run.execution_id, RunStatus.CANCELED)
    late = facts(await call(api, "cancel_workflow", {"execution_id": run.execution_id}))
    assert (late["outcome"], late["status"]) == ("already_terminal", "canceled")


async def test_runs_are_listed_in_pages_and_by_state(api: FakeApi) -> None:
    for number in range(5):
        api.add_run(number)
    api.move(f"exe_{2:032x}", RunStatus.FAILED)
    first = facts(await call(api, "list_runs", {"limit": 3}))
    rest = facts(await call(api, "list_runs", {"limit": 3, "cursor": first["next_cursor"]}))
    assert [run["execution_id"][-1] for run in first["runs"] + rest["runs"]] == list("43210")
    assert "next_cursor" not in rest
    failed = facts(await call(api, "list_runs", {"status": "failed"}))
    assert [run["execution_id"] for run in failed["runs"]] == [f"exe_{2:032x}"]


async def test_workflows_come_from_the_api_with_their_schemas(api: FakeApi) -> None:
    result = await call(api, "list_workflows", {})
    assert facts(result)["workflows"][0]["input_schema"]["properties"] == {
        "boards": {"type": "array"}
    }
    assert "boards" in text(result)
    assert facts(await call(api, "list_workflows", {"workflow": "no_such"}))["workflows"] == []


async def test_f28_a_call_sent_twice_at_once_gives_one_execution(api: FakeApi) -> None:
    arguments = {"boards": [BOARD], "workflow_idempotency_key": "twice"}
    receipts: list[str] = []
    async with connected(api) as client:

        async def send() -> None:
            result = await client.call_tool("discover_jobs", arguments)
            receipts.append(facts(result)["execution_id"])

        async with anyio.create_task_group() as calls:
            calls.start_soon(send)
            calls.start_soon(send)
    assert len(set(receipts)) == len(api.runs) == 1


async def test_a_search_without_words_is_left_to_the_saved_preferences(api: FakeApi) -> None:
    """DIS-5: only what the caller names goes into the request."""
    await call(api, "discover_jobs", {})
    await call(api, "discover_jobs", {"titles": ["Weaver"], "remote": ["yes"], "limit": 5})
    assert list(api.inputs.values()) == [
        {},
        {"titles": ["Weaver"], "remote": ["yes"], "limit": 5},
    ]
