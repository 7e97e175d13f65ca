"""A bare TCP server that answers with the bytes of a test's own script."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from anyio.abc import ByteStream, SocketStream

Script = Callable[[SocketStream, bytes], Awaitable[None]]


@asynccontextmanager
async def raw_server(script: Script) -> AsyncIterator[str]:
    """An origin on this machine; ``script`` gets each connection and its request head."""
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)

        async def serve(stream: SocketStream) -> None:
            async with stream:
                try:
                    await script(stream, await _head(stream))
                except (anyio.BrokenResourceError, anyio.EndOfStream):
                    return  # the client hung up, as several tests want

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, serve)
            yield f"http://127.0.0.1:{port}"
            tasks.cancel_scope.cancel()


async def _head(stream: ByteStream) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        head += await stream.receive()
    return head


def reply(body: bytes = b"", status: int = 200, **headers: str) -> bytes:
    """An HTTP/1.1 answer; header names are given with underscores."""
    lines = [f"HTTP/1.1 {status} Anything"]
    headers.setdefault("content_length", str(len(body)))
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body
