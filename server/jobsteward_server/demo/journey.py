"""The journey of ``jobsteward demo``: each step does one thing and checks that it held."""

import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import stdio_client
from mcp.types import CallToolResult, TextContent

from jobsteward.runs.wire import EventView
from jobsteward_server.demo.board import BoardServer
from jobsteward_server.demo.companies import Company, fernweh, harbour, moorland, quillbank
from jobsteward_server.demo.stack import Stack, origin_map, run_stack
from jobsteward_server.demo.table import table

FIRST: Mapping[str, Company] = {
    "greenhouse/harbourlight": harbour(),
    "lever/fernwehrail": fernweh(),
    "lever-eu/moorlandsensors": moorland(),
}
SECOND: Mapping[str, Company] = {"ashby/quillbank": quillbank()}
ALL = {**FIRST, **SECOND}
KEY = "demo-1"
TOOLS = frozenset({"discover_jobs", "wait_for_result", "search_jobs"})
RUN_WITHIN = 60.0
_SETTINGS = {"HEARTBEAT_TIMEOUT": "4"}
"""A killed worker's step counts as lost after seconds here, not after two minutes."""

Say = Callable[[str], None]


class StepFailed(Exception):
    """A step of the demo did not hold; the message names it and says what was seen."""


class NotHeld(Exception):
    """What was seen in place of what had to hold."""


@contextmanager
def step(name: str) -> Iterator[None]:
    """Whatever goes wrong inside becomes a StepFailed that names the step."""
    try:
        yield
    # Whatever failed, the reader has to learn in which step.
    except Exception as error:
        cause = _innermost(error)
        if isinstance(cause, StepFailed):
            raise cause from None
        raise StepFailed(f"{name}: {str(cause) or type(cause).__name__}") from error


