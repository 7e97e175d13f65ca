"""Raw bytes against a real server: ambiguous, endless, slow and idle requests (S24-S28, S13).

Two bodies of rules meet here: the parser and protocol below, the boundary above. Each case
says what must come back; after every refusal the connection is closed and the server serves
its next client.
"""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import anyio
import pytest
from fastapi import Depends, FastAPI, Request
from starlette.responses import StreamingResponse

from jobsteward.settings import Settings
from jobsteward_server.app_directory import OWNER_FILE
from jobsteward_server.http import problems
from jobsteward_server.http.boundary import Boundary
from jobsteward_server.http.protocol import BoundedProtocol
from jobsteward_server.strict_json import read_json_object
from jobsteward_worker.spec import Catalogue
from tests.server.http.live import Live, live
from tests.support.api import open_api

pytestmark = pytest.mark.anyio

HEAD_TIMEOUT = 0.6
BODY_TIMEOUT = 0.6
REFUSED = {400, 421}
MIB = 1024 * 1024


def make_app(hosts: set[str]) -> FastAPI:
    """A few routes behind the boundary, with short deadlines."""
    app = FastAPI(redirect_slashes=False)
    app.state.left = anyio.Event()

    @app.post("/api/echo")
    async def echo(
        body: Annotated[dict[str, Any], Depends(read_json_object)], request: Request
    ) -> dict[str, Any]:
        headers = sorted({name for name, _ in request.headers.items()})
        return {"members": len(body), "key": request.state.idempotency_key, "headers": headers}

    @app.post("/api/uploads/x")
    async def upload(request: Request) -> dict[str, int]:
        return {"size": sum([len(part) async for part in request.stream()])}

    @app.get("/api/hello")
    async def hello() -> dict[str, str]:
        return {"hello": "you"}

    @app.get("/api/stream")
    async def stream() -> StreamingResponse:
        return StreamingResponse(ticks(app), media_type="text/event-stream")

    problems.install(app)
    app.add_middleware(
        Boundary,
        allowed_hosts=lambda: hosts,
        body_timeout=BODY_TIMEOUT,
        upload_limits={"/api/uploads/": 2 * MIB},
    )
    return app


async def ticks(app: FastAPI) -> AsyncIterator[bytes]:
    """Parts of a stream, until its reader leaves."""
    try:
        for number in range(1_000):
            yield b"data: %d\n\n" % number
            await anyio.sleep(0.02)
    finally:
        app.state.left.set()


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[Live]:
    """The app on a real socket; connections have little time for a request head."""
    hosts: set[str] = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoundedProtocol, "head_timeout", HEAD_TIMEOUT)
        async with live(make_app(hosts)) as running:
            hosts.add(running.host)
            yield running


def get(*lines: bytes, target: bytes = b"/api/hello", version: bytes = b"HTTP/1.1") -> bytes:
    """A GET with these header lines and a good Host before them."""
    return b"\r\n".join([b"GET " + target + b" " + version, b"Host: %H", *lines, b"", b""])


def post(body: bytes, *lines: bytes, length: bytes | None = None) -> bytes:
    """A JSON POST with a Content-Length (of the body unless given)."""
    head = [b"POST /api/echo HTTP/1.1", b"Host: %H", b"Content-Type: application/json"]
    declared = b"Content-Length: " + (length or str(len(body)).encode())
    return b"\r\n".join([*head, declared, *lines, b"", b""]) + body


CHUNKED = b"POST /api/echo HTTP/1.1\r\nHost: %H\r\nContent-Type: application/json\r\n"

