"""Why a run waits and what to do next, in words that a person can act on (OBS-5)."""

from jobsteward.library import Library
from jobsteward.runs import wire
from jobsteward.runs.drain import held_since
from jobsteward.runs.heartbeats import capacity_of
from jobsteward.runs.model import Execution, RunStatus


async def explain(library: Library, connected: bool, execution: Execution) -> wire.Reason:
    """The reason with its stable code and the next step."""
    held = await library.database.read(held_since)
    offered = await library.database.read(lambda conn: capacity_of(conn, library.runtime))
    workers = sum(capacity.workers for capacity in offered if capacity.lane is execution.lane)
    code, why, next_step = _held(execution) if held else _reason(execution, connected, workers)
    return wire.Reason(
        execution_id=execution.execution_id,
        status=execution.status,
        code=code,
        why=why,
        next=next_step,
    )


def _held(execution: Execution) -> tuple[str, str, str]:
    if execution.run_id is None and not execution.is_terminal:
        why = "new starts are held back for an upgrade; the request is stored"
        return "draining", why, "let it start with: jobsteward drain --end"
    return _reason(execution, connected=True, workers=1)


def _reason(execution: Execution, connected: bool, workers: int) -> tuple[str, str, str]:
    if execution.is_terminal:
        return "ended", f"it ended as {execution.status}", "nothing: it is over"
    if execution.status in {RunStatus.PENDING, RunStatus.RUNNING}:
        return _obstacle(execution, connected, workers) or _UNDER_WAY[execution.status]
    return _UNDER_WAY[execution.status]


_UNDER_WAY = {
    RunStatus.PENDING: ("starting", "it was accepted and is about to start", "wait for it"),
    RunStatus.RUNNING: ("running", "it is doing its work", "wait for it"),
    RunStatus.NEEDS_INPUT: ("waits_for_you", "it has questions for you", "answer its open gate"),
    RunStatus.AWAITING_APPROVAL: (
        "waits_for_you",
        "it waits for a person's approval",
        "decide its open gate",
    ),
    RunStatus.CANCEL_REQUESTED: (
        "cancelling",
        "a cancel was asked for and is under way",
        "wait for it",
    ),
}


def _obstacle(execution: Execution, connected: bool, workers: int) -> tuple[str, str, str] | None:
    """What keeps a live run from going on, where something does."""
    if execution.waits_for:
        why = f"another run of the same kind is live: {execution.waits_for}"
        return "behind_another_run", why, "wait for it, or cancel it"
    if execution.run_id is None and not connected:
        why = "Temporal does not answer; the request is stored and starts when it does"
        return "temporal_unreachable", why, "check it with: jobsteward doctor"
    if execution.run and execution.run.stuck:
        why = "its workflow code keeps failing"
        return "stuck", why, "put the previous version back, or cancel the run"
    if not workers:
        why = f"no {execution.lane} worker has reported lately"
        return "no_worker", why, "start the stack with: jobsteward up"
    return None
