"""The HTTP application: its routes, and the services it opens and closes with itself."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import structlog
from fastapi import FastAPI

from jobsteward import __version__
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.library import Library, open_library
from jobsteward.runs.model import Lane
from jobsteward.runs.tokens import Token
from jobsteward.runs.uploads import LIMITS
from jobsteward.settings import Settings
from jobsteward_server.admission import AdmissionDesk
from jobsteward_server.dispatcher import Dispatcher
from jobsteward_server.first_tokens import ensure_first_tokens
from jobsteward_server.http import (
    digest,
    drain,
    events,
    executions,
    jobs,
    openapi,
    preferences,
    problems,
    runs,
    schedules,
    system,
    tokens,
    uploads,
)
from jobsteward_server.http.auth import Authenticator
from jobsteward_server.http.boundary import Boundary
from jobsteward_server.http.headers import authority
from jobsteward_server.http.metrics import Metrics
from jobsteward_server.http.services import Services
from jobsteward_server.http.tail import EventTail
from jobsteward_server.mcp import build_server
from jobsteward_server.mcp_http import StreamableHttp, forwarding, streamable_http
from jobsteward_server.notices import notice_forever
from jobsteward_server.scheduler import Scheduler
from jobsteward_worker.connect import wait_for_temporal
from jobsteward_worker.pool import open_pool
from jobsteward_worker.spec import Catalogue

_FAMILIES = (
    executions,
    runs,
    events,
    jobs,
    preferences,
    schedules,
    digest,
    tokens,
    uploads,
    drain,
    system,
)
_CHECKPOINT_EVERY = 2.0
_REFUSED_PAUSE = 5.0

log = structlog.get_logger()


def create_app(settings: Settings, catalogue: Catalogue) -> FastAPI:
    """The application over these settings; its lifespan opens the database and Temporal."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_services(settings, catalogue) as services, mcp.running():
            app.state.services = services
            yield

    app = FastAPI(
        title="jobsteward",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    for family in _FAMILIES:
        app.include_router(family.router)
    mcp = _mcp(app, settings)
    app.router.routes.extend(mcp.routes)
    problems.install(app)
    openapi.install(app)

    def count_request(method: str, route: str, status: int) -> None:
        services: Services = app.state.services
        services.metrics.count_request(method, route, status)

    app.add_middleware(
        Boundary,
        allowed_hosts=lambda: allowed_hosts(settings),
        upload_limits={f"{uploads.router.prefix}/{kind}": size for kind, size in LIMITS.items()},
        count_request=count_request,
    )
    return app


def _mcp(app: FastAPI, settings: Settings) -> StreamableHttp:
    """MCP beside the API, which it calls in this process with the caller's own bearer (MCP-4)."""
    base_url = f"http://{authority(settings.host, settings.port)}"

    async def verify(secret: str) -> Token:
        services: Services = app.state.services
        return await services.authenticator.verify(secret)

    server = build_server(forwarding(app, base_url))
    return streamable_http(server, base_url=base_url, verify=verify, hosts=allowed_hosts(settings))


def allowed_hosts(settings: Settings) -> set[str]:
    """The exact ``host:port`` values this process answers to."""
    names = {settings.host, "127.0.0.1", "localhost"}
    own = {authority(name, settings.port) for name in names}
    return own | set(settings.allowed_hosts)


@asynccontextmanager
async def open_services(settings: Settings, catalogue: Catalogue) -> AsyncIterator[Services]:
    """The services of one API process, with their background tasks, until closed."""
    async with AsyncExitStack() as stack:
        library = await stack.enter_async_context(await open_library(settings))
        await ensure_first_tokens(library)
        metrics = Metrics()
        await metrics.refresh(library)
        dispatcher = Dispatcher(library, catalogue, metrics)
        authenticator = Authenticator(library.database)
        tail = EventTail(library.database)
        stack.push_async_callback(tail.close)
        services = Services(
            library=library,
            catalogue=catalogue,
            authenticator=authenticator,
            dispatcher=dispatcher,
            desk=AdmissionDesk(library, catalogue, dispatcher),
            tail=tail,
            metrics=metrics,
        )
        background = (
            dispatcher.recover_forever(),
            Scheduler(library, services.desk, dispatcher).fire_forever(),
            *([notice_forever(library.database)] if settings.desktop_notices else []),
            authenticator.flush_forever(),
            _checkpoint_forever(library),
            _serve_interactive_lane(services),
        )
        stack.push_async_callback(dispatcher.close)
        for work in background:
            task = asyncio.create_task(work)
            task.add_done_callback(_end_with)
            stack.push_async_callback(_stop, task)
        yield services


async def _serve_interactive_lane(services: Services) -> None:
    """Connect to Temporal as soon as it answers, and run the interactive lane here.

    Its workflow tasks next to admission save a network hop for each start (eager start).
    """
    while True:
        try:
            client = await wait_for_temporal(services.library.settings)
            break
        except ConfigurationError as error:
            log.error("temporal_refused", code=error.code, message=error.message)
            await asyncio.sleep(_REFUSED_PAUSE)
    pool = open_pool(
        client,
        services.library,
        services.catalogue,
        lanes=(Lane.INTERACTIVE,),
        role="api",
        observer=services.metrics,
    )
    async with pool as workers:
        services.dispatcher.client = client
        services.dispatcher.wake()
        await workers.broken()


async def _checkpoint_forever(library: Library) -> None:
    while True:
        await asyncio.sleep(_CHECKPOINT_EVERY)
        await library.database.checkpoint()


def _end_with(task: asyncio.Task[None]) -> None:
    """End the process when its background work broke; whoever watches it starts another.

    An API that goes on without its dispatcher or its lane would look well and do nothing.
    """
    if task.cancelled() or task.exception() is None:
        return
    log.error("background_work_broke", error=type(task.exception()).__name__)
    os.kill(os.getpid(), signal.SIGTERM)


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task], timeout=10)
