"""The bare floor: a handler, Temporal and nothing of ours, in a process of its own.

``same`` has the shape of our path: handler, one committed row, start, one marker row, first
step, one outcome row. ``minimum`` has handler, start and first step. Server, queue, worker
options and eager start are those of the product, so that only our own work differs.
"""

import asyncio
import json
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.service import GrpcCompression
from temporalio.worker import Worker, WorkerTuner
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from benchmarks.marks import Marker, now

BACKLOG_QUEUE = "bare-backlog"
_SECONDS_30 = timedelta(seconds=30)
_TABLES = """
CREATE TABLE IF NOT EXISTS executions (id TEXT PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS marks (id TEXT NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (id, kind));
"""


class Rows:
    """A SQLite file with durable commits (WAL, synchronous=FULL), written by one thread."""

    def __init__(self, path: Path) -> None:
        self._writer = ThreadPoolExecutor(1)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.executescript(_TABLES)

    async def insert(self, statement: str, *values: str) -> None:
        """One row, committed."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writer, self._insert, statement, values)

    def _insert(self, statement: str, values: tuple[str, ...]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(statement, values)
        self._connection.execute("COMMIT")


class BareSteps:
    """The steps of the bare workflows."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._marker = Marker()

    @activity.defn
    async def bare_marker(self, execution_id: str) -> None:
        """Commit the start."""
        await self._rows.insert("INSERT INTO marks VALUES (?, 'started')", execution_id)

    @activity.defn
    async def bare_step(self, execution_id: str) -> None:
        """Entered; nothing else."""
        self._marker.send(execution_id, now())

    @activity.defn
    async def bare_outcome(self, execution_id: str) -> None:
        """Commit the end."""
        await self._rows.insert("INSERT INTO marks VALUES (?, 'ended')", execution_id)


@workflow.defn
class BareSame:
    """Marker, step, outcome."""

    @workflow.run
    async def run(self, execution_id: str) -> None:
        """The same shape as one of our runs."""
        await workflow.execute_local_activity_method(
            BareSteps.bare_marker, execution_id, start_to_close_timeout=_SECONDS_30
        )
        await workflow.execute_activity_method(
            BareSteps.bare_step, execution_id, start_to_close_timeout=_SECONDS_30
        )
        await workflow.execute_activity_method(
            BareSteps.bare_outcome, execution_id, start_to_close_timeout=_SECONDS_30
        )


@workflow.defn
class BareMinimum:
    """One step."""

    @workflow.run
    async def run(self, execution_id: str) -> None:
        """The least that a durable step takes."""
        await workflow.execute_activity_method(
            BareSteps.bare_step, execution_id, start_to_close_timeout=_SECONDS_30
        )


WORKFLOWS: dict[str, Any] = {"same": BareSame.run, "minimum": BareMinimum.run}


async def connect(address: str, namespace: str) -> Client:
    """A client with the product's converter and no compression."""
    return await Client.connect(
        address,
        namespace=namespace,
        data_converter=pydantic_data_converter,
        grpc_compression=GrpcCompression.NONE,
    )


def bare_worker(client: Client, rows: Rows, queue: str) -> Worker:
    """One worker with the product's options and no interceptor."""
    steps = BareSteps(rows)
    return Worker(
        client,
        task_queue=queue,
        workflows=[BareSame, BareMinimum],
        activities=[steps.bare_marker, steps.bare_step, steps.bare_outcome],
        workflow_runner=SandboxedWorkflowRunner(
            SandboxRestrictions.default.with_passthrough_all_modules()
        ),
        tuner=WorkerTuner.create_fixed(
            workflow_slots=20, activity_slots=16, local_activity_slots=16
        ),
        max_cached_workflows=1000,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        graceful_shutdown_timeout=timedelta(seconds=1),
    )


def application(shape: str, address: str, namespace: str, path: Path) -> Starlette:
    """``POST /execute`` answers with a receipt; ``GET /ended/ID`` once the run has ended."""
    rows = Rows(path)
    queue = f"bare-{shape}"
    state: dict[str, Client] = {}
    starts: set[asyncio.Task[Any]] = set()

    async def start(execution_id: str) -> None:
        await state["client"].start_workflow(
            WORKFLOWS[shape],
            execution_id,
            id=execution_id,
            task_queue=queue,
            request_eager_start=True,
        )

    async def execute(request: Request) -> JSONResponse:
        body = await request.json()
        execution_id = f"bare_{secrets.token_hex(16)}"
        if shape == "same":
            statement = "INSERT INTO executions VALUES (?, ?)"
            await rows.insert(statement, execution_id, json.dumps(body))
        task = asyncio.create_task(start(execution_id))
        starts.add(task)
        task.add_done_callback(starts.discard)
        return JSONResponse({"execution_id": execution_id})

    async def ended(request: Request) -> JSONResponse:
        handle = state["client"].get_workflow_handle(request.path_params["id"])
        await handle.result()
        return JSONResponse({"ended": True})

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        state["client"] = await connect(address, namespace)
        async with bare_worker(state["client"], rows, queue):
            yield

    routes = [
        Route("/execute", execute, methods=["POST"]),
        Route("/ended/{id}", ended),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


async def work(address: str, namespace: str, path: str) -> None:
    """Run bare workflows of the backlog queue until cancelled."""
    client = await connect(address, namespace)
    async with bare_worker(client, Rows(Path(path)), BACKLOG_QUEUE):
        await asyncio.Event().wait()


def serve(shape: str, address: str, namespace: str, path: str, port: str) -> None:
    """Serve the floor on that port until SIGTERM."""
    app = application(shape, address, namespace, Path(path))
    uvicorn.run(app, port=int(port), log_level="warning", http="httptools")
    os._exit(0)
