"""Read models follow from the log alone, at a cost that does not grow with it (DOM-4)."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, select

from jobsteward.kernel.events import Event, NewEvent
from jobsteward.library import PROJECTIONS
from jobsteward.runs import lifecycle, model
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward.store.engine import METADATA, Database
from jobsteward.store.event_log import EventLog, whole_log
from jobsteward.store.projector import Projector

pytestmark = pytest.mark.anyio


class _Recorder:
    """A projection that remembers which batches it was handed."""

    name = "recorder"
    entity_kinds = frozenset({"job"})

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def fold(self, _conn: Connection, events: Sequence[Event]) -> None:
        """Remember the batch."""
        self.batches.append([event.entity_ref for event in events])

    def clear(self, _conn: Connection) -> None:
        """Forget everything."""
        self.batches.clear()


def _job(ref: str, key: str) -> NewEvent:
    return NewEvent("acme", "job", ref, "JobDiscovered", key)


async def test_only_new_events_of_its_kind_are_folded(database: Database) -> None:
    """A projection hears what is new and what it listens to, and nothing else."""
    recorder = _Recorder()
    log = EventLog(Projector([recorder]))
    source = NewEvent("acme", "source", "s", "SourceRead", "s")
    await database.write(lambda conn: log.append_all(conn, [_job("a", "1"), source]))
    await database.write(lambda conn: log.append_all(conn, [_job("a", "1"), _job("b", "2")]))
    await database.write(lambda conn: log.append_all(conn, [_job("b", "2")]))
    assert recorder.batches == [["a"], ["b"]]
    await database.write(lambda conn: log.projector.rebuild(conn, whole_log(conn, chunk=2)))
    assert recorder.batches == [["a"], ["b"]]


async def test_an_append_and_its_fold_are_one_transaction(database: Database) -> None:
    """A fold that fails takes its event back with it."""

    class Broken(_Recorder):
        def fold(self, _conn: Connection, _events: Sequence[Event]) -> None:
            raise ArithmeticError("cannot fold")

    log = EventLog(Projector([Broken()]))
    with pytest.raises(ArithmeticError):
        await database.write(lambda conn: log.append(conn, _job("a", "1")))
    assert await database.read(lambda conn: list(whole_log(conn))) == []


def _live(conn: Connection, log: EventLog, number: int) -> None:
    ref = RunRef("acme", f"wf-{number % 3}", f"run-{number}")
    summary = {"board": f"b{number}", "é": number}
    lifecycle.record_started(
        conn, log, ref, workflow="Discover", group_id=None, summary=summary, startup={"ready": "t"}
    )
    lifecycle.record_first_step(conn, log, ref, startup={"first": "t"}, entered_at="t1")
    if number % 4 == 1:
        lifecycle.record_not_found(conn, log, ref)
    if number % 4 < 3:
        status = list(model.EVENT_OF_STATUS)[number % 5]
        lifecycle.record_outcome(conn, log, ref, status, code="x", result={"n": number})


def _rows(conn: Connection) -> list[list[Any]]:
    names = ("workflow_run_projections", "workflow_executions")
    return [sorted(map(repr, conn.execute(select(METADATA.tables[name])).all())) for name in names]


async def test_a_rebuild_gives_equal_rows(database: Database, log: EventLog) -> None:
    """DOM-4: clearing every projection and folding the whole log again changes no byte."""
    for number in range(25):
        await database.write(partial(_live, log=log, number=number))
    before = await database.read(_rows)
    assert len(before[0]) == 25
    await database.write(lambda conn: log.projector.rebuild(conn, whole_log(conn, chunk=10)))
    assert await database.read(_rows) == before


async def test_every_projection_has_its_own_name() -> None:
    """Names tell projections apart."""
    names = [projection.name for projection in PROJECTIONS]
    assert len(names) == len(set(names))


async def test_one_more_event_costs_the_same(database: Database, log: EventLog) -> None:
    """DOM-4: the fold runs as many statements after 100 runs as after three."""
    statements: list[str] = []

    def count(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    async def cost(number: int) -> int:
        statements.clear()
        ref = RunRef("acme", "wf", f"run-{number}")
        await database.write(
            lambda conn: lifecycle.record_outcome(conn, log, ref, RunStatus.SUCCEEDED)
        )
        return len(statements)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        for number in range(3):
            await database.write(partial(_live, log=log, number=number))
        few = await cost(1001)
        for number in range(3, 100):
            await database.write(partial(_live, log=log, number=number))
        assert await cost(1002) == few
    finally:
        event.remove(Engine, "before_cursor_execute", count)
