"""Step events: each state once, and one end within an attempt (DIS-10)."""

import pytest

from jobsteward.kernel.events import Event
from jobsteward.runs.model import RunRef
from jobsteward.runs.pipeline import Facts, PipelineStep, StepState, record_step, steps_of
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog, events_after

pytestmark = pytest.mark.anyio

RUN = RunRef("local", "discover-local", "run-1")


async def record(
    database: Database, log: EventLog, state: StepState, attempt: int = 1, **facts: str | int
) -> None:
    step = PipelineStep("source_family", "src_1", attempt)
    told: Facts = facts
    await database.write(lambda conn: record_step(conn, log, RUN, step, state, told))


async def recorded(database: Database) -> list[Event]:
    return await database.read(
        lambda conn: events_after(conn, "local", [("run", RUN.run_id)], after=0)
    )


async def test_the_first_end_of_an_attempt_stands(database: Database, log: EventLog) -> None:
    await record(database, log, "Started")
    await record(database, log, "Started")
    await record(database, log, "Completed", count=3)
    await record(database, log, "Failed", errorCode="source_unavailable")
    events = await recorded(database)
    assert [event.event_type for event in events] == [
        "PipelineStepStarted",
        "PipelineStepCompleted",
    ]
    assert events[1].payload == {
        "step": "source_family",
        "attempt": 1,
        "key": "src_1",
        "count": 3,
    }


async def test_a_later_attempt_has_states_of_its_own(database: Database, log: EventLog) -> None:
    await record(database, log, "Failed", errorCode="source_unavailable", retryable=True)
    await record(database, log, "Completed", attempt=2)
    assert [event.payload["attempt"] for event in await recorded(database)] == [1, 2]


async def standing(database: Database) -> list[tuple[int, str, dict[str, str | int]]]:
    found = await database.read(lambda conn: steps_of(conn, RUN))
    return [(view.attempt, view.state, dict(view.facts)) for view in found]


async def test_a_step_stands_as_its_newest_attempt_does(database: Database, log: EventLog) -> None:
    """DIS-10: a late word of an older attempt changes nothing."""
    await record(database, log, "Queued")
    await record(database, log, "Started")
    assert await standing(database) == [(1, "Started", {})]
    await record(database, log, "Started", attempt=2)
    await record(database, log, "Failed", attempt=1, errorCode="stale_lease")
    assert await standing(database) == [(2, "Started", {})]
    await record(database, log, "Completed", attempt=2, count=4)
    await record(database, log, "Queued", attempt=2)
    assert await standing(database) == [(2, "Completed", {"count": 4})]
