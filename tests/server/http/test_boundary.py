"""What the boundary lets through, and with what (ADM-3, ADM-12, OBS-1, SEC-2, SEC-8)."""

import time
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from hypothesis import given
from hypothesis import strategies as st

from jobsteward_server.http import problems
from jobsteward_server.http.boundary import Boundary
from jobsteward_server.http.headers import idempotency_key
from jobsteward_server.http.problems import ProblemError

Client = Callable[..., httpx.AsyncClient]
COUNTED: list[tuple[str, str, int]] = []


def make_app() -> FastAPI:
    """Routes that tell what reached them."""
    app = FastAPI(redirect_slashes=False)

    @app.post("/api/echo")
    async def echo(request: Request) -> dict[str, Any]:
        return {
            "size": len(await request.body()),
            "key": request.state.idempotency_key,
            "received_at": request.state.received_at,
            "body_received_at": request.state.body_received_at,
            "request_id": request.state.request_id,
        }

    @app.post("/api/uploads/{kind}")
    async def upload(kind: str, request: Request) -> dict[str, int]:
        return {"size": sum([len(part) async for part in request.stream()])}

    @app.get("/api/things/{thing}")
    async def thing(thing: str) -> dict[str, str]:
        return {"thing": thing}

    @app.get("/page")
    async def page() -> dict[str, str]:
        return {}

    problems.install(app)
    app.add_middleware(
        Boundary,
        allowed_hosts=lambda: {"api.test:8765"},
        max_body=1_000,
        upload_limits={"/api/uploads/": 5_000},
        own_pages=("/page",),
        count_request=lambda *request: COUNTED.append(request),
    )
    return app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A well-behaved client of these routes."""
    transport = httpx.ASGITransport(make_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://api.test:8765") as opened:
        COUNTED.clear()
        yield opened


JSON = {"content-type": "application/json"}


@pytest.mark.anyio
async def test_the_application_gets_body_times_and_id(client: httpx.AsyncClient) -> None:
    """OBS-1: the complete body is received at or after the request's first byte."""
    answer = await client.post("/api/echo", content=b"{}", headers=JSON)
    seen = answer.json()
    assert seen["size"] == 2
    assert seen["key"] is None
    first, complete = map(datetime.fromisoformat, (seen["received_at"], seen["body_received_at"]))
    assert first <= complete
    assert answer.headers["x-request-id"] == seen["request_id"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("sent", "key"),
    [
        ("abc", "abc"),
        ('"abc"', "abc"),
        (r'"a\"b\\c"', 'a"b\\c'),
        ("~" * 255, "~" * 255),
        ('"' + "k" * 255 + '"', "k" * 255),
        ('a"b', 'a"b'),
    ],
)
async def test_a_good_key_arrives_bare(sent: str, key: str, client: httpx.AsyncClient) -> None:
    """ADM-3: a quoted key is the same key."""
    headers = JSON | {"idempotency-key": sent}
    answer = await client.post("/api/echo", content=b"{}", headers=headers)
    assert answer.json()["key"] == key


@pytest.mark.anyio
@pytest.mark.parametrize(
    "sent",
    [
        [b""],
        [b'""'],
        [b"a b"],
        [b"k" * 256],
        [b'"unfinished'],
        [b'"'],
        [b'"a"b"'],
        [b'"a";p=1'],
        [rb'"a\n"'],
        ["clé".encode()],
        [b"a\tb"],
        [b"one", b"two"],
        [b"same", b"same"],
    ],
)
async def test_a_bad_key_is_a_400(sent: list[bytes], client: httpx.AsyncClient) -> None:
    """ADM-3, SEC-8: exactly one well-formed header."""
    headers = [(b"content-type", b"application/json"), *((b"idempotency-key", v) for v in sent)]
    answer = await client.post("/api/echo", content=b"{}", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")


@given(value=st.binary(max_size=300))
def test_any_bytes_are_a_key_or_refused(value: bytes) -> None:
    try:
        key = idempotency_key([(b"idempotency-key", value)])
    except ProblemError as refusal:
        assert refusal.problem.code == "bad_idempotency_key"
    else:
        assert key and len(key) <= 255 and all("!" <= letter <= "~" for letter in key)


@given(key=st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=255))
def test_quoting_a_key_never_changes_it(key: str) -> None:
    """ADM-3: the draft's quoted form and the bare form name one execution."""
    quoted = '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert idempotency_key([(b"idempotency-key", quoted.encode())]) == key


