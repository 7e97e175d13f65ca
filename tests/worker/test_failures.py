"""Errors on their way to Temporal and back, and how often each is tried (ERR-1, ERR-2)."""

import pytest
from temporalio.exceptions import ApplicationError

from jobsteward.kernel.errors import JobstewardError, LlmTransientError
from jobsteward.runs.model import RunStatus
from jobsteward_worker.failures import STOPPING, Failure, failure_of, retry_policy
from jobsteward_worker.failures import to_application_error as mapped
from tests.support.temporal import Starter


def tree(root: type[JobstewardError] = JobstewardError) -> list[type[JobstewardError]]:
    return [root, *(found for child in root.__subclasses__() for found in tree(child))]


def named(error: type[JobstewardError]) -> JobstewardError:
    """An instance, whatever its constructor also wants."""
    made = error.__new__(error)
    JobstewardError.__init__(made, "what to do next")
    return made


@pytest.mark.parametrize("error", tree(), ids=lambda error: error.__name__)
def test_every_error_survives_the_round_trip(error: type[JobstewardError]) -> None:
    """ERR-1: code and flag come back, the message does not travel."""
    there = mapped(named(error))
    assert (there.type, there.message) == (error.code, error.code)
    assert failure_of(there) == Failure(error.code, error.retryable)


@pytest.mark.parametrize("code", ["configuration", "authentication", "missing_input"])
def test_policies_name_what_no_retry_can_help(code: str) -> None:
    """ERR-1: even a failure without the native flag stops."""
    assert code in (retry_policy(3).non_retryable_error_types or ())
    assert failure_of(ApplicationError("text", type=code)).retryable is False


def test_a_providers_own_refusal_stays_final() -> None:
    """ERR-1: a non-retryable failure is not turned into a transient one on its way out."""
    refused = named(LlmTransientError)
    refused.retryable = False  # type: ignore[misc]
    assert mapped(refused).non_retryable
    native = ApplicationError("text", type="llm_transient", non_retryable=True)
    assert mapped(native).non_retryable


def test_a_cause_below_the_wrapping_is_found() -> None:
    """ERR-2: the run's code is the one of the error that exhausted its attempts."""
    wrapped = RuntimeError("outer")
    wrapped.__cause__ = ApplicationError("text", type="source_unavailable")
    assert failure_of(wrapped) == Failure("source_unavailable", True)


def test_unknown_types_and_foreign_errors_are_unclassified() -> None:
    """ERR-1: nothing outside the list of codes gets out."""
    assert failure_of(ApplicationError("t", type="TheCandidatesName")).code == "unclassified"
    assert mapped(ValueError("text")).type == "unclassified"
    assert "PayloadsTooLarge" in STOPPING


@pytest.mark.anyio
@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize(
    ("code", "attempts"),
    [
        ("configuration", 1),
        ("authentication", 1),
        ("missing_input", 1),
        ("budget_exceeded", 1),
        ("material_rejected", 1),
        ("transient_network", 2),
        ("browser_transient", 2),
        ("llm_transient", 2),
        ("source_unavailable", 2),
    ],
)
async def test_attempts_follow_the_taxonomy(code: str, attempts: int, starter: Starter) -> None:
    """ERR-1, ERR-2: an exhausted transient failure becomes the run's, with its code."""
    execution = await starter.until(
        await starter.run("probe", {"steps": [f"fail:{code}"], "attempts": 2})
    )
    assert execution.run is not None
    assert (execution.run.status, execution.run.error_code) == (RunStatus.FAILED, code)
    tries = 0
    async for event in starter.handle(execution).fetch_history_events():
        if event.HasField("activity_task_started_event_attributes"):
            tries = max(tries, event.activity_task_started_event_attributes.attempt)
    assert tries == attempts
