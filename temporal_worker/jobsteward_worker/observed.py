"""What Temporal itself says about runs, asked in the raw form that survives unknown states.

The SDK's own describe and list raise on a state they do not know, such as a paused run, and
then no row of the page can be read; the raw answers hold plain numbers.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp
from temporalio.api.common.v1 import Payload, WorkflowExecution
from temporalio.api.enums.v1 import EventType, HistoryEventFilterType, WorkflowTaskFailedCause
from temporalio.api.enums.v1 import WorkflowExecutionStatus as Code
from temporalio.api.errordetails.v1 import NamespaceNotFoundFailure
from temporalio.api.failure.v1 import Failure as RawFailure
from temporalio.api.history.v1 import HistoryEvent
from temporalio.api.workflowservice.v1 import (
    DescribeWorkflowExecutionRequest,
    DescribeWorkflowExecutionResponse,
    GetWorkflowExecutionHistoryRequest,
    GetWorkflowExecutionHistoryReverseRequest,
    ListWorkflowExecutionsRequest,
)
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from jobsteward.kernel.clock import timestamp
from jobsteward.kernel.errors import UNCLASSIFIED
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward_worker.failures import is_known

CALL_TIMEOUT = timedelta(seconds=5)
PAGE = 1000
POISON = "poison"
"""Code of a run that no code could ever begin: its arguments or type cannot be read."""
NON_DETERMINISM = "non_determinism"
WORKFLOW_TASK_FAILED = "workflow_task_failed"
POISON_REASON = "jobsteward: this run can never begin"
"""Reason of our own termination of a poisoned run."""

_STATUS = {
    Code.WORKFLOW_EXECUTION_STATUS_COMPLETED: RunStatus.SUCCEEDED,
    Code.WORKFLOW_EXECUTION_STATUS_FAILED: RunStatus.FAILED,
    Code.WORKFLOW_EXECUTION_STATUS_CANCELED: RunStatus.CANCELED,
    Code.WORKFLOW_EXECUTION_STATUS_TERMINATED: RunStatus.TERMINATED,
    Code.WORKFLOW_EXECUTION_STATUS_TIMED_OUT: RunStatus.TIMED_OUT,
}


@dataclass(frozen=True, slots=True)
class Closed:
    """How a run ended, by Temporal's account."""

    status: RunStatus
    ended_at: str
    code: str | None = None
    retryable: bool | None = None
    result: dict[str, Any] | None = None
    cancel_requested: bool = False


@dataclass(frozen=True, slots=True)
class Open:
    """A run that has not ended; ``task_attempt`` counts tries at its current workflow task."""

    task_attempt: int
    cancel_requested: bool


Observed = Closed | Open