@pytest.mark.anyio
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "api.test",
        "api.test:1",
        "api.test:8765.evil.example",
        "evil.example@api.test:8765",
        "",
        "api.test:08765",
        "api.test:8765, evil.example",
    ],
)
async def test_a_foreign_host_is_misdirected(host: str, client: httpx.AsyncClient) -> None:
    """S13, SEC-2: exact host and port."""
    answer = await client.get("/api/things/1", headers={"host": host})
    assert (answer.status_code, answer.json()["code"]) == (421, "misdirected_request")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "http://localhost:1",
        "http://api.test",
        "http://api.test:8765.evil.example",
        "file://",
        "http://api.test:8765/",
        "ftp://api.test:8765",
    ],
)
async def test_a_page_of_another_origin_is_refused(origin: str, client: httpx.AsyncClient) -> None:
    """S13, SEC-2."""
    answer = await client.get("/api/things/1", headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin_refused")


@pytest.mark.anyio
async def test_our_own_pages_may_call(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/things/1", headers={"origin": "http://API.test:8765"})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=UTF-8", 200),
        ('application/json;charset="utf-8"', 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/json; charset=utf-16", 415),
        ("application/json-patch+json", 415),
        ("multipart/form-data; boundary=x", 415),
        (None, 415),
    ],
)
async def test_a_body_must_be_json(
    content_type: str | None, status: int, client: httpx.AsyncClient
) -> None:
    """SEC-8: what a page's form or ``no-cors`` fetch can send is refused."""
    headers = {"content-type": content_type} if content_type else {}
    answer = await client.post("/api/echo", content=b"{}", headers=headers)
    assert answer.status_code == status


@pytest.mark.anyio
async def test_a_compressed_body_is_refused(client: httpx.AsyncClient) -> None:
    headers = JSON | {"content-encoding": "gzip"}
    answer = await client.post("/api/echo", content=b"{}", headers=headers)
    assert answer.status_code == 415


@pytest.mark.anyio
async def test_no_body_needs_no_type(client: httpx.AsyncClient) -> None:
    assert (await client.post("/api/echo")).json()["size"] == 0


@pytest.mark.anyio
async def test_body_limits(client: httpx.AsyncClient) -> None:
    """S27, ADM-12: declared or chunked, at the limit and one byte over it."""
    for size, status in ((1_000, 200), (1_001, 413)):
        declared = await client.post("/api/echo", content=b"x" * size, headers=JSON)
        chunked = await client.post("/api/echo", content=pieces(size), headers=JSON)
        assert (declared.status_code, chunked.status_code) == (status, status)
    for size, status in ((5_000, 200), (5_001, 413)):
        declared = await client.post("/api/uploads/resume", content=b"x" * size)
        chunked = await client.post("/api/uploads/resume", content=pieces(size))
        assert (declared.status_code, chunked.status_code) == (status, status)


async def pieces(size: int) -> AsyncIterator[bytes]:
    """So many bytes in small parts."""
    for start in range(0, size, 100):
        yield b"x" * min(100, size - start)


@pytest.mark.anyio
async def test_header_limits(client: httpx.AsyncClient) -> None:
    """S28."""
    many = await client.get("/api/things/1", headers={f"x-{n}": "1" for n in range(1_000)})
    assert (many.status_code, many.json()["code"]) == (400, "bad_request")
    long = await client.get("/api/things/1", headers={"x-long": "v" * 9_000})
    assert (long.status_code, long.json()["code"]) == (400, "bad_request")


@pytest.mark.anyio
async def test_every_answer_carries_the_safety_headers(client: httpx.AsyncClient) -> None:
    answers = [
        await client.get("/api/things/1"),
        await client.get("/api/nowhere"),
        await client.get("/api/things/1", headers={"host": "evil.example"}),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["x-request-id"].startswith("req_")
    assert len({answer.headers["x-request-id"] for answer in answers}) == 3
    page = await client.get("/page")
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" not in page.headers


@pytest.mark.anyio
async def test_requests_are_counted_by_template_not_by_path(client: httpx.AsyncClient) -> None:
    """OBS-1: nothing that a caller wrote becomes a label."""
    await client.get("/api/things/private-7788")
    await client.get("/private-7788")
    await client.get("/api/things/1", headers={"host": "private-7788"})
    assert COUNTED == [
        ("GET", "/api/things/{thing}", 200),
        ("GET", "(unknown)", 404),
        ("GET", "(refused)", 421),
    ]


@pytest.mark.anyio
async def test_websockets_are_refused() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    scope = {"type": "websocket", "path": "/", "headers": []}
    await Boundary(make_app(), allowed_hosts=set)(scope, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_the_key_check_is_quick_on_hostile_values() -> None:
    started = time.process_time()
    for value in (b'"' + b"\\" * 8_000, b'"' + b'\\"' * 4_000, b'"' * 8_000, b"!" * 8_000):
        with pytest.raises(ProblemError):
            idempotency_key([(b"idempotency-key", value)])
    assert time.process_time() - started < 0.1


@pytest.mark.anyio
@pytest.mark.parametrize("target", ["/api/things/a%00b", "/api/things/a?x=%00", "/api/%00"])
async def test_an_address_with_a_nul_is_refused(target: str, client: httpx.AsyncClient) -> None:
    """S24: PostgreSQL cannot look for it, so nobody may ask for it."""
    answer = await client.get(target)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
