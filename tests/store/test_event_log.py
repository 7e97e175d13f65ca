"""The log holds every fact once, in order, for everybody who tails it (DOM-1, ENV-4, I13)."""

import asyncio
from collections import Counter
from functools import partial

import anyio
import pytest
from sqlalchemy import Connection

from jobsteward.kernel.events import EntityKind, Event, NewEvent
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog, events_after, last_event_id, whole_log

pytestmark = pytest.mark.anyio


def _event(key: str, ref: str = "r1", tenant: str = "acme", kind: EntityKind = "job") -> NewEvent:
    return NewEvent(tenant, kind, ref, "SomethingHappened", key, {"n": key})


async def _append(database: Database, log: EventLog, *events: NewEvent) -> list[Event]:
    return await database.write(lambda conn: log.append_all(conn, events))


async def _all(database: Database) -> list[Event]:
    return await database.read(
        lambda conn: [event for chunk in whole_log(conn, chunk=7) for event in chunk]
    )


async def test_what_is_appended_is_what_is_read(database: Database, log: EventLog) -> None:
    """The returned event is the stored one, ids, time and payload included."""
    sent = NewEvent("acme", "run", "r1", "T", "k", {"é": [1, {"a": None}]}, "j", "wf", "r1")
    [stored] = await _append(database, log, sent)
    assert await _all(database) == [stored]
    assert (stored.seq, stored.payload) == (1, {"é": [1, {"a": None}]})
    assert (stored.job_id, stored.workflow_id, stored.run_id) == ("j", "wf", "r1")


async def test_a_key_is_appended_once(database: Database, log: EventLog) -> None:
    """ENV-4: an activity retried after its commit appends nothing twice."""
    assert len(await _append(database, log, _event("a"), _event("b"))) == 2
    assert await _append(database, log, _event("a"), _event("b")) == []
    again = await _append(database, log, _event("b"), _event("c"), _event("c", ref="r2"))
    assert [(event.payload["n"], event.seq) for event in again] == [("c", 3)]


async def test_tenants_share_no_keys(database: Database, log: EventLog) -> None:
    """The same key of another tenant is another fact, with a sequence of its own."""
    await _append(database, log, _event("a"))
    [other] = await _append(database, log, _event("a", tenant="globex"))
    assert other.seq == 1
    assert await database.write(lambda conn: log.append_all(conn, [])) == []


async def test_sequences_are_gapless_under_contention(database: Database, log: EventLog) -> None:
    """I13: many writers, one sequence for each entity, without holes or repeats."""
    batches = [[_event(f"{n}-{ref}", ref=ref) for ref in ("r1", "r2")] for n in range(40)]
    await asyncio.gather(*(_append(database, log, *batch) for batch in batches))
    events = await _all(database)
    for ref in ("r1", "r2"):
        mine = [event.seq for event in events if event.entity_ref == ref]
        assert mine == list(range(1, 41))


async def test_concurrent_repeats_append_once(database: Database, log: EventLog) -> None:
    """The same append from twenty tasks at once is one event."""
    results = await asyncio.gather(*(_append(database, log, _event("a")) for _ in range(20)))
    assert Counter(map(len, results)) == {1: 1, 0: 19}
    assert len(await _all(database)) == 1


def _tail(conn: Connection, after: int) -> list[Event]:
    return events_after(conn, "acme", [("job", f"r{number}") for number in range(3)], after)


async def test_a_tail_misses_nothing(database: Database, log: EventLog) -> None:
    """OBS-3: who reads on from the last id they saw gets every event, in order."""
    seen: list[int] = []

    async def tail() -> None:
        while len(seen) < 60:
            after = seen[-1] if seen else 0
            events = await database.read(partial(_tail, after=after))
            seen.extend(event.event_id for event in events)
            await asyncio.sleep(0)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(tail)
            for number in range(60):
                event = _event(str(number), ref=f"r{number % 3}")
                group.start_soon(_append, database, log, event)
    assert seen == sorted(seen)
    assert seen == [event.event_id for event in await _all(database)]


async def test_a_tail_is_limited_and_filtered(database: Database, log: EventLog) -> None:
    """Only the asked entities of the asked tenant, at most as many as asked, oldest first."""
    await _append(database, log, *(_event(str(n), ref=f"r{n % 2}") for n in range(20)))
    await _append(database, log, _event("x", tenant="globex"))
    await _append(database, log, _event("y", kind="source", ref="r0"))
    page = await database.read(
        lambda conn: events_after(conn, "acme", [("job", "r0"), ("job", "r1")], 3, limit=5)
    )
    assert [event.payload["n"] for event in page] == ["3", "4", "5", "6", "7"]
    only = await database.read(lambda conn: events_after(conn, "acme", [("source", "r0")], 0))
    assert [event.payload["n"] for event in only] == ["y"]
    assert await database.read(last_event_id) == 22


async def test_a_large_batch_is_one_append(database: Database, log: EventLog) -> None:
    """More events than a statement may have variables, repeats among them, still in order."""
    await _append(database, log, _event("500"), _event("1500", ref="r500"))
    batch = [_event(str(number), ref=f"r{number % 1000}") for number in range(2000)]
    stored = await _append(database, log, *batch)
    assert len(stored) == 1998
    ids = [event.event_id for event in stored]
    assert ids == sorted(ids)
    assert {event.payload["n"]: event.seq for event in stored}["1001"] == 3


async def test_an_empty_log(database: Database) -> None:
    """Nothing yet: the newest id is 0 and there is nothing to rebuild from."""
    assert await database.read(last_event_id) == 0
    assert await _all(database) == []