class TemporalRuns:
    """Reads runs from one namespace. Every call ends within five seconds or raises RPCError."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._service = client.workflow_service

    async def running(self) -> set[str]:
        """Run ids that the eventually consistent list calls running."""
        found: set[str] = set()
        token = b""
        while True:
            request = ListWorkflowExecutionsRequest(
                namespace=self._client.namespace,
                page_size=PAGE,
                next_page_token=token,
                query="ExecutionStatus='Running'",
            )
            page = await self._service.list_workflow_executions(request, timeout=CALL_TIMEOUT)
            found.update(info.execution.run_id for info in page.executions)
            token = page.next_page_token
            if not token:
                return found

    async def observe(self, ref: RunRef) -> Observed | None:
        """The exact run, followed through every continue-as-new; None where it is unknown."""
        run_id = ref.run_id
        while True:
            try:
                answer = await self._describe(ref.workflow_id, run_id)
            except RPCError as error:
                if _is_unknown_run(error):
                    return None
                raise
            info = answer.workflow_execution_info
            if info.status == Code.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
                run_id = await self._successor(ref, run_id)
                continue
            cancelled = answer.workflow_extended_info.cancel_requested
            status = _STATUS.get(info.status)
            if status is None:
                return Open(answer.pending_workflow_task.attempt, cancelled)
            event = await self._close_event(ref.workflow_id, run_id)
            return _closed(status, info.close_time, event, cancelled)

    async def task_failure(self, ref: RunRef) -> str:
        """Why the run's workflow task keeps failing, as a code."""
        request = GetWorkflowExecutionHistoryReverseRequest(
            namespace=self._client.namespace,
            execution=WorkflowExecution(workflow_id=ref.workflow_id, run_id=ref.run_id),
            maximum_page_size=50,
        )
        answer = await self._service.get_workflow_execution_history_reverse(
            request, timeout=CALL_TIMEOUT
        )
        return _task_failure(answer.history.events, whole=not answer.next_page_token)

    async def _describe(self, workflow_id: str, run_id: str) -> DescribeWorkflowExecutionResponse:
        request = DescribeWorkflowExecutionRequest(
            namespace=self._client.namespace,
            execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
        )
        return await self._service.describe_workflow_execution(request, timeout=CALL_TIMEOUT)

    async def _successor(self, ref: RunRef, run_id: str) -> str:
        """The newest run of the chain where it is still the workflow id's, else the next one."""
        newest = (await self._describe(ref.workflow_id, "")).workflow_execution_info
        if newest.first_run_id == ref.run_id and newest.execution.run_id != run_id:
            return newest.execution.run_id
        event = await self._close_event(ref.workflow_id, run_id)
        attributes = event.workflow_execution_continued_as_new_event_attributes
        return attributes.new_execution_run_id

    async def _close_event(self, workflow_id: str, run_id: str) -> HistoryEvent:
        request = GetWorkflowExecutionHistoryRequest(
            namespace=self._client.namespace,
            execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
            history_event_filter_type=HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT,
        )
        answer = await self._service.get_workflow_execution_history(request, timeout=CALL_TIMEOUT)
        return answer.history.events[-1]


def _closed(
    status: RunStatus, close_time: Timestamp, event: HistoryEvent, cancelled: bool
) -> Closed:
    closed = Closed(
        status, timestamp(close_time.ToDatetime(tzinfo=UTC)), cancel_requested=cancelled
    )
    match status:
        case RunStatus.SUCCEEDED:
            result = _value(event.workflow_execution_completed_event_attributes.result.payloads)
            code = result.get("failed") if result else None
            if code:
                closed = replace(closed, status=RunStatus.FAILED, code=str(code), retryable=False)
            return replace(closed, result=result)
        case RunStatus.FAILED:
            code, retryable = _code_of(event.workflow_execution_failed_event_attributes.failure)
            return replace(closed, code=code, retryable=retryable)
        case RunStatus.TERMINATED:
            reason = event.workflow_execution_terminated_event_attributes.reason
            if reason == POISON_REASON:
                return replace(closed, status=RunStatus.FAILED, code=POISON, retryable=False)
    return closed


def _value(payloads: Sequence[Payload]) -> dict[str, Any] | None:
    """What the workflow returned; it may carry a failure (REC-4)."""
    try:
        value = json.loads(payloads[0].data)
    except (IndexError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _code_of(failure: RawFailure) -> tuple[str, bool]:
    found = failure.application_failure_info
    code = found.type if is_known(found.type) else UNCLASSIFIED
    return code, not found.non_retryable


def _task_failure(newest_first: Sequence[HistoryEvent], *, whole: bool) -> str:
    causes = [
        event.workflow_task_failed_event_attributes.cause
        for event in newest_first
        if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED
    ]
    if WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR in causes[:1]:
        return NON_DETERMINISM
    begun = any(
        event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED for event in newest_first
    )
    return POISON if causes and whole and not begun else WORKFLOW_TASK_FAILED


def _is_unknown_run(error: RPCError) -> bool:
    """Whether this very run is unknown, as opposed to the whole namespace."""
    if error.status is not RPCStatusCode.NOT_FOUND:
        return False
    missing = NamespaceNotFoundFailure.DESCRIPTOR
    return not any(detail.Is(missing) for detail in error.grpc_status.details)