def _innermost(error: BaseException) -> BaseException:
    """The error that a task group has wrapped."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def must(held: bool, otherwise: str) -> None:
    """Raise NotHeld with what was seen, unless it held."""
    if not held:
        raise NotHeld(otherwise)


async def run_demo(home: Path, say: Say) -> None:
    """The whole journey in an app directory of its own. Raises StepFailed at the first step
    that does not hold; leaves no process behind either way."""
    began = time.monotonic()
    with step("1. bring a stack up and connect to it"):
        async with (
            BoardServer(ALL) as boards,
            _stack(home, boards, say) as stack,
            _agent(stack) as client,
        ):
            journey = Journey(boards, stack, client, say)
            await journey.meet()
            first = await journey.discover()
            await journey.repeat(first)
            await journey.conflict(first)
            await journey.survive()
            await journey.read()
    say(f"All of it held, in {time.monotonic() - began:.0f} seconds.")


@asynccontextmanager
async def _stack(home: Path, boards: BoardServer, say: Say) -> AsyncIterator[Stack]:
    began = time.monotonic()
    async with run_stack(home, origin_map(boards.origin_map) | _SETTINGS) as stack:
        seconds = time.monotonic() - began
        say(f"1. The stack is up at {stack.url}, from nothing, in {seconds:.1f} s.")
        yield stack


@asynccontextmanager
async def _agent(stack: Stack) -> AsyncIterator[Client]:
    """A real MCP client over the pipes of ``jobsteward mcp``."""
    with (stack.home / "logs" / "mcp.log").open("w", encoding="utf-8") as words:
        async with Client(stdio_client(stack.mcp(), words), read_timeout_seconds=90) as client:
            yield client


class Journey:
    """The steps, in the order in which they are told."""

    def __init__(self, boards: BoardServer, stack: Stack, client: Client, say: Say) -> None:
        self._boards = boards
        self._stack = stack
        self._client = client
        self._say = say

    async def meet(self) -> None:
        """Step 2: the agent learns what it can do."""
        with step("2. connect an MCP client"):
            names = {tool.name for tool in (await self._client.list_tools()).tools}
            must(names >= TOOLS, f"tools/list lacks {', '.join(sorted(TOOLS - names))}")
            self._say(f"2. An MCP client over stdio sees {len(names)} tools.")

    async def discover(self) -> str:
        """Step 3: three boards, watched live; returns the receipt."""
        with step("3. discover jobs"):
            receipt = await self._discover(FIRST, KEY)
            self._say(f"3. discover_jobs over {len(FIRST)} boards: receipt {receipt}")
            answer = await self._watched(receipt)
            self._all_read(answer, FIRST)
            return receipt

    async def repeat(self, first: str) -> None:
        """Step 4: the same call with the same key joins the same execution."""
        with step("4. repeat the call"):
            asked = len(self._boards.asked)
            again = await self._discover(FIRST, KEY)
            must(again == first, "the same key and arguments gave another receipt")
            must(len(self._boards.asked) == asked, "a repeated call read the boards again")
            self._say("4. The same call with the same key: the same receipt, no board asked again.")

    async def conflict(self, first: str) -> None:
        """Step 5: the same key with other arguments is refused, naming the first receipt."""
        with step("5. change the arguments under the same key"):
            answer = await self._call("discover_jobs", self._boards_of(SECOND) | _key(KEY))
            text = _text(answer)
            must(bool(answer.is_error), "the same key took other arguments")
            must("idempotency_key_reused" in text and first in text, f"was told: {text}")
            self._say("5. The same key with other boards: refused, 409 idempotency_key_reused.")

    async def survive(self) -> None:
        """Step 6: the process that reads a board dies in the middle; the run finishes."""
        with step("6. kill the worker in the middle"):
            gate = self._boards.hold(next(iter(SECOND)))
            receipt = await self._discover(SECOND, "demo-2")
            with anyio.fail_after(RUN_WITHIN):
                await gate.reached.wait()
            killed = await self._stack.killed("worker")
            self._say(f"6. A second discovery, {receipt}:")
            self._say(f"   its board holds the answer back; worker {killed} is killed (SIGKILL)")
            new = await self._stack.again("worker", killed)
            self._say(f"   the supervisor has started worker {new}")
            gate.release()
            answer = await self._watched(receipt)
            self._all_read(answer, SECOND)

    async def read(self) -> None:
        """Step 7: every opening is there once."""
        with step("7. read the jobs"):
            jobs = _content(await self._call("search_jobs", {"limit": 50}))["jobs"]
            expected = sorted(o.title for company in ALL.values() for o in company.openings)
            must(sorted(job["title"] for job in jobs) == expected, f"{len(jobs)} jobs are stored")
            self._say(f"7. search_jobs finds {len(jobs)} jobs, each once:")
            for line in table(("Title", "Company", "Place", "Remote", "Pay"), _rows(jobs)):
                self._say(f"   {line}")

    async def _discover(self, boards: Mapping[str, Company], key: str) -> str:
        answer = await self._call("discover_jobs", self._boards_of(boards) | _key(key))
        return str(_content(answer)["execution_id"])

    async def _watched(self, receipt: str) -> dict[str, Any]:
        """The run's end, by wait_for_result, while its events are told as they happen."""
        with anyio.fail_after(RUN_WITHIN):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._tell, receipt)
                arguments = {"execution_id": receipt, "timeout_seconds": RUN_WITHIN}
                answer = _content(await self._call("wait_for_result", arguments))
        must(answer["status"] == "succeeded", f"the run ended {answer['status']}")
        return answer

    async def _tell(self, receipt: str) -> None:
        async with self._stack.api() as api, api.events(receipt) as events:
            async for event in events:
                line = _line(event)
                if line:
                    self._say(f"   {line}")

    async def _call(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        return await self._client.call_tool(tool, arguments)

    def _boards_of(self, boards: Mapping[str, Company]) -> dict[str, Any]:
        return {"boards": [self._boards.url(board) for board in boards]}

    def _all_read(self, answer: dict[str, Any], boards: Mapping[str, Company]) -> None:
        sources = answer["result"]["sources"]
        found = sum(source["found"] for source in sources)
        wanted = sum(len(company.openings) for company in boards.values())
        must(all(source["status"] == "ok" for source in sources), "a board was not read")
        must(found == wanted, f"{found} postings were found instead of {wanted}")
        self._say(f"   succeeded: {found} postings")


def _key(key: str) -> dict[str, Any]:
    return {"workflow_idempotency_key": key}


def _content(answer: CallToolResult) -> dict[str, Any]:
    must(not answer.is_error, _text(answer))
    return dict(answer.structured_content or {})


def _text(answer: CallToolResult) -> str:
    return " ".join(part.text for part in answer.content if isinstance(part, TextContent))


def _line(event: EventView) -> str | None:
    """The event in a few words; None for those that say nothing to a reader."""
    facts = event.payload
    match event.type, facts.get("step"):
        case "PipelineStepCompleted", "source_planning":
            return f"live: planned, {facts['count']} boards to read"
        case "PipelineStepStarted", "source_family":
            return f"live: reading a board (attempt {facts['attempt']})"
        case "PipelineStepCompleted", "source_family":
            return f"live: board {facts['detailCode']}, {facts['count']} postings"
        case "WorkflowCompleted", _:
            return "live: completed"
    return None


def _rows(jobs: list[dict[str, Any]]) -> list[list[str]]:
    return [
        [job["title"], job["company"], "; ".join(job["locations"]), job["remote"], _pay(job)]
        for job in sorted(jobs, key=lambda job: (job["company"], job["title"]))
    ]


def _pay(job: dict[str, Any]) -> str:
    for pay in job.get("pay", []):
        return f"{pay['minimum']:,.0f} to {pay['maximum']:,.0f} {pay['currency']}"
    return ""