AMBIGUOUS = {
    "TE and CL": CHUNKED + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "CL and TE": CHUNKED + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two different CL": post(b"{}", b"Content-Length: 5"),
    "two equal CL": post(b"{}", b"Content-Length: 2"),
    "CL list": post(b"{}", length=b"2, 2"),
    "CL plus sign": post(b"{}", length=b"+2"),
    "CL minus": post(b"{}", length=b"-2"),
    "CL hex": post(b"{}", length=b"0x2"),
    "CL empty": post(b"", length=b" "),
    "CL overflow": post(b"{}", length=b"99999999999999999999999"),
    "TE identity": CHUNKED + b"Transfer-Encoding: identity\r\n\r\n",
    "TE twice": CHUNKED
    + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "TE gzip last": CHUNKED + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "TE x-chunked": CHUNKED + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunk size overflow": CHUNKED
    + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx\r\n0\r\n\r\n",
    "chunk size sign": CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n+2\r\n{}\r\n0\r\n\r\n",
    "chunk without CRLF": CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n",
    "a coding under chunked": CHUNKED
    + b"Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "space before colon": get(b"X-Thing : x"),
    "space before colon of TE": CHUNKED + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "bare LF lines": get(b"X-Thing: x").replace(b"\r\n", b"\n"),
    "bare LF in a value": get(b"X-Thing: a\nX-Other: b"),
    "bare CR in a value": get(b"X-Thing: a\rX-Other: b"),
    "NUL in a value": get(b"X-Thing: a\0b"),
    "obs-fold": get(b"X-Thing: a", b" b"),
    "leading space in the first header": b"GET /api/hello HTTP/1.1\r\n Host: %H\r\n\r\n",
    "no colon": get(b"X-Thing"),
    "empty name": get(b": x"),
    "no Host": b"GET /api/hello HTTP/1.1\r\n\r\n",
    "two Hosts": get(b"Host: evil.example"),
    "two equal Hosts": get(b"Host: %H"),
    "evil Host": b"GET /api/hello HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "Host with our prefix": b"GET /api/hello HTTP/1.1\r\nHost: %H.evil.example\r\n\r\n",
    "Host without port": b"GET /api/hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "absolute form": get(target=b"http://evil.example/api/hello"),
    "absolute form of ours": get(target=b"http://%H/api/hello"),
    "authority form": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: %H\r\n\r\n",
    "asterisk": b"OPTIONS * HTTP/1.1\r\nHost: %H\r\n\r\n",
    "HTTP/1.0": get(version=b"HTTP/1.0"),
    "HTTP/0.9": b"GET /api/hello\r\n\r\n",
    "HTTP/2 preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/9.9": get(version=b"HTTP/9.9"),
    "unknown method": b"BREW /api/hello HTTP/1.1\r\nHost: %H\r\n\r\n",
    "space in the target": get(target=b"/api/hello there"),
    "control in the target": get(target=b"/api/\x01hello"),
    "1,000 headers": get(*[b"x-%d: y" % n for n in range(1_000)]),
    "9 KiB header": get(b"x-long: " + b"y" * 9_000),
    "endless header": get(b"x-long: " + b"y" * 400_000),
    "TLS hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 50 + b"\r\n\r\n",
    "empty key": post(b"{}", b"Idempotency-Key:"),
    "two keys": post(b"{}", b"Idempotency-Key: a", b"Idempotency-Key: a"),
    "non-ASCII key": post(b"{}", "Idempotency-Key: clé".encode()),
    "100 KB key": post(b"{}", b"Idempotency-Key: " + b"k" * 100_000),
    "duplicate member": post(b'{"job":"a","job":"b"}'),
    "array body": post(b"[]"),
    "depth 100,000": post(b"[" * 100_000),
}
"""Requests of S24-S28 that two readers may understand differently, or that go on for ever."""


@pytest.mark.parametrize("name", AMBIGUOUS)
async def test_ambiguous_requests_are_refused(name: str, server: Live) -> None:
    """S24-S28: 400 or 421; the connection closes unless the framing was sound."""
    reply = await server.ask(AMBIGUOUS[name])
    assert reply.status in REFUSED or (reply.status == 0 and "endless" in name)
    if reply.status:
        assert reply.document["status"] == reply.status
        assert reply.header("content-type") == problems.MEDIA_TYPE
        assert b"evil" not in reply.body
    assert (await server.ask(get())).document == {"hello": "you"}


FRAMING = [
    name for name in AMBIGUOUS if name not in {"duplicate member", "array body", "depth 100,000"}
]


@pytest.mark.parametrize("name", FRAMING)
async def test_a_refused_connection_serves_no_second_request(name: str, server: Live) -> None:
    """S28: what follows an ambiguous request is never answered as a request of its own."""
    wire = await server.connect()
    with anyio.fail_after(5):
        await wire.send(AMBIGUOUS[name] + get())
        first = await wire.reply()
        assert first.status in REFUSED | {0}
        assert first.closed
        assert await wire.closed_by_server()
    await wire.close()


