"""Streams of a run's events and waits for its end, fed by one shared look (OBS-3, ADM-7)."""

from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
import pytest
from sqlalchemy import Connection

from jobsteward.kernel.events import NewEvent
from jobsteward.library import Library, open_library
from jobsteward.runs import lifecycle, store
from jobsteward.runs.model import Execution, RunRef, RunStatus
from jobsteward.runs.views import find_execution
from jobsteward.settings import Settings
from jobsteward.store.engine import Database, Work
from jobsteward.store.event_log import last_event_id
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.http import events
from jobsteward_server.http.tail import RECHECK_EVERY, EventTail
from jobsteward_worker.spec import Catalogue
from tests.server.http.live import Live, Wire, live
from tests.support.api import Api, open_api

pytestmark = pytest.mark.anyio

TENANT = "local"
Frame = dict[str, Any]


@pytest.fixture
async def served(settings: Settings) -> AsyncIterator[tuple[Api, Live]]:
    """The application on a real socket, without Temporal."""
    # The raw client connects to a port of its own; its Host is the application's.
    bound = settings.model_copy(update={"allowed_hosts": ("stream.test",)})
    async with open_api(bound, Catalogue([])) as api, live(api.app) as running:
        yield api, running


async def accept(library: Library, key: str = "k", tenant: str = TENANT) -> Execution:
    """A fresh execution that nothing has started."""
    request = store.Admission(
        tenant_id=tenant,
        workflow="discover",
        workflow_id="",
        priority=5,
        token_id="tok_test",
        idempotency_key=key,
        fingerprint=key,
        inputs={},
        envelope={},
        startup={},
        claim_token=None,
    )
    admitted = await library.database.write(lambda conn: store.admit(conn, library.log, request))
    return admitted.execution


def ref_of(execution: Execution) -> RunRef:
    """The run that serves it in these tests."""
    run_id = f"run-{execution.execution_id}"
    return RunRef(execution.tenant_id, execution.workflow_id, run_id)


async def start(library: Library, execution: Execution) -> None:
    """Bind a run, which enters its first step."""
    ref = ref_of(execution)

    def work(conn: Connection) -> None:
        lifecycle.record_started(
            conn,
            library.log,
            ref,
            workflow="discover",
            group_id=execution.group_id,
            summary={},
            startup={},
        )
        lifecycle.record_first_step(
            conn, library.log, ref, startup={}, entered_at="2026-03-01T09:00:00.000000Z"
        )

    await library.database.write(work)


async def end(library: Library, execution: Execution) -> None:
    """End its run well."""
    await library.database.write(
        lambda conn: lifecycle.record_outcome(
            conn, library.log, ref_of(execution), RunStatus.SUCCEEDED, result={"jobs": 1}
        )
    )


async def open_stream(
    served: tuple[Api, Live], any_id: str, after: int | None = None, secret: str | None = None
) -> Wire:
    """A connection on which the run's stream was asked for."""
    api, running = served
    wire = await running.connect()
    resume = "" if after is None else f"Last-Event-ID: {after}\r\n"
    await wire.send(
        f"GET /api/v1/workflow-runs/{any_id}/events HTTP/1.1\r\nHost: stream.test\r\n"
        f"Authorization: Bearer {secret or api.secret(AGENT_FILE)}\r\n"
        f"Connection: close\r\n{resume}\r\n".encode()
    )
    return wire


async def frames(wire: Wire, count: int) -> list[Frame]:
    """The next so many events of an open stream."""
    found: list[Frame] = []
    frame: Frame = {}
    with anyio.fail_after(10):
        while len(found) < count:
            name, _, text = (await wire.line()).decode().partition(": ")
            if name in {"id", "event"}:
                frame[name] = text
            elif name == "data":
                found.append(frame | {"data": text})
                frame = {}
    return found


async def rest(wire: Wire) -> str:
    """Everything up to the end of the stream."""
    with anyio.fail_after(10):
        return (await wire.rest()).decode()


NAMES = ["ExecutionAccepted", "WorkflowStarted", "started", "WorkflowCompleted"]


async def test_a_stream_tells_a_whole_run_as_it_happens_and_ends(
    served: tuple[Api, Live],
) -> None:
    """OBS-3, ADM-5: each event once, in log order; entering the first step is ``started``."""
    library = served[0].services.library
    execution = await accept(library)
    wire = await open_stream(served, execution.execution_id)
    seen = await frames(wire, 1)
    await start(library, execution)
    seen += await frames(wire, 2)
    await end(library, execution)
    seen += await frames(wire, 1)
    assert "data:" not in await rest(wire)
    await wire.close()
    assert [frame["event"] for frame in seen] == NAMES
    ids = [int(frame["id"]) for frame in seen]
    assert ids == sorted(set(ids))
    assert '"type":"WorkflowFirstStepEntered"' in seen[2]["data"]


