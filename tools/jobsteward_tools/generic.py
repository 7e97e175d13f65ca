"""Tools for any workflow: list, start, read, wait, cancel (MCP-1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, ToolAnnotations
from pydantic import Field

from jobsteward.client import ID_PATTERN, ApiClient, ApiUnreachableError
from jobsteward.kernel.errors import JobstewardError, NotFoundError
from jobsteward.runs import wire
from jobsteward_tools import advice
from jobsteward_tools.access import Call, api
from jobsteward_tools.arguments import AnyRunId, Cursor, ExecutionId, IdempotencyKey
from jobsteward_tools.errors import told
from jobsteward_tools.results import (
    MAX_BYTES,
    CancelAnswer,
    RunAnswer,
    RunList,
    RunState,
    WorkflowList,
    WorkflowRow,
    compact,
    fitting,
    lines,
    run_answer,
    run_row,
    said,
    size,
)
from jobsteward_tools.strict import READS, STARTS, tool
from jobsteward_tools.waiting import wait_for

StatusFilter = Literal["", RunState]


async def list_workflows(
    ctx: Call,
    workflow: Annotated[str, Field(max_length=100, description="Show only this one.")] = "",
) -> Annotated[CallToolResult, WorkflowList]:
    """The workflows that trigger_workflow can start, each with the JSON Schema of its inputs.

    Prefer a named tool, such as discover_jobs, where there is one.
    """
    async with api(ctx) as client:
        page = await client.workflows()
    rows = [
        WorkflowRow.model_validate(entry.model_dump())
        for entry in page.items
        if workflow in {"", entry.name}
    ]
    answer = WorkflowList(workflows=rows)
    if size(answer.model_dump(mode="json", exclude_none=True)) > MAX_BYTES:
        bare = [row.model_copy(update={"input_schema": None}) for row in rows]
        answer = WorkflowList(workflows=bare, schemas_omitted=True)
    return said(_catalogue(answer), answer)


def _catalogue(answer: WorkflowList) -> str:
    if not answer.workflows:
        return "There is no such workflow; call list_workflows without arguments for all."
    first = f"{len(answer.workflows)} workflows. Start one with trigger_workflow."
    full = [
        f"{row.name}: {row.description} Inputs: {compact(row.input_schema)}"
        for row in answer.workflows
    ]
    text = lines(first, full)
    if answer.schemas_omitted or len(text.encode()) > MAX_BYTES:
        short = [f"{row.name}: {row.description}" for row in answer.workflows]
        return lines(f"{first} Name one to see the schema of its inputs.", short)
    return text


async def trigger_workflow(
    ctx: Call,
    workflow: Annotated[
        str, Field(pattern=ID_PATTERN, description="A name from list_workflows, as discover.")
    ],
    inputs: Annotated[
        dict[str, Any], Field(description="Inputs as the workflow's schema in list_workflows.")
    ],
    idempotency_key: IdempotencyKey = "",
    priority: Annotated[
        int, Field(ge=0, le=9, description="5 and more use reserved capacity; 0 goes last.")
    ] = 5,
) -> Annotated[CallToolResult, RunAnswer]:
    """Start a durable workflow; answers at once with its execution_id.

    The work goes on whatever happens to this conversation. Next call wait_for_result with that
    execution_id. Give an idempotency_key, so that a repeat can never start the work twice.
    """
    return await start(ctx, workflow, inputs, key=idempotency_key, priority=priority)


async def start(
    ctx: Call, workflow: str, inputs: Mapping[str, Any], *, key: str, priority: int | None = None
) -> CallToolResult:
    """Start the workflow and answer with the receipt; every tool that starts work ends here."""
    async with api(ctx) as client:
        try:
            receipt = await client.execute(
                workflow, inputs, idempotency_key=key or None, priority=priority
            )
        except ApiUnreachableError:
            raise ApiUnreachableError(
                "no answer came, so this may or may not have started. Repeat exactly this call"
                + (" with the same key; it joins the first" if key else " within 10 seconds")
                + ", or look with list_runs before you start anything else"
            ) from None
    answer = RunAnswer(
        execution_id=receipt.execution_id,
        status=receipt.status,
        terminal=False,
        next=advice.accepted(receipt.execution_id),
        workflow=receipt.workflow,
        replayed=receipt.replayed,
    )
    joined = "An earlier equal call already started" if receipt.replayed else "Accepted"
    text = f"{joined} {receipt.workflow}: execution_id {receipt.execution_id}. {answer.next}"
    return said(text, answer, run=receipt.execution_id, started=True)


async def check_workflow_status(
    ctx: Call, execution_id: AnyRunId
) -> Annotated[CallToolResult, RunAnswer]:
    """The true state of a run now, with its result once it has one.

    Takes an execution_id or a run id. To wait for the end, call wait_for_result instead of
    polling this; poll at most once a minute.
    """
    async with api(ctx) as client:
        view = await client.get_run(execution_id)
        reason = await _reason(client, view)
    return run_result(view, reason)


async def _reason(client: ApiClient, view: wire.RunView) -> str:
    """Why an unfinished run waits; the state itself is worth telling without it."""
    if view.terminal:
        return ""
    try:
        reason = await client.why(view.execution_id)
    except JobstewardError:
        return ""
    return f"{reason.why} {reason.next}".strip()


def run_result(view: wire.RunView, reason: str = "", *, timed_out: bool = False) -> CallToolResult:
    """The answer about a run: a sentence, its result, and what to do next."""
    step = advice.poll_again(view.execution_id) if timed_out else advice.after(view)
    answer = run_answer(view, step, timed_out=timed_out or None)
    code = f" [{answer.error_code}]" if answer.error_code else ""
    text = " ".join(
        part
        for part in (f"{view.workflow} {view.execution_id}: {view.status}{code}.", reason, step)
        if part
    )
    if answer.result is not None:
        text += f"\n{compact(answer.result)}"
    return said(text, answer, run=view.execution_id)


async def wait_for_result(
    ctx: Call,
    execution_id: ExecutionId,
    timeout_seconds: Annotated[
        float, Field(ge=0, le=120, description="Many hosts give up after 60 seconds.")
    ] = 45,
) -> Annotated[CallToolResult, RunAnswer]:
    """Wait until a run has ended or needs the user, at most timeout_seconds.

    When the time is up first, the answer holds the execution_id again: the run is still
    running, do not start it again; call this again. Ending the wait never ends the run.
    """
    try:
        waited = await wait_for(ctx, execution_id, timeout_seconds)
    except NotFoundError:
        raise
    except JobstewardError as error:
        raise ToolError(f"{told(error)} {advice.goes_on(execution_id)}") from None
    if waited.view and (waited.done or not waited.problem):
        return run_result(waited.view, timed_out=not waited.done)
    step = advice.poll_again(execution_id)
    answer = RunAnswer(
        execution_id=execution_id,
        status=waited.view.status.value if waited.view else "unknown",
        terminal=False,
        next=step,
        timed_out=True,
    )
    why = f" {told(waited.problem)}" if waited.problem else ""
    return said(f"The run could not be read just now.{why} {step}", answer, run=execution_id)


async def cancel_workflow(
    ctx: Call,
    execution_id: AnyRunId,
    reason: Annotated[str, Field(max_length=500, description="Why, for the record.")] = "",
) -> Annotated[CallToolResult, CancelAnswer]:
    """Ask a run to stop. Only call this when the user wants the work itself to end.

    The answer says what the request came to; a run stops at its next safe point, so read
    check_workflow_status after a minute when it says cancel_requested.
    """
    async with api(ctx) as client:
        came_to = await client.cancel(execution_id, reason or None)
    step = _CANCEL_STEPS[came_to.outcome.value]
    answer = CancelAnswer(
        execution_id=execution_id,
        outcome=came_to.outcome.value,
        status=came_to.status.value,
        next=step,
    )
    return said(f"{execution_id}: {came_to.outcome}, now {came_to.status}. {step}", answer)


_CANCEL_STEPS = {
    "cancel_requested": "It is stopping; read check_workflow_status in a minute.",
    "detached": "This execution ended; the run goes on for others that asked for the same.",
    "already_terminal": "It had ended before; nothing was changed.",
    "too_late": "What it sends is already on its way and cannot be called back; tell the user.",
}


async def list_runs(
    ctx: Call,
    workflow: Annotated[str, Field(max_length=100, description="Only this workflow.")] = "",
    status: Annotated[StatusFilter, Field(description="Only runs in this state.")] = "",
    cursor: Cursor = "",
    limit: Annotated[int, Field(ge=1, le=50)] = 20,
) -> Annotated[CallToolResult, RunList]:
    """Executions, newest first. Use it to find a lost execution_id before starting work again.

    For one execution call check_workflow_status. A next_cursor in the answer gives the next page.
    """
    async with api(ctx) as client:

        async def page(rows: int) -> RunList:
            found = await client.list_runs(
                workflow=workflow or None,
                status=status or None,
                cursor=cursor or None,
                limit=rows,
            )
            return RunList(
                runs=[run_row(view) for view in found.items], next_cursor=found.next_cursor
            )

        answer = await fitting(page, limit)
    rows = [
        f"{row.execution_id} {row.workflow} {row.status} {row.created_at}"
        + (f" [{row.error_code}]" if row.error_code else "")
        for row in answer.runs
    ]
    more = f" More: cursor {answer.next_cursor}" if answer.next_cursor else ""
    return said(lines(f"{len(rows)} executions, newest first.{more}", rows), answer)


_CANCELS = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)

TOOLS = (
    tool(list_workflows, "List workflows", READS),
    tool(trigger_workflow, "Start a workflow", STARTS),
    tool(check_workflow_status, "Check a run", READS),
    tool(wait_for_result, "Wait for a run", READS),
    tool(cancel_workflow, "Cancel a run", _CANCELS),
    tool(list_runs, "List runs", READS),
)
