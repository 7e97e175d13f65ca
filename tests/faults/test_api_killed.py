"""The API process dies at each place of an admission; a retry with the key finds one run."""

import os
from collections import Counter
from contextlib import suppress
from typing import Any

import anyio
import pytest
from sqlalchemy import func, select
from temporalio.client import Client

from jobsteward.client import ApiClient, ApiUnreachableError
from jobsteward.library import Library
from jobsteward.runs.model import RunStatus
from jobsteward.runs.outbox import CLAIM_FOR
from jobsteward.runs.tables import EXECUTIONS
from tests.faults.processes import Processes, died
from tests.worker.facts import events_of, terminals_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

in_proof = pytest.mark.skipif(
    "JOBSTEWARD_PROVE" not in os.environ, reason="one place of its kind is enough: make prove"
)
STEPS: dict[str, Any] = {"steps": ["ok"]}


async def stored(library: Library) -> int:
    """How many executions there are."""
    statement = select(func.count()).select_from(EXECUTIONS)
    return await library.database.read(lambda conn: conn.scalar(statement)) or 0


async def _confirmed(library: Library, run_id: str | None) -> Counter[str]:
    """The run's events once its start is confirmed, which a lapsing claim can delay."""
    with anyio.fail_after(CLAIM_FOR.total_seconds() + 30):
        while True:
            events = await events_of(library, run_id)
            if events["WorkflowDispatched"]:
                return events
            await anyio.sleep(0.1)


async def _running(agent: ApiClient, made: str) -> None:
    with anyio.fail_after(60):
        while True:
            if (await agent.get_run(made)).status is RunStatus.RUNNING:
                return
            await anyio.sleep(0.05)


async def ended_once(library: Library, client: Client, processes: Processes, one: str) -> None:
    """The run has ended well, once, here and in Temporal, and no other run was started."""
    async with processes.agent() as agent:
        with anyio.fail_after(60):
            while not (run := await agent.get_run(one, wait=10)).terminal:
                pass
    assert run.status is RunStatus.SUCCEEDED
    assert await terminals_of(library, run.run_id) == ["WorkflowCompleted"]
    events = await _confirmed(library, run.run_id)
    assert (events["WorkflowDispatched"], events["WorkflowStarted"]) == (1, 1)
    workflow_id = f"probe-{one}"
    description = await client.get_workflow_handle(workflow_id).describe()
    assert description.run_id == run.run_id
    found = [each async for each in client.list_workflows(f"WorkflowId = '{workflow_id}'")]
    assert [each.run_id for each in found] in ([], [run.run_id])  # the list may lag behind


async def test_killed_before_the_commit_nothing_was_taken_in(
    library: Library, client: Client, processes: Processes
) -> None:
    """F01, I1: the caller gets no answer, there is no row and no run; the retry makes one."""
    doomed = await processes.api(die_at="admit.before_commit")
    async with processes.agent() as agent:
        with pytest.raises(ApiUnreachableError):
            await agent.execute("probe", STEPS, idempotency_key="k")
    await died(doomed)
    assert await stored(library) == 0
    await processes.api()
    processes.start("worker")
    async with processes.agent() as agent:
        receipt = await agent.execute("probe", STEPS, idempotency_key="k")
    assert not receipt.replayed
    await ended_once(library, client, processes, receipt.execution_id)
    assert await stored(library) == 1


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("admit.after_commit", marks=in_proof),
        pytest.param("dispatch.before_start", marks=in_proof),
        "dispatch.after_start",
    ],
)
async def test_killed_after_the_commit_it_runs_all_the_same(
    place: str, library: Library, client: Client, processes: Processes
) -> None:
    """F03, F22, ADM-1, and recovery of a publication: the next process delivers the envelope.

    The caller may have got no answer; its retry with the key joins the same execution, and a
    second start of a run that is there already counts as its confirmation.
    """
    doomed = await processes.api(die_at=place)
    async with processes.agent() as agent:
        try:
            first = (await agent.execute("probe", STEPS, idempotency_key="k")).execution_id
        except ApiUnreachableError:
            first = ""
    await died(doomed)
    assert await stored(library) == 1
    await processes.api()
    processes.start("worker")
    async with processes.agent() as agent:
        again = await agent.execute("probe", STEPS, idempotency_key="k")
    assert again.replayed
    assert first in {"", again.execution_id}
    await ended_once(library, client, processes, again.execution_id)
    assert await stored(library) == 1


@pytest.mark.parametrize(
    "place", ["cancel.after_commit", pytest.param("cancel.after_delivery", marks=in_proof)]
)
async def test_a_cancel_survives_the_process_that_took_it(
    place: str, library: Library, client: Client, processes: Processes
) -> None:
    """ADM-8: stored before it is delivered, delivered by the next process, audited once."""
    doomed = await processes.api(die_at=place)
    processes.start("worker")
    async with processes.agent() as agent:
        inputs = {"steps": ["sleep:60"]}
        made = (await agent.execute("probe", inputs, priority=0)).execution_id
        await _running(agent, made)
        with suppress(ApiUnreachableError):
            await agent.cancel(made)
    await died(doomed)
    await processes.api()
    async with processes.agent() as agent:
        with anyio.fail_after(60):
            while not (run := await agent.get_run(made, wait=10)).terminal:
                pass
    assert run.status is RunStatus.CANCELED
    assert await terminals_of(library, run.run_id) == ["WorkflowCanceled"]
    assert (await client.get_workflow_handle(f"probe-{made}").describe()).run_id == run.run_id


async def test_killed_while_it_runs_a_run_it_is_finished_by_the_others(
    library: Library, client: Client, processes: Processes
) -> None:
    """Seed case, recovery before the first step: the workflow task goes to whoever is there."""
    doomed = await processes.api(die_at="marker.after_commit")
    async with processes.agent() as agent:
        receipt = await agent.execute("probe", STEPS, idempotency_key="k")
    await died(doomed)
    processes.start("worker")
    await processes.api()
    await ended_once(library, client, processes, receipt.execution_id)
