"""MCP on standard input and output, for hosts as they are (MCP-7).

What the SDK's own loop leaves out: a clean end on SIGTERM and SIGINT, an error for a line
that is no message, a bound on a line's length, and hosts that ask ``server/discover`` first
and then shake hands in the older way.
"""

import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, BinaryIO, cast

import anyio
import anyio.to_thread
from anyio.abc import ObjectSendStream
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import (
    PARSE_ERROR,
    PROTOCOL_VERSION_META_KEY,
    SERVER_INFO_META_KEY,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
    JSONRPCResponse,
)
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

MAX_LINE = 1 << 20
"""Longest message that is read, in bytes, as for a body of the HTTP API (SEC-8)."""
_DISCOVER = "server/discover"
_SAFE_INTEGER = 1 << 53
_UNREADABLE = f"not a JSON-RPC 2.0 message in one line of at most {MAX_LINE} bytes"


async def run_stdio(
    server: MCPServer[Any], *, beside: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Serve until the host closes standard input; a signal ends the whole process instead.

    ``beside`` runs meanwhile and is cancelled with the rest. Calls in flight end unanswered;
    the runs that they started go on.
    """
    low = server._lowlevel_server
    # The SDK's type wants a file; it only iterates over its lines.
    lines = cast("anyio.AsyncFile[str]", Lines(_claim_stdin()))
    async with stdio_server(stdin=lines) as (read, write):
        signalled = True
        async with anyio.create_task_group() as tasks:
            forward, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            relay = Relay(server, forward, write)
            tasks.start_soon(_end_on_signal, tasks.cancel_scope)
            tasks.start_soon(relay.run, read)
            tasks.start_soon(beside)
            await low.run(incoming, write, low.create_initialization_options())
            signalled = False
            tasks.cancel_scope.cancel()
        if signalled:
            logging.shutdown()
            # A thread still blocks on standard input, and nothing can wake it.
            os._exit(0)


class Lines:
    """The lines of a stream as text; one that is too long comes as an empty one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await anyio.to_thread.run_sync(self._next, abandon_on_cancel=True):
            if line.strip() or len(line) > MAX_LINE:
                yield "" if len(line) > MAX_LINE else line.decode(errors="replace")

    def _next(self) -> bytes:
        line = self._stream.readline(MAX_LINE + 1)
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = self._stream.readline(MAX_LINE + 1)
        return line


class Relay:
    """Passes messages from the wire to the server, and answers what the server would not."""

    def __init__(
        self,
        server: MCPServer[Any],
        forward: MemoryObjectSendStream[SessionMessage | Exception],
        write: ObjectSendStream[SessionMessage],
    ) -> None:
        self._low = server._lowlevel_server
        self._forward = forward
        self._write = write
        self._probing = True

    async def run(self, read: Any) -> None:
        """Relay until the wire is closed."""
        async with self._forward:
            async for item in read:
                answer = self._answer(item)
                if answer is None:
                    await self._forward.send(item)
                else:
                    await self._write.send(SessionMessage(answer))

    def _answer(self, item: SessionMessage | Exception) -> JSONRPCResponse | JSONRPCError | None:
        if isinstance(item, Exception):
            error = ErrorData(code=PARSE_ERROR, message=_UNREADABLE)
            return JSONRPCError(jsonrpc="2.0", id=_id_of_unreadable(item), error=error)
        message = item.message
        if not self._probing or not isinstance(message, JSONRPCRequest):
            return None
        meta = (message.params or {}).get("_meta")
        version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
        if message.method == _DISCOVER and version in MODERN_PROTOCOL_VERSIONS:
            return JSONRPCResponse(jsonrpc="2.0", id=message.id, result=self._discovered(version))
        self._probing = False
        return None

    def _discovered(self, version: str) -> dict[str, Any]:
        """What the server would say, without settling the connection on this protocol."""
        capabilities = self._low.get_capabilities(protocol_version=version)
        result: dict[str, Any] = {
            "resultType": "complete",
            "supportedVersions": list(MODERN_PROTOCOL_VERSIONS),
            "capabilities": capabilities.model_dump(by_alias=True, mode="json", exclude_none=True),
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": {SERVER_INFO_META_KEY: self._low.server_info_stamp},
        }
        if self._low.instructions:
            result["instructions"] = self._low.instructions
        return result


def _id_of_unreadable(error: Exception) -> str | int | None:
    """The id of a request that only Python's lenient reader takes, None without one.

    Models cut text in the middle of an emoji; without its id in the answer, the host waits
    for a call that nothing will ever answer (S24, S26).
    """
    found = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    text = found[0].get("input") if found else None
    try:
        message = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    asked = message.get("id") if isinstance(message, dict) else None
    if isinstance(asked, str):
        return asked if asked.isprintable() else None
    return asked if type(asked) is int and abs(asked) < _SAFE_INTEGER else None


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    wanted = [signal.SIGTERM, signal.SIGINT]
    if sys.platform != "win32":
        wanted.append(signal.SIGHUP)
    try:
        with anyio.open_signal_receiver(*wanted) as received:
            async for _ in received:
                scope.cancel()
                return
    except NotImplementedError:
        # The event loop of Windows; there the end of standard input ends the process.
        return


def _claim_stdin() -> BinaryIO:
    """Standard input for the protocol alone: child processes and stray reads see its end."""
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(private, "rb", closefd=False)