async def test_the_real_application_refuses_them_too(settings: Settings) -> None:
    """S24-S28 with every route, token check and inner server of the product behind."""
    async with open_api(settings, Catalogue([])) as api, live(api.app, "127.0.0.1:8765") as real:
        bearer = b"Authorization: Bearer " + api.secret(OWNER_FILE).encode() + b"\r\n"
        for name, request in AMBIGUOUS.items():
            target = request.replace(b"/api/echo", b"/api/v1/tokens")
            reply = await real.ask(target.replace(b"Content-Type:", bearer + b"Content-Type:"))
            assert reply.status in REFUSED or (reply.status == 0 and "endless" in name), name
        made = post(b'{"name":"n","scopes":["read"]}', bearer.strip())
        reply = await real.ask(made.replace(b"/api/echo", b"/api/v1/tokens"))
        assert reply.status == 200


async def test_a_good_request_is_served_and_the_connection_kept(server: Live) -> None:
    """The suite would pass on a server that refuses all; this one must not."""
    wire = await server.connect()
    with anyio.fail_after(5):
        for _ in range(3):
            await wire.send(post(b'{"a":1}', b'Idempotency-Key: "k-1"'))
            reply = await wire.reply()
            assert (reply.status, reply.document["key"]) == (200, "k-1")
            assert reply.header("server") == ""
    await wire.close()


async def test_pipelined_requests_are_answered_in_order(server: Live) -> None:
    wire = await server.connect()
    with anyio.fail_after(5):
        await wire.send(post(b'{"a":1}') + get() + post(b'{"a":1,"b":2}'))
        assert (await wire.reply()).document["members"] == 1
        assert (await wire.reply()).document == {"hello": "you"}
        assert (await wire.reply()).document["members"] == 2
    await wire.close()


async def test_trailers_never_become_headers(server: Live) -> None:
    """S28: fields after a chunked body were not checked, so they do not exist."""
    trailers = b"Idempotency-Key: late\r\nX-Late: 1\r\nAuthorization: Bearer late\r\n"
    request = CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + trailers + b"\r\n"
    reply = await server.ask(request)
    assert reply.status == 200
    assert reply.document["key"] is None
    assert not {"x-late", "authorization", "idempotency-key"} & set(reply.document["headers"])


@pytest.mark.parametrize("tail", [b"X-T: " + b"t" * 400_000, b"", b"2;ext=" + b"e" * 400_000])
async def test_endless_trailers_and_extensions_are_cut_off(tail: bytes, server: Live) -> None:
    """S27: what neither ends a head nor adds to a body is bounded like a head."""
    wire = await server.connect()
    size = b"0\r\n" if tail.startswith(b"X") else b""
    with anyio.fail_after(5):
        await wire.send(CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n" + size + tail)
        assert (await wire.reply()).status in {0, 400, 408}
        assert await wire.closed_by_server()
    await wire.close()


async def test_ten_megabytes_declared_are_refused_unread(server: Live) -> None:
    """S27: the answer comes before a byte of the body."""
    reply = await server.ask(post(b"", length=b"10485760"))
    assert (reply.status, reply.document["code"]) == (413, "payload_too_large")
    assert reply.closed


async def test_ten_megabytes_sent_whole_still_get_their_answer(server: Live) -> None:
    """S27: a client that sends on reads a 413 and not a connection reset."""
    for request in (
        post(b"x" * 10 * MIB),
        CHUNKED + b"Transfer-Encoding: chunked\r\n\r\na00000\r\n" + b"x" * 10 * MIB,
    ):
        reply = await server.ask(request)
        assert (reply.status, reply.document["code"]) == (413, "payload_too_large")
        assert reply.closed


async def test_a_body_at_the_limit_passes(server: Live) -> None:
    body = b'{"a":"' + b"x" * 60_000 + b'"' + b" " * (MIB - 60_008) + b"}"
    assert len(body) == MIB
    assert (await server.ask(post(body))).document["members"] == 1


async def test_an_expecting_client_is_told_to_go_on_or_not(server: Live) -> None:
    """A refused Expect: 100-continue gets its refusal instead of an invitation."""
    wire = await server.connect()
    with anyio.fail_after(5):
        await wire.send(post(b"", b"Expect: 100-continue", length=b"2"))
        assert (await wire.line()) == b"HTTP/1.1 100 Continue"
        await wire.line()
        await wire.send(b"{}")
        assert (await wire.reply()).status == 200
    await wire.close()
    reply = await server.ask(post(b"", b"Expect: 100-continue", length=b"10485760"))
    assert reply.status == 413


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(post(b"{", length=b"100"), id="one byte of a hundred"),
        pytest.param(CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n", id="no chunk"),
        pytest.param(
            CHUNKED.replace(b"echo", b"uploads/x") + b"Content-Length: 9\r\n\r\n1", id="up"
        ),
    ],
)
async def test_a_body_that_stalls_is_given_up(start: bytes, server: Live) -> None:
    """S27: 408 and closed once the body's time is over."""
    reply = await server.ask(start, within=BODY_TIMEOUT + 5)
    assert (reply.status, reply.document["code"]) == (408, "request_timeout")
    assert reply.closed


