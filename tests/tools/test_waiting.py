"""Waiting for a run: bounded, with progress, and never ending the run (MCP-3, MCP-8, F11)."""

import anyio
import pytest

from jobsteward.runs.model import RunStatus
from jobsteward_tools import waiting
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import ERAS, connected, facts, text

pytestmark = pytest.mark.anyio
BOTH = pytest.mark.parametrize("mode", ERAS)


@BOTH
async def test_mcp_1_a_wait_ends_with_the_run_and_holds_its_result(api: FakeApi, mode: str) -> None:
    run = api.add_run(1)
    async with connected(api, mode) as client, anyio.create_task_group() as tasks:

        async def end_it() -> None:
            await api.has_had(1)
            api.move(run.execution_id, RunStatus.SUCCEEDED, result={"sources": {"ok": 1}})

        tasks.start_soon(end_it)
        with anyio.fail_after(10):
            result = await client.call_tool("wait_for_result", {"execution_id": run.execution_id})
    assert facts(result)["status"] == "succeeded"
    assert facts(result)["result"] == {"sources": {"ok": 1}}
    assert '{"sources":{"ok":1}}' in text(result)
    assert "timed_out" not in facts(result)


@BOTH
@pytest.mark.parametrize("seconds", [0, 0.05])
async def test_mcp_3_a_wait_that_is_too_short_keeps_the_receipt(
    api: FakeApi, mode: str, seconds: float
) -> None:
    run = api.add_run(1)
    arguments = {"execution_id": run.execution_id, "timeout_seconds": seconds}
    async with connected(api, mode) as client:
        result = await client.call_tool("wait_for_result", arguments)
    assert facts(result)["execution_id"] == run.execution_id
    assert facts(result)["timed_out"] is True
    assert facts(result)["status"] == "running"
    assert "still running, do not start again" in text(result)
    assert not api.runs[run.execution_id].terminal


async def test_p106_a_poll_that_fails_keeps_the_receipt(api: FakeApi) -> None:
    run = api.add_run(1)
    api.down = True
    arguments = {"execution_id": run.execution_id, "timeout_seconds": 0.05}
    async with connected(api) as client:
        result = await client.call_tool("wait_for_result", arguments)
    assert facts(result)["execution_id"] == run.execution_id
    assert facts(result)["status"] == "unknown"
    assert "[transient_network]" in text(result)
    assert "still running, do not start again" in text(result)


async def test_a_wait_outlives_an_api_that_is_away_for_a_moment(
    api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_PAUSE", 0.01)
    run = api.add_run(1)
    api.move(run.execution_id, RunStatus.SUCCEEDED, result={})
    api.answer_with = (503, {"code": "storage_error", "detail": "the database is busy"})
    async with connected(api) as client, anyio.create_task_group() as tasks:

        async def recover() -> None:
            await api.has_had(3)
            api.answer_with = None

        tasks.start_soon(recover)
        with anyio.fail_after(10):
            result = await client.call_tool("wait_for_result", {"execution_id": run.execution_id})
    assert facts(result)["status"] == "succeeded"


async def test_p106_a_refused_wait_names_the_execution_too(api: FakeApi) -> None:
    run = api.add_run(1)
    api.answer_with = (401, {"code": "authentication", "detail": "this token was revoked"})
    async with connected(api) as client:
        result = await client.call_tool("wait_for_result", {"execution_id": run.execution_id})
    assert result.is_error
    assert text(result).startswith("[authentication]")
    assert f"the run {run.execution_id} is still running, do not start again" in text(result)


@BOTH
async def test_f11_ending_the_wait_never_ends_the_run(api: FakeApi, mode: str) -> None:
    run = api.add_run(1)
    async with connected(api, mode) as client:
        with anyio.move_on_after(0.2) as scope:
            await client.call_tool("wait_for_result", {"execution_id": run.execution_id})
        assert scope.cancelled_caught
        again = await client.call_tool("check_workflow_status", {"execution_id": "run-1"})
    assert facts(again)["status"] == "running"
    assert not any(path.endswith("/cancel") for _, path, _ in api.requests)


@BOTH
async def test_a_parked_run_ends_the_wait_and_names_who_must_act(api: FakeApi, mode: str) -> None:
    run = api.add_run(1)
    api.move(run.execution_id, RunStatus.AWAITING_APPROVAL)
    async with connected(api, mode) as client:
        with anyio.fail_after(10):
            result = await client.call_tool("wait_for_result", {"execution_id": run.execution_id})
    assert facts(result)["terminal"] is False
    assert "only they can give" in text(result)


@BOTH
async def test_mcp_8_progress_grows_and_stops_before_the_result(
    api: FakeApi, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "_SLICE", 0.02)
    monkeypatch.setattr(waiting, "_PAUSE", 0.1)
    run = api.add_run(1)
    seen: list[float] = []
    ended = False

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert not ended
        assert total is None
        assert message
        assert run.execution_id in message
        seen.append(progress)

    arguments = {"execution_id": run.execution_id, "timeout_seconds": 0.55}
    async with connected(api, mode) as client:
        await client.call_tool("wait_for_result", arguments, progress_callback=note)
        ended = True
        await anyio.lowlevel.checkpoint()
    assert 2 <= len(seen) <= 6
    assert seen == sorted(set(seen))
