"""Stages of stored jobs move by the rules, once, and follow from the log (DOM-2 to DOM-4)."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from jobsteward.discover.model import DiscoveryExecutionRef
from jobsteward.discover.pipeline_state import (
    JOB_STAGE_STATES,
    StageWork,
    due_jobs,
    jobs_of_run,
    make_stale,
    move_stage,
    move_stages,
    stages_of,
)
from jobsteward.discover.store import save_postings
from jobsteward.kernel.errors import NotFoundError, StageMoveError
from jobsteward.kernel.stages import MOVES, Stage, StageMove, StageRecord, StageState
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog, whole_log
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

S = StageState
REF = DiscoveryExecutionRef("local", "discover-local", "run-1")
WORK = StageWork("local", "discover-local", "run-1")
JOBS = [posting(number).key.job_id for number in range(3)]
JOB = JOBS[0]


@pytest.fixture
async def stored(database: Database, log: EventLog) -> Database:
    """A database with three jobs."""
    postings = [posting(number) for number in range(3)]
    await database.write(lambda conn: save_postings(conn, log, REF, postings))
    return database


async def go(
    database: Database, log: EventLog, stage: Stage, *moves: StageMove, work: StageWork = WORK
) -> StageRecord:
    for move in moves:
        record = await database.write(
            partial(move_stage, log=log, work=work, job_id=JOB, stage=stage, move=move)
        )
    return record


async def done(database: Database, log: EventLog, *stages: Stage) -> None:
    for stage in stages:
        await go(database, log, stage, StageMove(S.RUNNING, 1), StageMove(S.SUCCEEDED, 1))


def _rows(conn: Connection) -> list[tuple[Any, ...]]:
    columns = JOB_STAGE_STATES.c
    statement = select(JOB_STAGE_STATES).order_by(columns.job_id, columns.stage)
    return [tuple(row) for row in conn.execute(statement)]


def _events(conn: Connection) -> int:
    return conn.scalar(select(func.count()).select_from(JOB_EVENTS)) or 0


async def test_a_found_job_waits_to_be_enriched(stored: Database) -> None:
    """Being stored is having been discovered; all else is untouched."""
    stages = await stored.read(lambda conn: stages_of(conn, "local", JOB))
    assert list(stages) == list(Stage)
    assert {stage: record.state for stage, record in stages.items()} == dict.fromkeys(
        Stage, S.PENDING
    ) | {Stage.DISCOVER: S.SUCCEEDED}
    for tenant, job in (("other", JOB), ("local", "job_none")):
        with pytest.raises(NotFoundError):
            await stored.read(partial(stages_of, tenant_id=tenant, job_id=job))


async def test_a_move_is_stored_with_its_event(stored: Database, log: EventLog) -> None:
    """The fact carries the run, the stage and codes, and nothing else (DIS-9)."""
    await go(stored, log, Stage.ENRICH, StageMove(S.QUEUED, 1))
    record = (await stored.read(lambda conn: stages_of(conn, "local", JOB)))[Stage.ENRICH]
    assert record == StageRecord(Stage.ENRICH, S.QUEUED)
    *_, (event,) = [batch[-1:] for batch in await stored.read(lambda conn: list(whole_log(conn)))]
    assert (event.entity_ref, event.workflow_id, event.run_id) == (JOB, "discover-local", "run-1")
    assert event.payload == {
        "stage": "enrich",
        "from": "pending",
        "to": "queued",
        "attempt": 1,
        "failures": 0,
        "reason": None,
        "by": "work",
    }


async def test_a_repeated_move_changes_nothing(stored: Database, log: EventLog) -> None:
    """DOM-2: also one that comes back after others followed it."""
    moves = [StageMove(S.QUEUED, 1), StageMove(S.RUNNING, 1), StageMove(S.FAILED, 1, "transient")]
    await go(stored, log, Stage.ENRICH, *moves, StageMove(S.PENDING, 1))
    before = await stored.read(_rows), await stored.read(_events)
    record = await go(stored, log, Stage.ENRICH, *moves, StageMove(S.PENDING, 1))
    assert record == StageRecord(Stage.ENRICH, S.PENDING, attempt=2, failures=1)
    assert (await stored.read(_rows), await stored.read(_events)) == before


async def test_a_refused_move_leaves_all_jobs_as_they_were(stored: Database, log: EventLog) -> None:
    """A batch is all or nothing (DOM-2)."""
    await go(stored, log, Stage.ENRICH, StageMove(S.RUNNING, 1))
    before = await stored.read(_rows)
    cancel = StageMove(S.CANCELED, 1)
    with pytest.raises(StageMoveError):
        await stored.write(lambda conn: move_stages(conn, log, WORK, JOBS, Stage.ENRICH, cancel))
    assert await stored.read(_rows) == before


async def test_work_after_a_changed_stage_becomes_stale(stored: Database, log: EventLog) -> None:
    """What built on it no longer holds; a sent application stays sent."""
    later = [Stage.SCORE, Stage.TAILOR, Stage.COVER, Stage.PDF, Stage.APPLY]
    await done(stored, log, Stage.ENRICH, *later)
    await stored.write(lambda conn: make_stale(conn, log, WORK, JOBS, Stage.ENRICH))
    await stored.write(lambda conn: make_stale(conn, log, WORK, JOBS, Stage.ENRICH))
    stages = await stored.read(lambda conn: stages_of(conn, "local", JOB))
    assert [stages[stage].state for stage in [Stage.ENRICH, *later]] == [
        S.SUCCEEDED,
        *[S.STALE] * 4,
        S.SUCCEEDED,
    ]
    assert stages[Stage.PDF].reason == "enrich_changed"


async def test_what_is_due_can_begin_now(stored: Database, log: EventLog) -> None:
    """A stage is due where all before it are done and nobody works on it."""
    await done(stored, log, Stage.ENRICH)

    async def due(stage: Stage) -> list[str]:
        return await stored.read(lambda conn: due_jobs(conn, "local", JOBS, stage))

    assert await due(Stage.ENRICH) == JOBS[1:]
    assert await due(Stage.SCORE) == JOBS[:1]
    assert await due(Stage.TAILOR) == []


async def test_a_run_knows_the_work_it_moved(stored: Database, log: EventLog) -> None:
    """DIS-9: a cancel finds exactly its own cohort."""
    other = StageWork("local", "discover-local", "run-2")
    queued = StageMove(S.QUEUED, 1)
    for work, job in ((WORK, JOBS[0]), (other, JOBS[1])):
        await stored.write(
            partial(move_stage, log=log, work=work, job_id=job, stage=Stage.ENRICH, move=queued)
        )
    found = await stored.read(lambda conn: jobs_of_run(conn, other, Stage.ENRICH, [S.QUEUED]))
    assert list(found) == [JOBS[1]]


async def test_a_rebuild_gives_equal_stages(stored: Database, log: EventLog) -> None:
    """DOM-4: the log alone says where every stage stands."""
    await done(stored, log, Stage.ENRICH, Stage.SCORE)
    await stored.write(lambda conn: make_stale(conn, log, WORK, JOBS, Stage.ENRICH))
    await go(stored, log, Stage.SCORE, StageMove(S.PENDING, 1), StageMove(S.RUNNING, 2))
    before = await stored.read(_rows)
    await stored.write(lambda conn: log.projector.rebuild(conn, whole_log(conn, chunk=3)))
    assert await stored.read(_rows) == before
    assert len(before) == 2


@pytest.mark.parametrize("before", S)
async def test_the_database_refuses_what_is_no_move(database: Database, before: S) -> None:
    """DOM-3: not even a statement of one's own gets past the rule."""
    row = {"tenant_id": "t", "job_id": "j", "stage": "score", "state": before, "attempt": 1}
    row |= {"failures": 0, "changed_at": "now"}
    for after in S:

        def attempt(conn: Connection, to: StageState = after) -> None:
            conn.execute(JOB_STAGE_STATES.delete())
            conn.execute(insert(JOB_STAGE_STATES), row)
            conn.execute(update(JOB_STAGE_STATES).values(state=to))

        if (before, after) in MOVES:
            await database.write(attempt)
        else:
            with pytest.raises(IntegrityError, match="a stage does not move that way"):
                await database.write(attempt)
