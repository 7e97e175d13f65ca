"""A TCP proxy before Temporal that can forward, refuse, or take everything and answer nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

_CHUNK = 65536


class Proxy:
    """Use `proxy` to open one."""

    def __init__(self, host: str, port: int) -> None:
        self._upstream = (host, port)
        self._server: asyncio.Server | None = None
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._streams: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        """Listen, on the same port as before if there was one."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def refuse(self) -> None:
        """End every connection and refuse new ones."""
        if self._server:
            self._server.close()
            self._server = None
        for stream in list(self._streams):
            stream.transport.abort()

    def swallow(self) -> None:
        """From now on no byte passes, in neither direction; connections stay open."""
        self._flowing.clear()

    def flow(self) -> None:
        """Let everything pass again, what was held back first."""
        self._flowing.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await self._flowing.wait()
            far_reader, far_writer = await asyncio.open_connection(*self._upstream)
            self._streams |= {writer, far_writer}
            pumps = (self._pump(reader, far_writer), self._pump(far_reader, writer))
            await asyncio.gather(*pumps, return_exceptions=True)
            self._streams -= {writer, far_writer}
        writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def proxy(address: str) -> AsyncIterator[Proxy]:
    """A proxy that forwards to ``host:port`` until told otherwise."""
    host, _, port = address.rpartition(":")
    opened = Proxy(host, int(port))
    await opened.open()
    try:
        yield opened
    finally:
        opened.flow()
        await opened.refuse()
