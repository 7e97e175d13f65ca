"""What an agent should do next with a run, in one sentence."""

from jobsteward.runs import wire
from jobsteward.runs.model import RunStatus

STILL_RUNNING = "still running, do not start again"
_ENDED = "It was ended and will not go on; start it again only if the user wants that."
_STEPS = {
    RunStatus.SUCCEEDED: "It is done; use its result.",
    RunStatus.CANCELED: _ENDED,
    RunStatus.TERMINATED: _ENDED,
    RunStatus.NEEDS_INPUT: "It waits for answers of the user; ask them, do not start it again.",
    RunStatus.AWAITING_APPROVAL: (
        "It waits for the user's approval, which only they can give; do not start it again."
    ),
    RunStatus.CANCEL_REQUESTED: "It is stopping; call check_workflow_status in a minute.",
}


def accepted(execution_id: str) -> str:
    """After a start."""
    return (
        f"Call wait_for_result with execution_id {execution_id}; if it is not done by then, call"
        " it again. Do not start the same work again."
    )


def poll_again(execution_id: str) -> str:
    """After a wait that ended before the run did, or that could not read it."""
    return (
        f"The run {execution_id} is {STILL_RUNNING}: call wait_for_result with the same"
        " execution_id, or check_workflow_status after a minute."
    )


def goes_on(execution_id: str) -> str:
    """After a wait that was refused."""
    return f"The wait is over, the run {execution_id} is {STILL_RUNNING}."


def after(view: wire.RunView) -> str:
    """For the state that the run is in."""
    if view.status in {RunStatus.FAILED, RunStatus.TIMED_OUT}:
        return _after_failure(view)
    return _STEPS.get(view.status) or poll_again(view.execution_id)


def _after_failure(view: wire.RunView) -> str:
    if view.error and view.error.retryable:
        return "It failed for a reason that may pass; it can be started again with a new key."
    return "It failed for a reason that stays until somebody mends it; tell the user the code."
