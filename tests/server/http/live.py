"""A real server on a free port, in this process, and a client that writes raw bytes."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
from anyio.abc import TaskStatus
from fastapi import FastAPI

from jobsteward.settings import Settings
from jobsteward_server.http.serve import Server, bind


@dataclass(frozen=True)
class Live:
    """A server that accepts connections."""

    server: Server
    port: int
    host: str
    """Its good Host value."""

    async def connect(self) -> "Wire":
        """A new connection."""
        return Wire(await anyio.connect_tcp("127.0.0.1", self.port), self.host)

    async def ask(self, *parts: bytes, within: float = 5) -> "Reply":
        """The answer to these bytes on a connection of their own; ``%H`` is the good Host."""
        wire = await self.connect()
        try:
            with anyio.fail_after(within):
                for part in parts:
                    await wire.send(part)
                return await wire.reply()
        finally:
            await wire.close()


@dataclass(frozen=True)
class Reply:
    """One answer. ``status`` is 0 where the connection closed without any."""

    status: int
    head: bytes
    body: bytes
    closed: bool

    @property
    def document(self) -> dict[str, Any]:
        """The body as JSON."""
        return dict(json.loads(self.body))

    def header(self, name: str) -> str:
        """The header's value, "" without it."""
        found = re.search(rb"(?im)^" + name.encode() + rb": *(.*?)\r$", self.head)
        return found[1].decode() if found else ""


class Wire:
    """One raw connection."""

    def __init__(self, stream: anyio.abc.SocketStream, host: str) -> None:
        self.stream = stream
        self._host = host.encode()
        self._unread = b""

    async def send(self, data: bytes) -> None:
        """Write the bytes; a connection that was closed meanwhile shows in the reply."""
        try:
            await self.stream.send(data.replace(b"%H", self._host))
        except anyio.BrokenResourceError:
            return

    async def reply(self) -> Reply:
        """The next answer: its head, and its body by Content-Length or to the end."""
        head = await self._until(b"\r\n\r\n")
        if not head:
            return Reply(0, b"", b"", closed=True)
        length = re.search(rb"(?i)content-length: (\d+)", head)
        body = await self._exactly(int(length[1])) if length else await self.rest()
        closing = b"connection: close" in head.lower()
        if closing:
            await self.rest()
        return Reply(int(head.split(b" ")[1]), head, body, closed=closing)

    async def closed_by_server(self) -> bool:
        """Whether the server ends the connection (waits for that)."""
        await self.rest()
        return True

    async def close(self) -> None:
        """Hang up."""
        await self.stream.aclose()

    async def line(self) -> bytes:
        """The next line, without its end."""
        return (await self._until(b"\n")).strip()

    async def _more(self) -> bool:
        try:
            self._unread += await self.stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return False
        return True

    async def _until(self, mark: bytes) -> bytes:
        while mark not in self._unread:
            if not await self._more():
                return b""
        found, _, self._unread = self._unread.partition(mark)
        return found + mark

    async def _exactly(self, length: int) -> bytes:
        while len(self._unread) < length and await self._more():
            pass
        found, self._unread = self._unread[:length], self._unread[length:]
        return found

    async def rest(self) -> bytes:
        """All that still comes, up to the end of the connection."""
        while await self._more():
            pass
        found, self._unread = self._unread, b""
        return found


@asynccontextmanager
async def live(app: FastAPI, host: str | None = None) -> AsyncIterator[Live]:
    """The app on a real socket until the block ends; ``host`` where it answers to another."""
    listener = bind(Settings(port=0))
    port = listener.getsockname()[1]
    accepting = anyio.Event()
    server = Server(app, accepting.set)

    async def run(*, task_status: TaskStatus[None]) -> None:
        async with anyio.create_task_group() as inner:
            inner.start_soon(lambda: server.serve(sockets=[listener]))
            await accepting.wait()
            task_status.started()

    async with anyio.create_task_group() as tasks:
        with anyio.fail_after(10):
            await tasks.start(run)
        try:
            yield Live(server, port, host or f"127.0.0.1:{port}")
        finally:
            server.should_exit = True
