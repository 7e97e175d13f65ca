"""What stands in the event log and in Temporal about a run, for assertions."""

import base64
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import anyio
from sqlalchemy import select
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowHandle

from jobsteward.library import Library
from jobsteward.runs.model import TERMINAL_EVENTS, Execution, RunStatus
from jobsteward.store.event_log import JOB_EVENTS

T = TypeVar("T")

OF_TEMPORAL = {
    WorkflowExecutionStatus.COMPLETED: RunStatus.SUCCEEDED,
    WorkflowExecutionStatus.FAILED: RunStatus.FAILED,
    WorkflowExecutionStatus.CANCELED: RunStatus.CANCELED,
    WorkflowExecutionStatus.TERMINATED: RunStatus.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT: RunStatus.TIMED_OUT,
}


async def events_of(library: Library, run_id: str | None) -> Counter[str]:
    """How often each kind of event stands for the run."""
    statement = select(JOB_EVENTS.c.event_type).where(JOB_EVENTS.c.run_id == run_id)
    return Counter(await library.database.read(lambda conn: list(conn.scalars(statement))))


async def terminals_of(library: Library, run_id: str | None) -> list[str]:
    """The run's terminal events."""
    events = await events_of(library, run_id)
    return [name for name in events.elements() if name in TERMINAL_EVENTS]


async def closed(client: Client, execution: Execution, within: float = 15.0) -> RunStatus:
    """How Temporal says that the newest run of the chain ended, once it has."""
    handle = client.get_workflow_handle(execution.workflow_id)
    with anyio.fail_after(within):
        while True:
            status = (await handle.describe()).status
            if status in OF_TEMPORAL:
                return OF_TEMPORAL[status]
            await anyio.sleep(0.05)


async def recorded_text(library: Library) -> str:
    """Everything the event log holds, as one text."""
    statement = select(JOB_EVENTS.c.payload)
    payloads = await library.database.read(lambda conn: list(conn.scalars(statement)))
    return repr(payloads)


async def readable_history(handle: WorkflowHandle[Any, Any]) -> str:
    """The run's whole history as one text, with every payload decoded."""
    history = json.loads((await handle.fetch_history()).to_json())
    return "\n".join(_texts(history))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in value.items():
            encoded = name == "data" and isinstance(item, str)
            yield from [base64.b64decode(item).decode()] if encoded else _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)


async def eventually(holds: Callable[[], object], within: float = 10.0) -> None:
    """Wait until it holds; fails after ``within`` seconds."""
    with anyio.fail_after(within):
        while True:
            if holds():
                return
            await anyio.sleep(0.02)


async def becomes(
    read: Callable[[], Awaitable[T]], holds: Callable[[T], object], within: float = 10.0
) -> T:
    """What ``read`` gives, once it holds; fails after ``within`` seconds."""
    with anyio.fail_after(within):
        while True:
            found = await read()
            if holds(found):
                return found
            await anyio.sleep(0.05)
