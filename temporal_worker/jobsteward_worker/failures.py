"""Where errors become Temporal failures and back, by type and flag, never by their text."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ApplicationError, CancelledError, is_cancelled_exception

from jobsteward.kernel.errors import UNCLASSIFIED, JobstewardError
from jobsteward.runs.model import RunStatus

STOPPING = (
    "configuration",
    "authentication",
    "missing_input",
    "budget_exceeded",
    "PayloadsTooLarge",
)
"""Types that every retry policy names (ERR-1); the last is the SDK's own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is kept of an error: its code, and whether trying again can help."""

    code: str
    retryable: bool


def _tree(root: type[JobstewardError]) -> Iterator[type[JobstewardError]]:
    yield root
    for child in root.__subclasses__():
        yield from _tree(child)


def is_known(code: str) -> bool:
    """Whether an error of the tree carries this code."""
    return any(error.code == code for error in _tree(JobstewardError))


def retry_policy(attempts: int) -> RetryPolicy:
    """Up to ``attempts`` tries, 1 s apart and then longer, up to a minute (ERR-1)."""
    return RetryPolicy(
        initial_interval=timedelta(seconds=1),
        maximum_interval=timedelta(minutes=1),
        maximum_attempts=attempts,
        non_retryable_error_types=STOPPING,
    )


def to_application_error(error: BaseException) -> ApplicationError:
    """The failure that Temporal stores: a code as type and message, and nothing else (ERR-2).

    A provider's own non-retryable failure keeps its flag. Raise the result ``from None``:
    Temporal would store the text of a cause.
    """
    failure = failure_of(error)
    return ApplicationError(failure.code, type=failure.code, non_retryable=not failure.retryable)


def failure_of(error: BaseException) -> Failure:
    """The code of an error, found below whatever Temporal wrapped around it."""
    origin = _origin(error)
    if isinstance(origin, JobstewardError):
        return Failure(origin.code, origin.retryable)
    if isinstance(origin, ApplicationError) and origin.type:
        retryable = not origin.non_retryable and origin.type not in STOPPING
        return Failure(origin.type if is_known(origin.type) else UNCLASSIFIED, retryable)
    return Failure(UNCLASSIFIED, True)


def _origin(error: BaseException) -> BaseException:
    found = error
    while not isinstance(found, ApplicationError | JobstewardError) and found.__cause__:
        found = found.__cause__
    return found


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run's body ended; ``error`` is what the workflow then raises, if anything."""

    status: RunStatus
    failure: Failure | None = None
    error: BaseException | None = None


def ending_of(error: Exception | asyncio.CancelledError) -> Ending:
    """Cancelled where a cancel was asked for and came through, else failed with a code.

    Call from workflow code. Any error fails the run, a bug in the body included: only
    non-determinism stays an open workflow task.
    """
    asked = workflow.cancellation_reason() is not None
    if asked and is_cancelled_exception(error):
        return Ending(RunStatus.CANCELED, error=CancelledError("canceled"))
    return Ending(RunStatus.FAILED, failure_of(error), to_application_error(error))
