"""The first thing every request meets: who it says it talks to, how much it sends, how fast.

Refuses before any route runs: a foreign Host (421) or Origin (403), so that no web page
reaches the API through a browser (SEC-2); a second or malformed Idempotency-Key (400, ADM-3);
a body that is not JSON (415), too long (413) or too slow (408, SEC-8). What passes reaches the
application with its whole body, and with the times of its arrival (OBS-1).
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward_server.http.headers import (
    Headers,
    check_declared_length,
    check_host,
    check_json_type,
    check_origin,
    check_size,
    check_target,
    check_transfer_coding,
    idempotency_key,
    too_large,
    too_slow,
)
from jobsteward_server.http.problems import Problem, ProblemError

MAX_BODY = 1024 * 1024
BODY_TIMEOUT = 14.0
"""Seconds for a whole body; the connection is closed before 15 have passed (S27)."""
JSON_PATHS = ("/api/", "/mcp")
"""Where a body must be JSON: a page's form or ``no-cors`` fetch can only send other types."""

_DRAIN_BYTES = 16 * 1024 * 1024
_DRAIN_SECONDS = 1.0
_REFUSED_ROUTE = "(refused)"
_UNKNOWN_ROUTE = "(unknown)"

CountRequest = Callable[[str, str, int], None]

_SECURITY_HEADERS: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_API_HEADERS: Headers = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
]


class Boundary:
    """ASGI middleware to be put around everything else.

    Sets in the request's state: ``request_id``, ``received_at`` and ``body_received_at``
    (RFC 3339) and ``idempotency_key`` (None without one). ``allowed_hosts`` gives the exact
    ``host:port`` values in force. ``upload_limits`` maps path prefixes to the bytes that may
    be streamed there in any type, unbuffered (ADM-12). ``own_pages`` names path prefixes that
    set their own content policy. ``count_request`` hears method, route template and status.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed_hosts: Callable[[], set[str]],
        max_body: int = MAX_BODY,
        body_timeout: float = BODY_TIMEOUT,
        upload_limits: Mapping[str, int] | None = None,
        own_pages: tuple[str, ...] = (),
        count_request: CountRequest | None = None,
    ) -> None:
        self._app = app
        self._allowed_hosts = allowed_hosts
        self._max_body = max_body
        self._body_timeout = body_timeout
        self._upload_limits = upload_limits or {}
        self._own_pages = own_pages
        self._count = count_request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Trailer fields must not join the headers that were checked, so the list is copied.
        scope["headers"] = list(scope["headers"])
        state = _begin(scope)
        answer = _Answer(scope, send, self._fixed_headers(scope["path"]), state["request_id"])
        try:
            body = await self._admit(scope, receive, state)
        except ProblemError as refusal:
            scope["state"]["refused"] = True
            await _refuse(refusal.problem, scope, receive, answer)
        except _ClientGoneError:
            return
        else:
            await self._app(scope, body, answer.send)
        if self._count is not None:
            self._count(scope["method"], _route(scope), answer.status)

    async def _admit(self, scope: Scope, receive: Receive, state: dict[str, Any]) -> Receive:
        """The receive channel for the application, with the body behind it."""
        headers: Headers = scope["headers"]
        check_size(headers)
        hosts = {host.lower() for host in self._allowed_hosts()}
        check_host(headers, hosts)
        check_origin(headers, hosts)
        check_transfer_coding(headers)
        check_target(scope.get("raw_path", b""), scope["query_string"])
        state["idempotency_key"] = idempotency_key(headers)
        limit = self._upload_limit(scope["path"])
        if limit is not None:
            check_declared_length(headers, limit)
            state["body_received_at"] = state["received_at"]
            return _Counted(receive, limit, self._body_timeout).receive
        check_declared_length(headers, self._max_body)
        body = await self._read(receive)
        state["body_received_at"] = timestamp(utc_now())
        if body and scope["path"].startswith(JSON_PATHS):
            check_json_type(headers)
        return _Replayed(body, receive).receive

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        try:
            async with asyncio.timeout(self._body_timeout):
                async for part in _parts(receive):
                    body += part
                    if len(body) > self._max_body:
                        raise ProblemError(too_large(self._max_body))
        except TimeoutError:
            raise ProblemError(too_slow(self._body_timeout)) from None
        return bytes(body)

    def _upload_limit(self, path: str) -> int | None:
        limits = self._upload_limits.items()
        return next((limit for prefix, limit in limits if path.startswith(prefix)), None)

    def _fixed_headers(self, path: str) -> Headers:
        own = path.startswith(self._own_pages) if self._own_pages else False
        return _SECURITY_HEADERS if own else _SECURITY_HEADERS + _API_HEADERS


def _begin(scope: Scope) -> dict[str, Any]:
    state: dict[str, Any] = scope.setdefault("state", {})
    state["request_id"] = f"req_{secrets.token_hex(8)}"
    # The protocol notes the first byte; without it, this is the earliest moment known.
    state.setdefault("received_at", timestamp(utc_now()))
    state["idempotency_key"] = None
    return state


def _route(scope: Scope) -> str:
    if scope["state"].get("refused"):
        return _REFUSED_ROUTE
    return str(getattr(scope.get("route"), "path", _UNKNOWN_ROUTE))


class _ClientGoneError(Exception):
    """The client left before its body was complete; nobody waits for an answer."""


async def _parts(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGoneError
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


class _Replayed:
    """Gives the buffered body once, then whatever the connection says (a disconnect)."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._message: Message | None = {"type": "http.request", "body": body, "more_body": False}
        self._receive = receive

    async def receive(self) -> Message:
        message, self._message = self._message, None
        return message if message is not None else await self._receive()


