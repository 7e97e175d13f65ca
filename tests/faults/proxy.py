"""A TCP proxy of our own between a client and a server on this machine, to cut the line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum

import anyio
from anyio.abc import SocketAttribute, SocketStream


class Line(Enum):
    """What the line does with connections, open and new ones."""

    WHOLE = "whole"
    REFUSED = "refused"
    """Every connection is closed at once."""
    BLACK_HOLE = "black hole"
    """Connections stay open and swallow everything."""
    DEAF = "deaf"
    """Requests go through; answers are swallowed."""


class Proxy:
    """Forwards to ``target``, as long as its line is whole. Use `open_proxy`."""

    def __init__(self, target: str) -> None:
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._line = Line.WHOLE
        self._open: set[SocketStream] = set()
        self.address = ""

    async def cut(self, line: Line) -> None:
        """Change the line; refusing also closes what is open."""
        self._line = line
        if line is Line.REFUSED:
            await self._close_all()

    async def heal(self) -> None:
        """Forward again. What was swallowed is lost: connections of before are closed."""
        self._line = Line.WHOLE
        await self._close_all()

    async def _close_all(self) -> None:
        for stream in list(self._open):
            await stream.aclose()

    async def serve(self, client: SocketStream) -> None:
        """One connection, until either side ends it."""
        async with client:
            if self._line is Line.REFUSED:
                return
            async with await anyio.connect_tcp(*self._target) as server:
                self._open |= {client, server}
                async with anyio.create_task_group() as group:
                    group.start_soon(self._pump, client, server, {Line.WHOLE, Line.DEAF})
                    group.start_soon(self._pump, server, client, {Line.WHOLE})
                self._open -= {client, server}

    async def _pump(self, source: SocketStream, sink: SocketStream, through: set[Line]) -> None:
        ends = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)
        try:
            while True:
                data = await source.receive()
                if self._line in through:
                    await sink.send(data)
        except ends:
            await sink.aclose()
            await source.aclose()


@asynccontextmanager
async def open_proxy(target: str) -> AsyncIterator[Proxy]:
    """A proxy to ``host:port`` that accepts connections until the block ends."""
    proxy = Proxy(target)
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        proxy.address = f"127.0.0.1:{listener.extra(SocketAttribute.local_port)}"
        async with anyio.create_task_group() as group:
            group.start_soon(listener.serve, proxy.serve)
            yield proxy
            group.cancel_scope.cancel()
