"""The spine through real processes: MCP client, API, worker, boards, jobs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import stdio_client

from jobsteward_server.demo.board import BoardServer, Manner
from jobsteward_server.demo.companies import Company, crowd, fernweh, harbour, quillbank
from jobsteward_server.demo.stack import Stack, origin_map, run_stack

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

HARBOUR, FERNWEH, QUILL = "greenhouse/harbourlight", "lever/fernwehrail", "ashby/quillbank"
EMPTY, CROWD = "ashby/hollowoak", "greenhouse/crowd"
COMPANIES = {
    HARBOUR: harbour(),
    FERNWEH: fernweh(),
    QUILL: quillbank(),
    EMPTY: Company("hollowoak", "Hollow Oak", ()),
    CROWD: crowd("crowd", 900),
}


@pytest.fixture(scope="module")
async def boards() -> AsyncIterator[BoardServer]:
    async with BoardServer(COMPANIES) as server:
        yield server


@pytest.fixture(scope="module")
async def stack(
    boards: BoardServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stack]:
    """One stack for the module; its tests use boards and keys of their own."""
    home = tmp_path_factory.mktemp("journey") / "home"
    settings = origin_map(boards.origin_map) | {"HEARTBEAT_TIMEOUT": "4"}
    async with run_stack(home, settings) as running:
        yield running


@asynccontextmanager
async def agent(stack: Stack, log: Path) -> AsyncIterator[Client]:
    """An MCP client over the pipes of ``jobsteward mcp``."""
    with log.open("w") as words:
        async with Client(stdio_client(stack.mcp(), words), read_timeout_seconds=90) as client:
            yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a call that must succeed."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return dict(answer.structured_content or {})


async def discover(client: Client, boards: BoardServer, *names: str, key: str) -> str:
    """The receipt of a discovery over these boards."""
    urls = [boards.url(name) for name in names]
    answer = await call(client, "discover_jobs", boards=urls, workflow_idempotency_key=key)
    return str(answer["execution_id"])


async def ended(client: Client, receipt: str) -> dict[str, Any]:
    """The run once it has ended."""
    with anyio.fail_after(90):
        while True:
            run = await call(client, "wait_for_result", execution_id=receipt, timeout_seconds=30)
            if run["terminal"]:
                return run


async def test_each_source_has_its_own_outcome(
    stack: Stack, boards: BoardServer, tmp_path: Path
) -> None:
    """DIS-3, P044: one board refuses and one is empty; the third is read, the run succeeds."""
    boards.behave(FERNWEH, Manner(status=403))
    async with agent(stack, tmp_path / "mcp.log") as client:
        receipt = await discover(client, boards, HARBOUR, FERNWEH, EMPTY, key="outcomes")
        run = await ended(client, receipt)
        assert run["status"] == "succeeded"
        outcomes = [(s["status"], s["found"]) for s in run["result"]["sources"]]
        assert sorted(outcomes) == [("blocked", 0), ("empty", 0), ("ok", 3)]
        jobs = await call(client, "search_jobs", query="dispatcher")
        [job] = jobs["jobs"]
        assert job["title"] == "Night Dispatcher"
        whole = await call(client, "get_job", job_id=job["job_id"])
        assert "Four nights a week" in whole["description"]


async def test_one_key_is_one_execution(stack: Stack, boards: BoardServer, tmp_path: Path) -> None:
    """ADM-3: ten equal calls at once and one later give one receipt and one reading; other
    arguments under the key are refused with the first receipt."""
    async with agent(stack, tmp_path / "mcp.log") as client:
        before = asked(boards, "quillbank")
        receipts: set[str] = set()

        async def once() -> None:
            receipts.add(await discover(client, boards, QUILL, key="one"))

        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(once)
        [receipt] = receipts
        assert (await ended(client, receipt))["status"] == "succeeded"
        assert await discover(client, boards, QUILL, key="one") == receipt
        assert asked(boards, "quillbank") - before == 1
        refused = await client.call_tool(
            "discover_jobs",
            {"boards": [boards.url(HARBOUR)], "workflow_idempotency_key": "one"},
        )
        assert refused.is_error
        assert "idempotency_key_reused" in str(refused.content)
        assert receipt in str(refused.content)


async def test_a_cancel_in_flight_ends_the_run(
    stack: Stack, boards: BoardServer, tmp_path: Path
) -> None:
    """ADM-8, ACT-3: cancelled while its board holds the answer back, the run ends canceled in
    seconds, and a second cancel is told the true state."""
    gate = boards.hold(CROWD)
    async with agent(stack, tmp_path / "mcp.log") as client:
        receipt = await discover(client, boards, CROWD, key="cancel")
        with anyio.fail_after(30):
            await gate.reached.wait()
        answer = await call(client, "cancel_workflow", execution_id=receipt)
        assert answer["outcome"] == "cancel_requested"
        with anyio.fail_after(20):
            run = await ended(client, receipt)
        assert run["status"] == "canceled"
        again = await call(client, "cancel_workflow", execution_id=receipt)
        assert (again["outcome"], again["status"]) == ("already_terminal", "canceled")
        gate.release()
        assert (await call(client, "search_jobs", query="crowd"))["jobs"] == []


async def test_closing_the_client_never_stops_the_work(
    stack: Stack, boards: BoardServer, tmp_path: Path
) -> None:
    """TOP-4, F11: the host goes away in the middle; another one reads the finished run."""
    gate = boards.hold(FERNWEH)
    async with agent(stack, tmp_path / "first.log") as client:
        receipt = await discover(client, boards, FERNWEH, key="closing")
        with anyio.fail_after(30):
            await gate.reached.wait()
    gate.release()
    async with agent(stack, tmp_path / "second.log") as client:
        run = await ended(client, receipt)
        assert run["status"] == "succeeded"
        assert run["result"]["sources"][0]["found"] == 2


def asked(boards: BoardServer, company: str) -> int:
    """How often that company's board was asked for."""
    return sum(f"/{company}" in request.target for request in boards.asked)