class _Counted:
    """Passes a streamed body on until it exceeds its limit or stalls."""

    def __init__(self, receive: Receive, limit: int, stall_timeout: float) -> None:
        self._receive = receive
        self._limit = limit
        self._stall_timeout: float | None = stall_timeout
        self._taken = 0

    async def receive(self) -> Message:
        message = await self._next()
        self._taken += len(message.get("body", b""))
        if self._taken > self._limit:
            raise ProblemError(too_large(self._limit))
        if not message.get("more_body", False):
            self._stall_timeout = None  # from here on only a disconnect can come
        return message

    async def _next(self) -> Message:
        try:
            async with asyncio.timeout(self._stall_timeout):
                return await self._receive()
        except TimeoutError:
            raise ProblemError(too_slow(self._stall_timeout)) from None


class _Answer:
    """Sends the application's answer with the fixed headers, and remembers its status."""

    def __init__(self, scope: Scope, send: Send, fixed: Headers, request_id: str) -> None:
        self._scope = scope
        self._send = send
        self._fixed = [*fixed, (b"x-request-id", request_id.encode())]
        self.status = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            given = list(message.get("headers", []))
            names = {name.lower() for name, _ in given}
            added = [pair for pair in self._fixed if pair[0] not in names]
            message = {**message, "headers": given + added}
        await self._send(message)


async def _refuse(problem: Problem, scope: Scope, receive: Receive, answer: _Answer) -> None:
    """Answer and close the connection.

    A client that still sends would see its connection reset instead of the answer, so what
    it sends in the next second is read and thrown away before the connection closes.
    """
    response = problem.response(scope["state"]["request_id"])
    response.headers["connection"] = "close"
    await answer.send(
        {
            "type": "http.response.start",
            "status": response.status_code,
            "headers": response.raw_headers,
        }
    )
    await answer.send(
        {"type": "http.response.body", "body": bytes(response.body), "more_body": True}
    )
    if _has_body(scope) and problem.status != 408:
        await _drain(receive)
    await answer.send({"type": "http.response.body", "body": b"", "more_body": False})


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )


async def _drain(receive: Receive) -> None:
    dropped = 0
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for part in _parts(receive):
                dropped += len(part)
                if dropped > _DRAIN_BYTES:
                    return
    except (TimeoutError, _ClientGoneError):
        return
