"""Saved histories under today's code: same steps, same arguments, same time-outs (ENV-5, F44).

Temporal's own replay compares only the kind and order of steps. So each step that the code
asks for during the replay is also compared with the one the history holds.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from temporalio import workflow
from temporalio.api.common.v1 import Payload
from temporalio.api.enums.v1 import EventType
from temporalio.client import WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.worker import (
    ExecuteWorkflowInput,
    Interceptor,
    Replayer,
    StartActivityInput,
    WorkflowInboundInterceptor,
    WorkflowInterceptorClassInput,
    WorkflowOutboundInterceptor,
)

from jobsteward_worker.envelope import Envelope
from jobsteward_worker.pool import unrestricted_imports
from jobsteward_worker.workflows import CATALOGUE
from tests.replay.record import SCENARIOS
from tests.replay.recordings import HISTORIES, read, saved

PATHS = list(saved())


class Watch(Interceptor):
    """Keeps what the replayed code asks for and returns."""

    def __init__(self) -> None:
        self.steps: list[StartActivityInput] = []
        self.results: list[Any] = []

    def workflow_interceptor_class(
        self, input: WorkflowInterceptorClassInput
    ) -> type[WorkflowInboundInterceptor]:
        watch = self

        class Outbound(WorkflowOutboundInterceptor):
            def start_activity(self, input: StartActivityInput) -> workflow.ActivityHandle[Any]:
                watch.steps.append(input)
                return super().start_activity(input)

        class Inbound(WorkflowInboundInterceptor):
            def init(self, outbound: WorkflowOutboundInterceptor) -> None:
                super().init(Outbound(outbound))

            async def execute_workflow(self, input: ExecuteWorkflowInput) -> Any:
                result = await super().execute_workflow(input)
                watch.results.append(result)
                return result

        return Inbound


async def replayed(history: WorkflowHistory) -> Watch:
    watch = Watch()
    replayer = Replayer(
        workflows=[spec.workflow for spec in CATALOGUE],
        data_converter=pydantic_data_converter,
        interceptors=[Envelope(CATALOGUE), watch],
        workflow_runner=unrestricted_imports(),
    )
    await replayer.replay_workflow(history)
    return watch


def decoded(payloads: list[Payload]) -> list[Any]:
    return [json.loads(payload.data) for payload in payloads]


def encoded(values: list[Any]) -> list[Any]:
    return decoded(pydantic_data_converter.payload_converter.to_payloads(values))


def seconds(value: Duration | timedelta | None) -> float:
    if value is None:
        return 0.0
    span = value.ToTimedelta() if isinstance(value, Duration) else value
    return span.total_seconds()


def asked(step: StartActivityInput) -> dict[str, Any]:
    assert step.retry_policy is not None
    return {
        "activity": step.activity,
        "arguments": encoded(list(step.args)),
        "queue": step.task_queue or "",
        "start_to_close": seconds(step.start_to_close_timeout),
        "heartbeat": seconds(step.heartbeat_timeout),
        "attempts": step.retry_policy.maximum_attempts,
        "final": sorted(step.retry_policy.non_retryable_error_types or ()),
    }


def recorded(history: WorkflowHistory) -> list[dict[str, Any]]:
    own_queue = history.events[0].workflow_execution_started_event_attributes.task_queue.name
    found = []
    for event in history.events:
        if event.event_type != EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            continue
        step = event.activity_task_scheduled_event_attributes
        queue = step.task_queue.name
        found.append(
            {
                "activity": step.activity_type.name,
                "arguments": decoded(list(step.input.payloads)),
                "queue": "" if queue == own_queue else queue,
                "start_to_close": seconds(step.start_to_close_timeout),
                "heartbeat": seconds(step.heartbeat_timeout),
                "attempts": step.retry_policy.maximum_attempts,
                "final": sorted(step.retry_policy.non_retryable_error_types),
            }
        )
    return found


@pytest.mark.anyio
@pytest.mark.parametrize("path", PATHS, ids=lambda path: "/".join(path.parts[-3:]))
async def test_a_saved_history_replays_step_for_step(path: Path) -> None:
    """ENV-5."""
    history = read(path)
    watch = await replayed(history)
    assert [asked(step) for step in watch.steps] == recorded(history)
    last = history.events[-1]
    if last.HasField("workflow_execution_completed_event_attributes"):
        result = last.workflow_execution_completed_event_attributes.result
        assert encoded(watch.results) == decoded(list(result.payloads))


def test_every_workflow_has_a_history_of_each_scenario() -> None:
    """ENV-5: record missing ones with ``python -m tests.replay.record``."""
    for spec in CATALOGUE:
        folder = HISTORIES / spec.workflow.__name__ / str(spec.version)
        found = {path.name.removesuffix(".json.gz") for path in folder.glob("*.json.gz")}
        assert found == set(SCENARIOS[spec.name])


@pytest.mark.anyio
async def test_a_changed_workflow_is_noticed() -> None:
    """F44: the replay does fail where a step is missing from the history."""
    history = read(PATHS[0])
    first = next(
        event
        for event in history.events
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED
    )
    first.activity_task_scheduled_event_attributes.activity_type.name = "another_step"
    with pytest.raises(workflow.NondeterminismError):
        await replayed(history)