async def test_a_stream_resumes_after_the_last_event_id(served: tuple[Api, Live]) -> None:
    """OBS-3: from every id on, exactly the events behind it."""
    library = served[0].services.library
    execution = await accept(library)
    await start(library, execution)
    whole = await open_stream(served, execution.execution_id)
    first = await frames(whole, 3)
    await whole.close()
    await end(library, execution)
    for position in range(3):
        wire = await open_stream(served, execution.execution_id, int(first[position]["id"]))
        names = [frame["event"] for frame in await frames(wire, 3 - position)]
        assert names == NAMES[position + 1 :]
        assert "data:" not in await rest(wire)
        await wire.close()


async def test_nothing_after_the_end_is_a_204(served: tuple[Api, Live]) -> None:
    """A browser's EventSource stops asking only then."""
    library = served[0].services.library
    execution = await accept(library)
    await start(library, execution)
    await end(library, execution)
    wire = await open_stream(served, execution.execution_id, after=10_000)
    with anyio.fail_after(5):
        assert (await wire.line()).startswith(b"HTTP/1.1 204")
    await wire.close()


async def test_an_execution_closed_before_any_run_ends_its_stream(
    served: tuple[Api, Live],
) -> None:
    """ADM-8: cancelled before its start, it has no run and still an end."""
    library = served[0].services.library
    execution = await accept(library)
    wire = await open_stream(served, execution.execution_id)
    await frames(wire, 1)
    await library.database.write(
        lambda conn: store.request_cancel(
            conn, library.log, execution, requester="owner", reason=None
        )
    )
    assert "ExecutionClosed" in await rest(wire)
    await wire.close()


async def test_events_of_another_process_arrive(
    served: tuple[Api, Live], settings: Settings
) -> None:
    """F22: the look goes to the database, so it does not matter who appended."""
    api, _ = served
    execution = await accept(api.services.library)
    wire = await open_stream(served, execution.execution_id)
    await frames(wire, 1)
    async with await open_library(settings) as other:
        await start(other, execution)
    assert [frame["event"] for frame in await frames(wire, 2)] == NAMES[1:3]
    await wire.close()


async def test_another_tenants_stream_is_not_found(served: tuple[Api, Live]) -> None:
    """S15: byte for byte what an unknown id gives, but for the request id."""
    api, _ = served
    execution = await accept(api.services.library)
    secret = await api.tenant("other")
    answers = []
    for any_id in (execution.execution_id, "exe_" + "0" * 32):
        async with api.http(secret) as http:
            answer = await http.get(f"/api/v1/workflow-runs/{any_id}/events")
        document = answer.json()
        del document["request_id"]
        answers.append((answer.status_code, document))
    assert answers[0] == answers[1]
    assert answers[0][0] == 404


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "9" * 30, "1 2", "٣"])
async def test_a_foreign_last_event_id_is_refused(text: str, served: tuple[Api, Live]) -> None:
    api, _ = served
    execution = await accept(api.services.library)
    path = f"/api/v1/workflow-runs/{execution.execution_id}/events"
    async with api.http(api.secret(AGENT_FILE)) as http:
        answer = await http.get(path, headers=[(b"last-event-id", text.encode())])
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")