async def test_a_dripping_body_has_one_deadline_for_the_whole(server: Live) -> None:
    """S27: a byte now and then does not buy more time."""
    wire = await server.connect()
    async with anyio.create_task_group() as tasks:

        async def drip() -> None:
            await wire.send(post(b"", length=b"100000"))
            while True:
                await wire.send(b" ")
                await anyio.sleep(BODY_TIMEOUT / 10)

        tasks.start_soon(drip)
        with anyio.fail_after(BODY_TIMEOUT + 5):
            assert (await wire.reply()).status == 408
        tasks.cancel_scope.cancel()
    await wire.close()


async def test_a_dripping_head_has_one_deadline(server: Live) -> None:
    """S27: slow headers end at the same time as no headers."""
    wire = await server.connect()
    async with anyio.create_task_group() as tasks:

        async def drip() -> None:
            await wire.send(b"GET /api/hello HTTP/1.1\r\n")
            while True:
                await wire.send(b"x-a: b\r\n")
                await anyio.sleep(HEAD_TIMEOUT / 10)

        tasks.start_soon(drip)
        with anyio.fail_after(HEAD_TIMEOUT + 5):
            assert await wire.closed_by_server()
        tasks.cancel_scope.cancel()
    await wire.close()


async def test_a_second_head_has_a_deadline_too(server: Live) -> None:
    wire = await server.connect()
    with anyio.fail_after(HEAD_TIMEOUT + 5):
        await wire.send(get())
        assert (await wire.reply()).status == 200
        await wire.send(b"GET /api/hel")
        assert await wire.closed_by_server()
    await wire.close()


async def test_two_hundred_idle_connections_close_and_others_are_served(server: Live) -> None:
    """S27."""
    wires = [await server.connect() for _ in range(200)]
    with anyio.fail_after(5):
        assert (await server.ask(get())).status == 200
    with anyio.fail_after(HEAD_TIMEOUT + 5):
        for wire in wires:
            assert await wire.closed_by_server()
            await wire.close()


async def test_a_client_that_leaves_within_its_body_harms_nobody(server: Live) -> None:
    wire = await server.connect()
    await wire.send(post(b"{", length=b"100"))
    await wire.close()
    assert (await server.ask(get())).status == 200


async def test_a_stream_flows_and_notices_that_its_reader_left(server: Live) -> None:
    """OBS-3: parts arrive as they are made, and a reader's end reaches the application."""
    wire = await server.connect()
    with anyio.fail_after(5):
        await wire.send(get(target=b"/api/stream"))
        while b"data: 3" not in await wire.line():
            pass
        await wire.close()
        await server.server.config.loaded_app.state.left.wait()


@pytest.mark.parametrize("upgrade", [b"websocket", b"h2c"])
async def test_an_upgrade_is_not_taken_up(upgrade: bytes, server: Live) -> None:
    """An offer to switch protocols is ignored or refused, and never switches."""
    offer = (b"Connection: Upgrade", b"Upgrade: " + upgrade)
    assert (await server.ask(get(*offer))).status in {200, 400}
    assert (await server.ask(post(b'{"a":1}', *offer))).status in {200, 400}


async def test_decoded_dots_never_leave_their_segment(server: Live) -> None:
    """S28: encoded path tricks end at 404, not in another route."""
    for target in (
        b"/api/%2e%2e/api/hello",
        b"/api/x%2f..%2fhello",
        b"//api/hello",
    ):
        assert (await server.ask(get(target=target))).status == 404
    assert (await server.ask(get(target=b"/api/hello%00"))).status == 400
