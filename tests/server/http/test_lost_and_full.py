"""Answers that never arrive and disks that are full, seen from a client (F22, F32)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import pytest
from pydantic import BaseModel
from sqlalchemy import Connection, event, func, select
from temporalio import workflow

from jobsteward.runs.tables import EXECUTIONS
from jobsteward.settings import Settings
from jobsteward.store.engine import SqliteDatabase
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_worker.spec import Catalogue, WorkflowSpec, WorkflowStart
from tests.server.http.live import live
from tests.support.api import BASE, Api, open_api

pytestmark = pytest.mark.anyio


class NoteInputs(BaseModel):
    """One text."""

    text: str


@workflow.defn
class NoteWorkflow:
    """Never runs here."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> None:
        """End at once."""


CATALOGUE = Catalogue([WorkflowSpec("note", "Keeps a text.", NoteWorkflow, NoteInputs)])
PATH = "/api/v1/workflows/note/execute"


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[Api]:
    """The application, with no Temporal behind it."""
    async with open_api(settings, CATALOGUE) as opened:
        yield opened


def count(conn: Connection) -> int:
    """How many executions there are."""
    return conn.scalar(select(func.count()).select_from(EXECUTIONS)) or 0


async def test_a_client_that_lost_its_answer_gets_the_same_receipt(api: Api) -> None:
    """F22: the connection dies after the commit; the retry with the same key joins it."""
    body = b'{"inputs":{"text":"hello"}}'
    secret = api.secret(AGENT_FILE)
    async with live(api.app, BASE.removeprefix("http://")) as running:
        wire = await running.connect()
        head = (
            f"POST {PATH} HTTP/1.1\r\nHost: %H\r\nAuthorization: Bearer {secret}\r\n"
            "Content-Type: application/json\r\nIdempotency-Key: lost-1\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        await wire.send(head.encode() + body)
        committed = await api.services.tail.wait_until(count, lambda rows: rows == 1, seconds=5)
        await wire.close()  # the answer was never read
        assert committed == 1
    async with api.http(secret) as http:
        headers = {"idempotency-key": "lost-1", "content-type": "application/json"}
        retried = await http.post(PATH, content=body, headers=headers)
    assert retried.status_code == 200
    assert retried.json()["replayed"] is True
    assert retried.headers["idempotent-replayed"] == "true"
    assert await api.services.library.database.read(count) == 1


@contextmanager
def full_disk(database: SqliteDatabase) -> Iterator[None]:
    """The database file cannot grow by a single page."""

    def no_growth(conn: Connection) -> None:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
        conn.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    def growth(conn: Connection) -> None:
        conn.exec_driver_sql("PRAGMA max_page_count=1073741823")

    event.listen(database._engine, "begin", no_growth)
    try:
        yield
    finally:
        event.remove(database._engine, "begin", no_growth)
        event.listen(database._engine, "begin", growth)


async def test_a_full_disk_is_a_503_that_says_when_to_come_back(api: Api) -> None:
    """F32: refused with Retry-After and nothing written; reads go on; it recovers by itself."""
    database = api.services.library.database
    if not isinstance(database, SqliteDatabase):
        pytest.skip("only SQLite's file can be kept from growing here")
    request = {"inputs": {"text": "x" * 60_000}}
    async with api.http(api.secret(AGENT_FILE)) as http:
        with full_disk(database):
            refused = await http.post(PATH, json=request)
            assert (refused.status_code, refused.json()["code"]) == (503, "storage_full")
            assert int(refused.headers["retry-after"]) > 0
            assert (await http.get("/api/v1/workflow-runs")).json()["items"] == []
        assert (await http.post(PATH, json=request)).status_code == 200
    assert await api.services.library.database.read(count) == 1