async def test_a_silent_stream_shows_life(
    served: tuple[Api, Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    """OBS-3: a comment now and then keeps proxies from closing it."""
    monkeypatch.setattr(events, "PING_EVERY", 0.1)
    monkeypatch.setattr(events, "RECHECK_EVERY", 0.05)
    execution = await accept(served[0].services.library)
    wire = await open_stream(served, execution.execution_id)
    await frames(wire, 1)
    with anyio.fail_after(5):
        while await wire.line() != b": ping":
            pass
    await wire.close()


async def test_a_revoked_token_ends_its_stream(
    served: tuple[Api, Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-1: an open stream does not outlive its credential by more than one sign of life."""
    monkeypatch.setattr(events, "PING_EVERY", 0.1)
    monkeypatch.setattr(events, "RECHECK_EVERY", 0.05)
    api, _ = served
    secret = await api.tenant(TENANT)
    execution = await accept(api.services.library)
    wire = await open_stream(served, execution.execution_id, secret=secret)
    await frames(wire, 1)
    await api.services.library.database.write(
        lambda conn: conn.exec_driver_sql("UPDATE access_tokens SET revoked_at = created_at")
    )
    await rest(wire)
    await wire.close()


async def test_streams_end_when_the_process_stops(served: tuple[Api, Live]) -> None:
    api, _ = served
    execution = await accept(api.services.library)
    wire = await open_stream(served, execution.execution_id)
    await frames(wire, 1)
    api.services.tail.stop()
    await rest(wire)
    await wire.close()


class Counted:
    """A read that counts how often it is made."""

    def __init__(self, execution: Execution) -> None:
        self.execution = execution
        self.times = 0

    def __call__(self, conn: Connection) -> Execution | None:
        self.times += 1
        return find_execution(conn, TENANT, self.execution.execution_id)


def ended(execution: Execution | None) -> bool:
    """Whether it has."""
    return execution is not None and execution.is_terminal


async def test_a_wait_ends_with_the_run_and_reads_only_on_news(library: Library) -> None:
    """ADM-7: a long poll costs a read for each event of its tenant, not one each moment."""
    execution = await accept(library)
    await start(library, execution)
    tail, read = EventTail(library.database), Counted(execution)
    found: list[Execution | None] = []

    async def wait() -> None:
        found.append(await tail.wait_until(read, ended, seconds=30, tenant_id=TENANT))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await anyio.sleep(0.5)
            assert read.times <= 3
            await end(library, execution)
    assert found[0] is not None and found[0].status is RunStatus.SUCCEEDED
    assert read.times <= 5
    await tail.close()


async def test_a_wait_gives_what_stands_when_its_time_is_over(library: Library) -> None:
    execution = await accept(library)
    tail, read = EventTail(library.database), Counted(execution)
    with anyio.fail_after(5):
        found = await tail.wait_until(read, ended, seconds=0.2, tenant_id=TENANT)
    assert found is not None and found.status is RunStatus.PENDING
    await tail.close()


async def test_other_tenants_events_do_not_wake_a_wait(library: Library) -> None:
    execution = await accept(library)
    tail, read = EventTail(library.database), Counted(execution)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: tail.wait_until(read, ended, seconds=1, tenant_id=TENANT))
        for number in range(5):
            await accept(library, f"other-{number}", tenant="other")
            await anyio.sleep(0.1)
    assert read.times <= 3
    await tail.close()


class EndsBetween:
    """A database on which the run ends after the listener's read and before the first look."""

    def __init__(self, library: Library, execution: Execution) -> None:
        self._library = library
        self._execution = execution
        self._ended = anyio.Event()

    async def read(self, work: Work[Any]) -> Any:
        if work is last_event_id:
            await self._ended.wait()
            return await self._library.database.read(work)
        found = await self._library.database.read(work)
        if not self._ended.is_set() and isinstance(work, Counted):
            await end(self._library, self._execution)
            self._ended.set()
        return found


async def test_an_event_between_read_and_first_look_is_not_missed(library: Library) -> None:
    """The shared look begins after a listener's own read; its first turn wakes everybody."""
    execution = await accept(library)
    await start(library, execution)
    tail = EventTail(cast(Database, EndsBetween(library, execution)))
    with anyio.fail_after(RECHECK_EVERY * 0.75):  # before a listener looks again by itself
        await tail.wait_until(Counted(execution), ended, seconds=30, tenant_id=TENANT)
    await tail.close()


async def test_nobody_listening_means_no_queries(library: Library) -> None:
    execution = await accept(library)
    tail = EventTail(library.database, poll_every=0.01)
    await tail.wait_until(Counted(execution), ended, seconds=0.05, tenant_id=TENANT)
    polling = tail._polling
    assert polling is not None
    with anyio.fail_after(5):
        await polling


async def test_hundreds_wait_on_one_look(library: Library) -> None:
    """200 long polls are woken by their own run's end, and share one query every 50 ms."""
    executions = [await accept(library, f"k{number}") for number in range(2)]
    for execution in executions:
        await start(library, execution)
    tail = EventTail(library.database)

    async def wait(read: Counted) -> None:
        found = await tail.wait_until(read, ended, seconds=60, tenant_id=TENANT)
        assert ended(found)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for number in range(200):
                tasks.start_soon(wait, Counted(executions[number % 2]))
            await anyio.sleep(0.2)
            for execution in executions:
                await end(library, execution)
    await tail.close()


async def test_a_run_without_an_execution_of_the_caller_stays_hidden(library: Library) -> None:
    """I11: events of entities that merely exist elsewhere never enter a stream."""
    execution = await accept(library)
    foreign = NewEvent("other", "execution", execution.execution_id, "ExecutionAccepted", "x")
    await library.database.write(lambda conn: library.log.append(conn, foreign))
    tail = EventTail(library.database)
    pages = events.EventPages(tail, TENANT, execution.execution_id, 0)
    page = await pages.next()
    assert {event.tenant_id for event in page.events} == {TENANT}
    await tail.close()
