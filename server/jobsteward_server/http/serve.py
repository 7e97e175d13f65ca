"""The API process: binds, serves and stops within five seconds of being told to."""

import asyncio
import contextlib
import errno
import gc
import ipaddress
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn
from fastapi import FastAPI

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import LOOPBACK_HOSTS, Settings
from jobsteward_server.http.app import create_app
from jobsteward_server.http.headers import authority
from jobsteward_server.http.protocol import BoundedProtocol
from jobsteward_worker.spec import Catalogue

MAX_CONNECTIONS = 1_000
IDLE_TIMEOUT = 14
"""Seconds a connection stays open between two requests."""
GRACE = 3
"""Seconds that requests have to finish after SIGTERM."""
STOP_WITHIN = 4.8
"""Seconds after SIGTERM at which the process ends whatever it still does."""


def main(settings: Settings, catalogue: Catalogue) -> None:
    """Serve until SIGTERM or SIGINT, then end the process with exit code 0.

    Raises ConfigurationError, before anything is served, where the address, the database or
    the directory will not do. Does not return otherwise.
    """
    check_address(settings)
    with bind(settings) as listener:
        actual = settings.model_copy(update={"port": listener.getsockname()[1]})
        app = create_app(actual, catalogue)
        asyncio.run(serve(app, listener, announce=lambda: _announce(actual)))
    # Temporal's native runtime may crash while the interpreter unloads it.
    sys.stdout.flush()
    sys.stderr.flush()
    gc.collect()
    os._exit(0)


async def serve(app: FastAPI, listener: socket.socket, *, announce: Callable[[], None]) -> None:
    """Serve the app on the bound socket until a signal; its lifespan spans the whole.

    The lifespan is entered here and not by the server, which would bury a ConfigurationError
    under tracebacks (ADM-11).
    """
    server = Server(app, announce)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.stop)
    async with app.router.lifespan_context(app):
        if not server.should_exit:
            await server.serve(sockets=[listener])


class Server(uvicorn.Server):
    """uvicorn's server for one app, stopped by `stop` alone."""

    def __init__(self, app: FastAPI, announce: Callable[[], None]) -> None:
        super().__init__(server_config(app))
        self._app = app
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, and say so."""
        await super().startup(sockets)
        self._announce()

    def stop(self) -> None:
        """Take nothing new, let requests finish, end streams and waits; a second call and the
        clock end the process at once."""
        if self.should_exit:
            os._exit(0)
        self.should_exit = True
        overdue = threading.Timer(STOP_WITHIN, os._exit, [0])
        overdue.daemon = True
        overdue.start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and long polls first: they would hold the connections open."""
        services = getattr(self._app.state, "services", None)
        if services is not None:
            services.tail.stop()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to `serve`; uvicorn would raise them again and die by them."""
        yield


def server_config(app: FastAPI) -> uvicorn.Config:
    """How uvicorn serves us: our protocol, no access log, no word about itself."""
    return uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=IDLE_TIMEOUT,
        timeout_graceful_shutdown=GRACE,
    )


def check_address(settings: Settings) -> None:
    """Refuse to listen beyond this machine without a list of the names that may be used (S13)."""
    if not is_loopback(settings.host) and not settings.allowed_hosts:
        raise ConfigurationError(
            "JOBSTEWARD_HOST leads beyond this machine: also set JOBSTEWARD_ALLOWED_HOSTS to the"
            ' exact names clients use, e.g. ["steward.example:8765"], or listen on 127.0.0.1'
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    if host in LOOPBACK_HOSTS:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bind(settings: Settings) -> socket.socket:
    """A socket on the settings' address that does not accept yet; port 0 takes a free one."""
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        return _bound(found[0][0], found[0][4])
    except OSError as error:
        raise ConfigurationError(_cannot_bind(error, settings.port)) from error


def _bound(family: int, address: tuple[Any, ...]) -> socket.socket:
    # The protocol is named because asyncio sets TCP_NODELAY only where it is: without it every
    # second answer waits 40 ms for the client's delayed acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    return listener


def _cannot_bind(error: OSError, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken: set JOBSTEWARD_PORT to another one, or to 0 for any"
    return "cannot listen on JOBSTEWARD_HOST: set it to an address of this machine"


def _announce(settings: Settings) -> None:
    print(f"listening url=http://{authority(settings.host, settings.port)}", flush=True)
