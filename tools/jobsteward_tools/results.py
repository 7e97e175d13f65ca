"""What tools answer: a few typed shapes, each with a sentence for the model, kept small (MCP-6)."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from mcp.types import CallToolResult, ContentBlock, ResourceLink, TextContent
from pydantic import BaseModel, ConfigDict, Field

from jobsteward.runs import wire

MAX_BYTES = 20_000
"""Most that the text, and most that the structured part, of an answer may hold, in UTF-8."""
EXECUTION_META = "jobsteward/execution_id"
"""Key of a receipt's metadata that names the durable execution it stands for."""

RunState: TypeAlias = Literal[
    "pending",
    "running",
    "needs_input",
    "awaiting_approval",
    "cancel_requested",
    "succeeded",
    "failed",
    "canceled",
    "timed_out",
    "terminated",
]
"""Every state of a run, as the schemas of tools spell it."""
Status: TypeAlias = Literal["submitted", RunState, "unknown"]
P = TypeVar("P", bound=BaseModel)


class Answer(BaseModel):
    """A structured answer; members without a value are left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RunAnswer(Answer):
    """An execution as tools show it."""

    execution_id: str = Field(description="The receipt; pass it to the other run tools.")
    status: Status = Field(
        description="submitted: durably accepted. unknown: it could not be read just now."
    )
    terminal: bool = Field(description="Whether it has ended for good.")
    next: str = Field(description="What to do now.")
    workflow: str | None = None
    replayed: bool | None = Field(
        default=None, description="True when an earlier equal request made this execution."
    )
    timed_out: bool | None = Field(
        default=None, description="True when the wait ended before the run did."
    )
    stuck: bool | None = None
    created_at: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    error_code: str | None = None
    waits_for: str | None = Field(
        default=None, description="The execution that this one waits behind."
    )
    gate_id: str | None = None
    result: dict[str, Any] | None = None
    result_omitted: bool | None = Field(
        default=None, description="True when the result is too long here; read the resource."
    )


class CancelAnswer(Answer):
    """What a cancel request came to."""

    execution_id: str
    outcome: Literal["cancel_requested", "detached", "already_terminal", "too_late"]
    status: Status
    next: str


class RunRow(Answer):
    """An execution in a list."""

    execution_id: str
    workflow: str
    status: Status
    created_at: str
    ended_at: str | None = None
    error_code: str | None = None


class RunList(Answer):
    """Executions, newest first."""

    runs: list[RunRow]
    next_cursor: str | None = None


class WorkflowRow(Answer):
    """A workflow that can be triggered."""

    name: str
    description: str
    lane: str
    spendful: bool = Field(description="Whether it may cost money at a model provider.")
    input_schema: dict[str, Any] | None = None


class WorkflowList(Answer):
    """The workflow catalogue."""

    workflows: list[WorkflowRow]
    schemas_omitted: bool | None = Field(
        default=None, description="True when the schemas are too long here; name one workflow."
    )


def run_answer(view: wire.RunView, next_step: str, *, timed_out: bool | None = None) -> RunAnswer:
    """The execution of that view; a result above the size limit is left to the resource."""
    result = view.result
    omitted = result is not None and size(result) > MAX_BYTES // 2
    return RunAnswer(
        execution_id=view.execution_id,
        status=view.status.value,
        terminal=view.terminal,
        next=next_step,
        workflow=view.workflow,
        timed_out=timed_out,
        stuck=view.stuck or None,
        created_at=view.created_at,
        started_at=view.started_at,
        ended_at=view.ended_at,
        error_code=view.error.code if view.error else None,
        waits_for=view.metadata.waits_for,
        gate_id=view.metadata.gate_id,
        result=None if omitted else result,
        result_omitted=omitted or None,
    )


def run_row(view: wire.RunView) -> RunRow:
    """The execution of that view, short."""
    return RunRow(
        execution_id=view.execution_id,
        workflow=view.workflow,
        status=view.status.value,
        created_at=view.created_at,
        ended_at=view.ended_at,
        error_code=view.error.code if view.error else None,
    )


def said(
    text: str, answer: Answer, *, run: str | None = None, started: bool = False
) -> CallToolResult:
    """The tool's result: text for the model, the same typed for the host.

    ``run`` is the execution that it is about and adds a link to its resource; ``started``
    marks the receipt of new work, which hosts with the tasks extension get as a task.
    """
    content: list[ContentBlock] = [TextContent(type="text", text=text)]
    if run:
        content.append(run_link(run))
    return CallToolResult(
        content=content,
        structured_content=answer.model_dump(mode="json", exclude_none=True),
        _meta={EXECUTION_META: run} if started else None,
    )


def run_link(execution_id: str) -> ResourceLink:
    """A link to the run's resource, which hosts can read and watch."""
    return ResourceLink(
        type="resource_link",
        uri=f"runs://{execution_id}",
        name=execution_id,
        mime_type="application/json",
    )


async def fitting(fetch: Callable[[int], Awaitable[P]], limit: int) -> P:
    """The longest page, of at most ``limit`` rows, that stays within the size limit.

    A page that is too long is fetched anew with half the rows, so that its cursor is right.
    """
    page = await fetch(limit)
    while limit > 1 and size(page.model_dump(mode="json", exclude_none=True)) > MAX_BYTES:
        limit = limit // 2
        page = await fetch(limit)
    return page


def compact(value: Any) -> str:
    """The value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def size(value: Any) -> int:
    """Bytes of the value as JSON."""
    return len(compact(value).encode())


def lines(first: str, rows: Sequence[str]) -> str:
    """A sentence and one line for each row."""
    return "\n".join([first, *rows])
