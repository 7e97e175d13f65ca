"""HTTP/1.1 on the wire, bounded in time and size before any request exists (S24, S27, S28)."""

import asyncio
import json
import secrets
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward_server.http.problems import MEDIA_TYPE, Problem

HEAD_TIMEOUT = 14.0
"""Seconds a connection has to send a complete request head; under the 15 of S27."""
MAX_UNPARSED = 64 * 1024
"""Bytes that may arrive without completing a head or adding to a body."""


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with what it lacks.

    A deadline for each request head; a cap on bytes that become neither head nor body (endless
    headers, trailers, chunk extensions); trailer fields dropped, which would otherwise join
    the headers after these were checked; refusal of HTTP/1.0, of request targets that are not
    a path, and of every malformed request with a problem document.
    """

    head_timeout = HEAD_TIMEOUT

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_deadline: asyncio.TimerHandle | None = None
        self._in_head = True
        self._unparsed = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of the first head."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Drop the deadline."""
        self._head_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse, unless too much came without getting anywhere."""
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > MAX_UNPARSED and not self.transport.is_closing():
            self.send_400_response("the request head is longer than 64 KiB")

    def on_message_begin(self) -> None:
        """Note the first byte of a request (OBS-1)."""
        super().on_message_begin()
        self._in_head = True
        self.scope["state"]["received_at"] = timestamp(utc_now())
        if self._head_deadline is None:
            self._expect_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a field of the head; a trailer field is dropped."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Hand the request on. A ValueError here becomes a 400 answer."""
        self._in_head = False
        self._unparsed = 0
        self._head_arrived()
        if self.parser.get_http_version() != "1.1":
            raise ValueError("only HTTP/1.1 is served")
        if not self.url.startswith(b"/"):
            raise ValueError("the request target must be a path")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass a part of the body on."""
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is complete; what follows belongs to the next one."""
        self._unparsed = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request and close; say nothing amid or before another answer."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.write(_malformed())
        elif cycle.more_body and not cycle.response_started and not self.pipeline:
            # Its own body is malformed: the application hears that the client is gone.
            self.transport.write(_malformed())
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def _expect_head(self) -> None:
        self._head_deadline = self.loop.call_later(self.head_timeout, self._head_overdue)

    def _head_arrived(self) -> None:
        if self._head_deadline is not None:
            self._head_deadline.cancel()
            self._head_deadline = None

    def _head_overdue(self) -> None:
        if self.pipeline or (self.cycle and not self.cycle.response_complete):
            self._expect_head()  # reading is paused while an earlier request is answered
        else:
            self._head_deadline = None
            self.transport.close()


def _malformed() -> bytes:
    problem = Problem(400, "bad_request", "this is not a well-formed HTTP/1.1 request")
    body = json.dumps(problem.document(f"req_{secrets.token_hex(8)}")).encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\n"
        f"content-type: {MEDIA_TYPE}\r\n"
        f"content-length: {len(body)}\r\n"
        "x-content-type-options: nosniff\r\n"
        "cache-control: no-store\r\n"
        "connection: close\r\n\r\n"
    )
    return head.encode() + body
