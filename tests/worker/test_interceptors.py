"""The guard in front of every activity, and the report of a run's first step (ACT-4, ADM-5)."""

import dataclasses
from collections.abc import Mapping

import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs.model import Lane, RunStatus
from jobsteward_worker.pool import open_pool
from tests.support.probe import WITH_PROBE
from tests.support.temporal import Starter
from tests.worker.facts import events_of

pytestmark = pytest.mark.anyio


class Stages:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def observe_stage(self, stage: str, lane: Lane, startup: Mapping[str, str]) -> None:
        assert lane is Lane.INTERACTIVE
        self.seen.append(stage)


async def test_work_for_another_runtime_fails_at_once_and_writes_nothing(
    library: Library, client: Client, starter: Starter
) -> None:
    """ACT-4, F38: not retried, and no event of the run in the wrong database."""
    other = dataclasses.replace(library, runtime="another database")
    execution = await starter.admit("probe", {"steps": ["ok"]})
    async with open_pool(client, other, WITH_PROBE, list(Lane)):
        handle = await starter.begin(execution, acknowledge=False)
        with pytest.raises(Exception, match="Workflow execution failed") as failed:
            await handle.result()
    assert "RuntimeIdentityMismatch" in repr(failed.value.__cause__)
    assert not await events_of(library, handle.result_run_id)


async def test_the_first_step_is_reported_once(
    library: Library, client: Client, starter: Starter
) -> None:
    """ADM-5, OBS-1: pending until then; a retried step does not enter again."""
    stages = Stages()
    async with open_pool(client, library, WITH_PROBE, list(Lane), observer=stages):
        execution = await starter.until(
            await starter.run("probe", {"steps": ["fail:llm_transient"]})
        )
    assert execution.status is RunStatus.FAILED
    events = await events_of(library, execution.run_id)
    assert events["WorkflowFirstStepEntered"] == 1
    assert stages.seen == ["worker_entry", "claim", "ready", "runtime_entry", "first_step"]


async def test_a_marked_run_without_a_free_slot_is_pending(
    library: Library, client: Client, starter: Starter
) -> None:
    """ADM-5: set-up does not start a run."""
    execution = await starter.run("probe", {"steps": ["ok"]})
    execution = await starter.until(execution, lambda found: found.run is not None)
    assert execution.run is not None
    assert (execution.status, execution.run.started_at) == (RunStatus.PENDING, None)
