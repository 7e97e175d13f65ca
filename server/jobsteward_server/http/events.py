"""The stream of an execution's events as server-sent events, resumable (OBS-3)."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from sqlalchemy import Connection
from starlette.responses import Response, StreamingResponse

from jobsteward.kernel.errors import (
    AuthenticationError,
    InvalidInputError,
    NotFoundError,
    StorageError,
)
from jobsteward.kernel.events import Event
from jobsteward.runs import wire
from jobsteward.runs.model import FIRST_STEP, Execution
from jobsteward.runs.views import find_execution
from jobsteward.store.event_log import events_after
from jobsteward_server.http.auth import bearer
from jobsteward_server.http.services import Reader, WithServices
from jobsteward_server.http.tail import RECHECK_EVERY, Entity, EventTail

router = APIRouter(prefix=f"{wire.API}/workflow-runs", tags=["workflow runs"])

PING_EVERY = 15.0
"""Seconds between two signs of life; the token is looked at again each time."""
_BATCH = 200
_MAX_EVENT_ID = 2**63 - 1
_NAMES: Mapping[str, str] = {FIRST_STEP: "started"}
"""Event types that the stream calls otherwise (ADM-5); the data keeps the type."""

_DOCUMENTED: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "EventView documents as they come"},
    204: {"description": "The run has ended and nothing follows the given id"},
}


@router.get("/{any_id}/events", response_class=StreamingResponse, responses=_DOCUMENTED)
async def run_events(
    any_id: str, request: Request, token: Reader, services: WithServices
) -> Response:
    """The run's events from the one after ``Last-Event-ID``, then those that follow, until the
    run has ended."""
    after = _last_event_id(request)
    pages = EventPages(services.tail, token.tenant_id, any_id, after)
    first = await pages.next()
    if first.ended and not first.events:
        return Response(status_code=204)
    verify = services.authenticator.verify
    return StreamingResponse(
        _frames(pages, first, lambda: verify(bearer(request))),
        media_type="text/event-stream",
        headers={"cache-control": "no-store", "x-accel-buffering": "no"},
    )


@dataclass(frozen=True, slots=True)
class Page:
    """Events in log order. ``ended`` says that none will follow them."""

    events: list[Event]
    ended: bool


class EventPages:
    """Reads an execution's events page by page: its own, and its run's once it has one."""

    def __init__(self, tail: EventTail, tenant_id: str, any_id: str, after: int) -> None:
        self.tail = tail
        self.tenant_id = tenant_id
        self.entities: frozenset[Entity] | None = None
        """Whose events to wait for; None until a run serves the execution."""
        self._any_id = any_id
        self._after = after

    async def next(self) -> Page:
        """What is there now beyond the last page. Raises NotFoundError for a foreign id."""
        execution, events = await self.tail.database.read(self._read)
        if events:
            self._after = events[-1].event_id
        if execution.run_id:
            self.entities = frozenset(_entities(execution))
        return Page(events, ended=execution.is_terminal and len(events) < _BATCH)

    def _read(self, conn: Connection) -> tuple[Execution, list[Event]]:
        execution = find_execution(conn, self.tenant_id, self._any_id)
        if execution is None:
            raise NotFoundError("no such run; list yours with GET /api/v1/workflow-runs")
        events = events_after(conn, self.tenant_id, _entities(execution), self._after, _BATCH)
        return execution, events


def _entities(execution: Execution) -> list[Entity]:
    own = [("execution", execution.execution_id)]
    return [*own, ("run", execution.run_id)] if execution.run_id else own


async def _frames(
    pages: EventPages, page: Page, still_allowed: Callable[[], Awaitable[object]]
) -> AsyncIterator[str]:
    yield ": open\n\n"
    checked_at = time.monotonic()
    with pages.tail.listen(pages.tenant_id) as listener:
        listener.wake()  # what came since the first page was read
        # The headers have left: all that can be done is to end, and the client resumes.
        with suppress(StorageError, AuthenticationError, NotFoundError):
            while True:
                for event in page.events:
                    yield frame(event)
                if page.ended or pages.tail.stopping:
                    return
                if len(page.events) < _BATCH:
                    await listener.wait(RECHECK_EVERY)
                if time.monotonic() - checked_at > PING_EVERY - RECHECK_EVERY:
                    await still_allowed()
                    yield ": ping\n\n"
                    checked_at = time.monotonic()
                page = await pages.next()
                listener.entities = pages.entities


def frame(event: Event) -> str:
    """The event as one server-sent message; its id is what a client resumes from."""
    view = wire.EventView(
        event_id=event.event_id,
        seq=event.seq,
        type=event.event_type,
        occurred_at=event.occurred_at,
        payload=dict(event.payload),
    )
    name = _NAMES.get(event.event_type, event.event_type)
    return f"id: {event.event_id}\nevent: {name}\ndata: {view.model_dump_json()}\n\n"


def _last_event_id(request: Request) -> int:
    text = request.headers.get("last-event-id", "") or "0"
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _MAX_EVENT_ID):
        raise InvalidInputError(
            "resume from an id that the stream gave, or from none",
            {"last-event-id": "must be a whole number"},
        )
    return int(text)
