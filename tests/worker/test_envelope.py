"""The envelope: a start marker and exactly one terminal event on every path (ENV-1, I1)."""

from collections import Counter

import pytest
from sqlalchemy import select

from jobsteward.library import Library
from jobsteward.runs.model import TERMINAL_EVENTS, Execution, RunStatus
from jobsteward.store.event_log import JOB_EVENTS
from tests.support.temporal import Starter

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pool")]


async def events_of(library: Library, execution: Execution) -> Counter[str]:
    """How often each kind of event stands for the run."""
    statement = select(JOB_EVENTS.c.event_type).where(JOB_EVENTS.c.run_id == execution.run_id)
    return Counter(await library.database.read(lambda conn: list(conn.scalars(statement))))


def terminals(events: Counter[str]) -> Counter[str]:
    return Counter({name: count for name, count in events.items() if name in TERMINAL_EVENTS})


async def test_a_run_is_marked_enters_its_first_step_and_succeeds(
    library: Library, starter: Starter
) -> None:
    """ENV-1, ENV-2, ADM-5, OBS-1."""
    execution = await starter.until(await starter.run("probe", {"steps": ["ok", "ok"]}))
    run = execution.run
    assert run is not None
    assert run.status is RunStatus.SUCCEEDED
    assert run.result == {"done": 2, "failed": None}
    assert run.summary == {"stepCount": 2}
    stages = [run.startup[name] for name in ("worker_entry", "claim", "ready", "runtime_entry")]
    assert stages == sorted(stages)
    assert run.started_at == run.startup["first_step"]
    events = await events_of(library, execution)
    assert events["WorkflowStarted"] == 1
    assert events["WorkflowFirstStepEntered"] == 1
    assert terminals(events) == {"WorkflowCompleted": 1}
