"""Schedules fire each due time once, skip overlaps, and make up for what was missed once."""

from typing import Any

import anyio
import pytest
from sqlalchemy import Connection, select, update

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import ConflictError, InvalidInputError, NotFoundError
from jobsteward.runs import schedules, store
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward.runs.schedules import SCHEDULES, Fired, Schedule
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.runs.timing import Timing
from jobsteward.runs.views import find_execution
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog

pytestmark = pytest.mark.anyio

LONG_AGO = "2026-01-01T00:00:00.000000Z"


def to_admission(schedule: Schedule, key: str) -> store.Admission:
    if schedule.workflow == "gone":
        raise InvalidInputError("its inputs no longer fit")
    return store.Admission(
        tenant_id=schedule.tenant_id,
        workflow=schedule.workflow,
        workflow_id=f"{schedule.workflow}-{schedule.tenant_id}",
        priority=schedules.PRIORITY,
        token_id=schedule.schedule_id,
        idempotency_key=key,
        fingerprint="fingerprint",
        inputs=schedule.inputs,
        envelope={},
        startup={},
        claim_token=None,
    )


class Desk:
    """Schedules of one database."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self.database = database
        self.log = log

    async def add(self, workflow: str = "discover", tenant: str = "local") -> Schedule:
        return await self.database.write(
            lambda conn: schedules.add_schedule(
                conn,
                self.log,
                tenant,
                name="mornings",
                workflow=workflow,
                inputs={"limit": 5},
                timing=Timing(at=("07:30",), zone="Europe/Berlin"),
            )
        )

    async def make_due(self) -> None:
        await self.database.write(
            lambda conn: conn.execute(update(SCHEDULES).values(next_at=LONG_AGO))
        )

    async def fire(self) -> Fired | None:
        return await self.database.write(
            lambda conn: schedules.fire_next(conn, self.log, to_admission)
        )

    async def only(self) -> Schedule:
        found = await self.database.read(lambda conn: schedules.list_schedules(conn, "local"))
        assert len(found) == 1
        return found[0]

    async def executions(self) -> list[Execution]:
        def read(conn: Connection) -> list[Execution]:
            ids = list(conn.scalars(select(EXECUTIONS.c.execution_id)))
            found = [find_execution(conn, "local", item) for item in ids]
            return [item for item in found if item]

        return await self.database.read(read)

    async def end(self, execution: Execution) -> None:
        await self.database.write(
            lambda conn: store.close(conn, self.log, execution, RunStatus.CANCELED, None)
        )


@pytest.fixture
def desk(database: Database, log: EventLog) -> Desk:
    return Desk(database, log)


async def test_a_due_schedule_is_accepted_in_the_background(desk: Desk) -> None:
    """LANE-1."""
    made = await desk.add()
    assert made.next_at > timestamp(utc_now()) and await desk.fire() is None
    await desk.make_due()
    fired = await desk.fire()
    assert fired is not None and fired.outcome == "started"
    [execution] = await desk.executions()
    assert (execution.lane, execution.inputs) == (Lane.BACKGROUND, {"limit": 5})
    now = await desk.only()
    assert (now.last_at, now.last_execution_id) == (LONG_AGO, execution.execution_id)
    assert now.next_at > timestamp(utc_now())


async def test_what_was_missed_is_made_up_for_once(desk: Desk) -> None:
    await desk.add()
    await desk.make_due()
    assert await desk.fire() is not None
    assert await desk.fire() is None
    assert len(await desk.executions()) == 1


async def test_a_run_that_still_goes_is_not_overtaken(desk: Desk) -> None:
    await desk.add()
    await desk.make_due()
    await desk.fire()
    await desk.make_due()
    fired = await desk.fire()
    assert fired is not None and fired.outcome == "skipped"
    assert (await desk.only()).skipped == 1
    [execution] = await desk.executions()
    await desk.end(execution)
    await desk.database.write(
        lambda conn: conn.execute(update(SCHEDULES).values(next_at="2026-01-02T00:00:00.000000Z"))
    )
    fired = await desk.fire()
    assert fired is not None and fired.outcome == "started"
    assert len(await desk.executions()) == 2


async def test_many_processes_fire_it_once(desk: Desk) -> None:
    await desk.add()
    await desk.make_due()
    outcomes: list[Any] = []

    async def fire() -> None:
        outcomes.append(await desk.fire())

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(fire)
    assert [item.outcome for item in outcomes if item] == ["started"]
    assert len(await desk.executions()) == 1


async def test_one_that_no_longer_fits_stops_no_other(desk: Desk) -> None:
    """It is noted with its code, and due again at its next time."""
    await desk.add("gone")
    await desk.make_due()
    fired = await desk.fire()
    assert fired is not None and (fired.outcome, fired.code) == ("refused", "invalid_input")
    assert await desk.fire() is None and await desk.executions() == []
    kinds = await desk.database.read(
        lambda conn: list(
            conn.scalars(
                select(JOB_EVENTS.c.event_type).where(JOB_EVENTS.c.entity_kind == "schedule")
            )
        )
    )
    assert kinds == ["ScheduleAdded", "ScheduleRefused"]


async def test_a_removed_schedule_is_gone_for_its_tenant_only(desk: Desk) -> None:
    made = await desk.add()

    async def remove(tenant: str) -> None:
        await desk.database.write(
            lambda conn: schedules.remove_schedule(conn, desk.log, tenant, made.schedule_id)
        )

    with pytest.raises(NotFoundError):
        await remove("somebody-else")
    await remove("local")
    with pytest.raises(NotFoundError):
        await remove("local")


async def test_a_tenant_has_a_bounded_number(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "MOST", 1)
    await desk.add()
    with pytest.raises(ConflictError):
        await desk.add()
    await desk.add(tenant="another")
