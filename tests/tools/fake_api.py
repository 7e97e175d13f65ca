"""The HTTP API in memory, of the same wire, for tests of its clients: `FakeApi`."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from jobsteward.client import ApiClient
from jobsteward.runs import wire
from jobsteward.runs.model import TERMINAL, CancelOutcome, RunStatus

BASE_URL = "http://127.0.0.1:8765"
NOW = "2026-11-30T12:00:00.000000Z"
PARKED = {RunStatus.NEEDS_INPUT, RunStatus.AWAITING_APPROVAL}


class FakeApi:
    """Executions and jobs of a few tenants; each bearer token is a tenant of its own."""

    def __init__(self) -> None:
        self.runs: dict[str, wire.RunView] = {}
        self.jobs: list[dict[str, Any]] = []
        self.owners: dict[str, str] = {}
        self.inputs: dict[str, dict[str, Any]] = {}
        self.on_decision: Callable[[str, dict[str, Any]], None] = lambda _run, _decision: None
        self.requests: list[tuple[str, str, str | None]] = []
        """Method, path and idempotency key of each request."""
        self.down = False
        self.answer_with: tuple[int, dict[str, Any]] | None = None
        """A problem that every request gets instead."""
        self._keys: dict[tuple[str, str], str] = {}
        self._changed = anyio.Event()
        self._requested = anyio.Event()
        self.app = Starlette(routes=[*self._run_routes(), *self._other_routes()])
        self.transport = _Wire(self)

    async def has_had(self, requests: int) -> None:
        """Return once that many requests have come in all."""
        while len(self.requests) < requests:
            await self._requested.wait()

    async def canceled(self, execution_id: str) -> None:
        """Return once somebody has asked the run to stop."""
        while self.runs[execution_id].status is not RunStatus.CANCEL_REQUESTED:
            await self._changed.wait()

    def note(self, request: httpx.Request) -> None:
        """Keep the request in `requests`."""
        key = request.headers.get("idempotency-key")
        self.requests.append((request.method, request.url.path, key))
        self._requested.set()
        self._requested = anyio.Event()

    def client(self, token: str | None = "alice") -> ApiClient:
        """A client of one tenant."""
        return ApiClient(BASE_URL, token, transport=self.transport)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[ApiClient]:
        """A client factory for a server under test."""
        async with self.client() as client:
            yield client

    def add_run(self, number: int, owner: str = "alice", **facts: Any) -> wire.RunView:
        """A run with a readable receipt."""
        execution_id = f"exe_{number:032x}"
        view = wire.RunView.model_validate(
            {
                "execution_id": execution_id,
                "run_id": f"run-{number}",
                "workflow": "discover",
                "status": "running",
                "terminal": False,
                "stuck": False,
                "created_at": NOW,
                "started_at": None,
                "ended_at": None,
                "error": None,
                "result": None,
                "metadata": {
                    "lane": "interactive",
                    "priority": 5,
                    "summary": {},
                    "startup": {},
                },
                "events_path": f"/api/v1/workflow-runs/{execution_id}/events",
                "as_of": NOW,
            }
            | facts
        )
        self.runs[execution_id] = view
        self.owners[execution_id] = owner
        return view

    def move(self, execution_id: str, status: RunStatus, **facts: Any) -> None:
        """Put the run into another state and wake who waits for it."""
        changes: dict[str, Any] = {"status": status, "terminal": status in TERMINAL}
        if status in TERMINAL:
            changes["ended_at"] = NOW
        self.runs[execution_id] = self.runs[execution_id].model_copy(update=changes | facts)
        self._changed.set()
        self._changed = anyio.Event()

    def add_job(self, number: int, **facts: Any) -> dict[str, Any]:
        """A job as the API shows it in full."""
        job = {
            "job_id": f"job_{number:024x}",
            "title": f"Engineer {number}",
            "company": "Acme",
            "locations": ["Utrecht"],
            "remote": "unknown",
            "workplace": None,
            "employment_type": None,
            "department": None,
            "pay": [],
            "url": f"https://jobs.acme.example/{number}",
            "posted_at": None,
            "first_seen_at": NOW,
            "last_seen_at": NOW,
            "description_missing": False,
            "provider": "greenhouse",
            "board": "acme",
            "posting_id": str(number),
            "apply_url": f"https://jobs.acme.example/{number}/apply",
            "updated_at": None,
            "version": 1,
            "description": "Build things.",
        } | facts
        self.jobs.append(job)
        return job

    def _run_routes(self) -> list[Route]:
        runs = f"{wire.API}/workflow-runs"
        return [
            Route(f"{wire.API}/workflows/{{name}}/execute", self._execute, methods=["POST"]),
            Route(runs, self._list_runs),
            Route(f"{runs}/{{any_id}}", self._get_run),
            Route(f"{runs}/{{any_id}}/why", self._why),
            Route(f"{runs}/{{any_id}}/cancel", self._cancel, methods=["POST"]),
            Route(f"{runs}/{{any_id}}/decisions", self._decide, methods=["POST"]),
        ]

    def _other_routes(self) -> list[Route]:
        return [
            Route(f"{wire.API}/workflows", self._workflows),
            Route(f"{wire.API}/jobs", self._list_jobs),
            Route(f"{wire.API}/jobs/{{job_id}}", self._get_job),
        ]

    async def _execute(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name != "discover":
            return _problem(404, "unknown_workflow", "no workflow of that name", near=["discover"])
        body = await request.json()
        tenant = _tenant(request)
        key = request.headers.get("idempotency-key")
        first = self._keys.get((tenant, key)) if key else None
        if first and self.inputs[first] != body["inputs"]:
            return _problem(
                409, "idempotency_key_reused", "the key names other work", execution_id=first
            )
        if not first:
            view = self.add_run(len(self.runs) + 1, tenant, status="pending")
            self.inputs[view.execution_id] = body["inputs"]
            if key:
                self._keys[tenant, key] = view.execution_id
        receipt = wire.Receipt(
            execution_id=first or view.execution_id,
            workflow=name,
            replayed=bool(first),
            run_path="/",
            events_path="/",
        )
        return JSONResponse(receipt.model_dump())

    async def _list_runs(self, request: Request) -> Response:
        status = request.query_params.get("status")
        mine = [
            view
            for view in reversed(self.runs.values())
            if self._owns(request, view) and status in {None, view.status}
        ]
        start, limit = int(request.query_params.get("cursor", "0")), _limit(request)
        end = start + limit
        page = wire.RunPage(
            items=mine[start:end], next_cursor=str(end) if end < len(mine) else None
        )
        return JSONResponse(page.model_dump(mode="json"))

    async def _get_run(self, request: Request) -> Response:
        view = self._find(request)
        if view is None:
            return _problem(404, "not_found", "no such run; list yours")
        with anyio.move_on_after(float(request.query_params.get("wait", "0"))):
            while not (view.terminal or view.status in PARKED):
                await self._changed.wait()
                view = self.runs[view.execution_id]
        return JSONResponse(self.runs[view.execution_id].model_dump(mode="json"))

    async def _why(self, request: Request) -> Response:
        view = self._find(request)
        if view is None:
            return _problem(404, "not_found", "no such run; list yours")
        reason = wire.Reason(
            execution_id=view.execution_id,
            status=view.status,
            why="A slot is not free.",
            next="Wait.",
            code="no_slot",
        )
        return JSONResponse(reason.model_dump())

    async def _cancel(self, request: Request) -> Response:
        view = self._find(request)
        if view is None:
            return _problem(404, "not_found", "no such run; list yours")
        if view.terminal:
            came_to = CancelOutcome.ALREADY_TERMINAL
        else:
            came_to = CancelOutcome.CANCEL_REQUESTED
            self.move(view.execution_id, RunStatus.CANCEL_REQUESTED)
        answer = wire.CancelAnswer(outcome=came_to, status=self.runs[view.execution_id].status)
        return JSONResponse(answer.model_dump())

    async def _decide(self, request: Request) -> Response:
        view = self._find(request)
        if view is None:
            return _problem(404, "not_found", "no such run; list yours")
        decision = await request.json()
        self.on_decision(view.execution_id, decision)
        return JSONResponse(
            {"gate_id": decision["gate_id"], "decision": "answer", "replayed": False}
        )

    async def _workflows(self, _: Request) -> Response:
        entry = wire.WorkflowEntry(
            name="discover",
            description="Read job boards.",
            lane="interactive",
            spendful=False,
            input_schema={"type": "object", "properties": {"boards": {"type": "array"}}},
        )
        return JSONResponse({"items": [entry.model_dump()]})

    async def _list_jobs(self, request: Request) -> Response:
        start, limit = int(request.query_params.get("cursor", "0")), _limit(request)
        end = start + limit
        hidden = {"provider", "board", "posting_id", "apply_url", "updated_at", "version"}
        rows = [
            {name: job[name] for name in job if name not in {*hidden, "description"}}
            for job in self.jobs[start:end]
        ]
        more = str(end) if end < len(self.jobs) else None
        return JSONResponse({"items": rows, "next_cursor": more})

    async def _get_job(self, request: Request) -> Response:
        wanted = request.path_params["job_id"]
        for job in self.jobs:
            if job["job_id"] == wanted:
                return JSONResponse(job)
        return _problem(404, "not_found", "there is no such job; search_jobs lists those there are")

    def _find(self, request: Request) -> wire.RunView | None:
        wanted = request.path_params["any_id"]
        for view in self.runs.values():
            if wanted in {view.execution_id, view.run_id} and self._owns(request, view):
                return view
        return None

    def _owns(self, request: Request, view: wire.RunView) -> bool:
        return self.owners[view.execution_id] == _tenant(request)


class _Wire(httpx.AsyncBaseTransport):
    """Takes requests to the application, unless the API is to be down or in trouble."""

    def __init__(self, api: FakeApi) -> None:
        self._api = api
        self._inner = httpx.ASGITransport(app=api.app)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        api = self._api
        if api.down:
            raise httpx.ConnectError("refused", request=request)
        api.note(request)
        if api.answer_with:
            status, body = api.answer_with
            return httpx.Response(status, json=body, request=request)
        return await self._inner.handle_async_request(request)


def _tenant(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def _limit(request: Request) -> int:
    return int(request.query_params.get("limit", "50"))


def _problem(status: int, code: str, detail: str, **more: Any) -> Response:
    return JSONResponse({"status": status, "code": code, "detail": detail, **more}, status)
