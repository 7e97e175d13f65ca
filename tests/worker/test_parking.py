"""Gates: a run waits without a slot, and only the stored decision moves it (ADM-5a, ADM-9)."""

import anyio
import pytest
from temporalio.client import Client

from jobsteward.library import Library
from jobsteward.runs import gates
from jobsteward.runs.model import Execution, RunStatus
from jobsteward_worker.pool import WorkerPool
from jobsteward_worker.reconciler import Reconciler
from tests.support.temporal import Starter
from tests.worker.facts import events_of

pytestmark = pytest.mark.anyio


def is_parked(execution: Execution) -> bool:
    return execution.status is RunStatus.AWAITING_APPROVAL


async def decide(library: Library, execution: Execution, verdict: gates.Verdict) -> str:
    """Store a person's decision on the gate that is open now; returns the gate's id."""
    assert execution.run is not None and execution.run.gate_id is not None
    gate_id = execution.run.gate_id
    await library.database.write(
        lambda conn: gates.decide(
            conn, gates.find_gate(conn, "local", gate_id), verdict, decided_by="owner"
        )
    )
    return gate_id


async def test_a_parked_run_goes_on_with_its_decision(
    library: Library, starter: Starter, pool: WorkerPool
) -> None:
    """ADM-5a, ADM-9: while it waits no activity slot is taken."""
    execution = await starter.run("probe", {"steps": ["ok", "park:awaiting_approval", "ok"]})
    execution = await starter.until(execution, is_parked)
    assert pool.telemetry.active().total() == 0
    await decide(library, execution, "approve")
    await starter.handle(execution).signal("wake")
    execution = await starter.until(execution)
    assert execution.status is RunStatus.SUCCEEDED
    events = await events_of(library, execution.run_id)
    assert (events["WorkflowParked"], events["WorkflowResumed"]) == (1, 1)


@pytest.mark.usefixtures("pool")
async def test_a_wake_without_a_decision_decides_nothing(starter: Starter) -> None:
    """ADM-9, MCP-10: a signal never approves, whatever it carries (F46: a bad one is dropped)."""
    execution = await starter.run("probe", {"steps": ["park:awaiting_approval"]})
    execution = await starter.until(execution, is_parked)
    handle = starter.handle(execution)
    await handle.signal("wake")
    await handle.signal("wake", args=["approve", 7])
    await handle.signal("no_such_signal", {"decision": "approve"})
    with anyio.move_on_after(1):
        await starter.until(execution)
        pytest.fail("the run went on without a decision")
    assert (await starter.until(execution, lambda _: True)).status is RunStatus.AWAITING_APPROVAL


@pytest.mark.usefixtures("pool")
async def test_each_gate_needs_a_decision_of_its_own(library: Library, starter: Starter) -> None:
    """ADM-9: what was decided for one gate never opens a later one."""
    park = "park:awaiting_approval"
    execution = await starter.run("probe", {"steps": [park, park]})
    execution = await starter.until(execution, is_parked)
    first = await decide(library, execution, "approve")
    await starter.handle(execution).signal("wake")
    execution = await starter.until(
        execution, lambda found: found.run is not None and found.run.gate_id not in {None, first}
    )
    await decide(library, execution, "reject")
    await starter.handle(execution).signal("wake")
    execution = await starter.until(execution)
    assert execution.run is not None
    assert (execution.run.status, execution.run.error_code) == (RunStatus.FAILED, "rejected")


@pytest.mark.usefixtures("pool")
async def test_a_lost_wake_is_repeated(library: Library, client: Client, starter: Starter) -> None:
    """ADM-9: the process died between storing the decision and waking the run."""
    execution = await starter.run("probe", {"steps": ["park:awaiting_approval"]})
    execution = await starter.until(execution, is_parked)
    await decide(library, execution, "approve")
    await Reconciler(client, library).run_once()
    assert (await starter.until(execution)).status is RunStatus.SUCCEEDED


@pytest.mark.usefixtures("pool")
async def test_a_parked_run_can_be_cancelled(starter: Starter) -> None:
    """P103."""
    execution = await starter.run("probe", {"steps": ["park:awaiting_approval"]})
    execution = await starter.until(execution, is_parked)
    await starter.handle(execution).cancel()
    assert (await starter.until(execution)).status is RunStatus.CANCELED
