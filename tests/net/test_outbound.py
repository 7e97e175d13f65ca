"""The client against servers that lie, stall and redirect (S02-S04, S08-S10)."""

import gzip
from collections.abc import Sequence
from datetime import timedelta
from email.utils import format_datetime

import anyio
import httpcore
import pytest
from anyio.abc import SocketStream

from jobsteward.kernel.clock import utc_now
from jobsteward.kernel.errors import (
    EncodingUnsupportedError,
    FetchTimeoutError,
    JobstewardError,
    ResponseTooLargeError,
    TransientNetworkError,
    UrlBlockedError,
    UrlInvalidError,
)
from jobsteward.net import Fetched, Outbound, retry_after
from tests.support.raw_http import Script, raw_server, reply

pytestmark = pytest.mark.anyio
HOST = "acme.example"
URL = f"http://{HOST}/jobs"
PUBLIC = "93.184.215.14"


class Network:
    """Records every look-up and every dialled address; nothing leaves the machine."""

    def __init__(self, *answers: Sequence[str], responses: Sequence[bytes] = ()) -> None:
        self.answers = list(answers)
        self.responses = list(responses)
        self.lookups: list[str] = []
        self.dialled: list[str] = []
        self.tls_names: list[str | None] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.lookups.append(host)
        return self.answers.pop(0)

    def outbound(self) -> Outbound:
        return Outbound(resolver=self.resolve, dial=_Dial(self))


class _Dial(httpcore.AsyncNetworkBackend):
    def __init__(self, network: Network) -> None:
        self._network = network

    async def connect_tcp(self, host: str, *args: object, **kwargs: object) -> "_Stream":
        self._network.dialled.append(host)
        if not self._network.responses:
            raise httpcore.ConnectError("nobody there")
        return _Stream(self._network)


class _Stream(httpcore.AsyncMockStream):
    def __init__(self, network: Network) -> None:
        super().__init__([network.responses.pop(0)])
        self._network = network

    async def start_tls(self, ssl_context: object, server_hostname: str | None = None,
                        timeout: float | None = None) -> "_Stream":  # noqa: ASYNC109 # fmt: skip
        self._network.tls_names.append(server_hostname)
        return self


async def fetch_from(script: Script) -> Fetched:
    """What a fetch from a server of that script gives or raises."""
    async with raw_server(script) as origin, Outbound(origin_map={HOST: origin}) as outbound:
        with anyio.fail_after(10):
            try:
                return await outbound.fetch(URL)
            except JobstewardError as error:
                failure = error  # raised below, outside the server's task group
    raise failure


def sends(*parts: bytes) -> Script:
    async def script(stream: SocketStream, head: bytes) -> None:
        for part in parts:
            await stream.send(part)

    return script


@pytest.mark.parametrize("url", ["http://[::ffff:127.0.0.1]/", "http://[64:ff9b::7f00:1]/",
                                 "http://127.1/", "http://2130706433/", "http://foo.localhost/",
                                 "https://./", "http://u:p@127.0.0.1/"])  # fmt: skip
async def test_s02_s03_s06_refused_urls_reach_no_resolver_and_no_socket(url: str) -> None:
    network = Network()
    async with network.outbound() as outbound:
        with pytest.raises((UrlBlockedError, UrlInvalidError)):
            await outbound.fetch(url)
    assert network.lookups == [] and network.dialled == []


async def test_a_name_that_leads_to_private_addresses_is_not_dialled() -> None:
    network = Network(["10.0.0.7", "::1", "::ffff:127.0.0.1"])
    async with network.outbound() as outbound:
        with pytest.raises(UrlBlockedError):
            await outbound.fetch(URL)
    assert network.dialled == []


async def test_s04_rebinding_gains_nothing() -> None:
    network = Network(
        [PUBLIC], ["127.0.0.1"], responses=[reply(b"one", connection="close"), reply(b"two")]
    )
    async with network.outbound() as outbound:
        assert (await outbound.fetch(URL)).body == b"one"
        with pytest.raises(UrlBlockedError):
            await outbound.fetch(URL)
    assert network.dialled == [PUBLIC]


async def test_of_a_mixed_answer_only_public_addresses_are_dialled() -> None:
    network = Network(["127.0.0.1", PUBLIC], responses=[reply(b"one")])
    async with network.outbound() as outbound:
        await outbound.fetch(URL)
    assert network.dialled == [PUBLIC]


async def test_the_pinned_connection_keeps_the_hosts_own_name_for_tls() -> None:
    network = Network([PUBLIC], responses=[reply(b"one")])
    async with network.outbound() as outbound:
        await outbound.fetch(f"https://{HOST}/")
    assert network.tls_names == [HOST] and network.dialled == [PUBLIC]


async def test_a_redirect_is_checked_like_the_first_url() -> None:
    for target in ("http://127.0.0.1/", "http://[::1]/", "http://metadata.internal/"):
        network = Network([PUBLIC], responses=[reply(status=302, location=target)])
        async with network.outbound() as outbound:
            with pytest.raises(UrlBlockedError):
                await outbound.fetch(URL)
        assert network.dialled == [PUBLIC]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "gopher://x.example/", "http://[bad"])
async def test_a_redirect_to_another_scheme_is_refused(target: str) -> None:
    with pytest.raises(UrlInvalidError):
        await fetch_from(sends(reply(status=301, location=target)))


async def test_endless_redirects_end() -> None:
    heads: list[bytes] = []

    async def script(stream: SocketStream, head: bytes) -> None:
        heads.append(head)
        await stream.send(reply(status=302, location="/again", connection="close"))

    with pytest.raises(UrlBlockedError):
        await fetch_from(script)
    assert len(heads) == 6


async def test_relative_redirects_are_followed() -> None:
    async def script(stream: SocketStream, head: bytes) -> None:
        moved = b"GET /jobs " in head
        answer = reply(status=308, location="open?a=1") if moved else reply(b"here")
        await stream.send(answer.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))

    fetched = await fetch_from(script)
    assert (fetched.url, fetched.body) == (f"http://{HOST}/open?a=1", b"here")


async def test_the_request_carries_what_it_should_and_nothing_else() -> None:
    heads: list[str] = []

    async def script(stream: SocketStream, head: bytes) -> None:
        heads.append(head.decode().lower())
        await stream.send(reply(b"{}", set_cookie="a=b", etag='"v2"', last_modified="yesterday"))

    async with raw_server(script) as origin, Outbound(origin_map={HOST: origin}) as outbound:
        first = await outbound.fetch(URL, accept="application/json", etag='"v1"', last_modified="t")
        await outbound.fetch(URL)
    assert (first.etag, first.last_modified) == ('"v2"', "yesterday")
    assert f"host: {HOST}\r\n" in heads[0] and "accept: application/json\r\n" in heads[0]
    assert "accept-encoding: gzip\r\n" in heads[0] and 'if-none-match: "v1"' in heads[0]
    assert "if-modified-since: t\r\n" in heads[0] and "jobsteward/" in heads[0]
    assert all("cookie" not in head for head in heads[1:])


async def test_proxy_settings_of_the_environment_are_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    fetched = await fetch_from(sends(reply(b"direct")))
    assert fetched.body == b"direct"


async def test_loopback_is_reached_only_through_the_origin_map() -> None:
    async with (
        raw_server(sends(reply(b"inside"))) as origin,
        Outbound(origin_map={HOST: origin}) as outbound,
    ):
        with pytest.raises(UrlBlockedError):
            await outbound.fetch(origin)


async def test_error_statuses_are_the_callers_to_judge() -> None:
    fetched = await fetch_from(sends(reply(b"busy", status=503, retry_after="7")))
    assert fetched.status == 503 and retry_after(fetched.headers) == 7


async def test_gzip_answers_are_unpacked() -> None:
    fetched = await fetch_from(sends(reply(gzip.compress(b"text"), content_encoding="gzip")))
    assert fetched.body == b"text"


async def test_s08_bombs_over_the_wire() -> None:
    bomb = gzip.compress(bytes(16 * 1024 * 1024))
    with pytest.raises(ResponseTooLargeError):
        await fetch_from(sends(reply(bomb, content_encoding="gzip")))
    stacked = gzip.compress(bomb)
    with pytest.raises(EncodingUnsupportedError):
        await fetch_from(sends(reply(stacked, content_encoding="gzip, gzip")))


@pytest.mark.parametrize(
    "opening",
    [
        b"H",
        b"HTTP/1.1 200 OK\r\nX-A: 1\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n",
    ],
)
async def test_s09_a_drip_ends_at_the_deadline_and_frees_its_slot(opening: bytes) -> None:
    async def drip(stream: SocketStream, head: bytes) -> None:
        if b"/quick" in head:
            await stream.send(reply(b"quick"))
            return
        await stream.send(opening)
        while True:
            await anyio.sleep(0.05)
            await stream.send(b"a")

    async with (
        raw_server(drip) as origin,
        Outbound(origin_map={HOST: origin}, connections=1) as outbound,
    ):
        with anyio.fail_after(5):
            with pytest.raises(FetchTimeoutError):
                await outbound.fetch(URL, deadline=0.4)
            assert (await outbound.fetch(f"http://{HOST}/quick")).body == b"quick"


async def test_s09_a_stalled_tls_handshake_ends_at_the_deadline() -> None:
    async def silent(stream: SocketStream) -> None:
        async with stream:
            await anyio.sleep_forever()

    class ToListener(httpcore.AnyIOBackend):
        async def connect_tcp(self, host: str, port: int, *args: object, **kw: object) -> object:  # type: ignore[override]
            return await super().connect_tcp("127.0.0.1", local_port)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return [PUBLIC]

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        local_port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, silent)
            async with Outbound(resolver=resolve, dial=ToListener()) as outbound:
                with anyio.fail_after(5), pytest.raises(FetchTimeoutError):
                    await outbound.fetch(f"https://{HOST}/", deadline=0.3)
            tasks.cancel_scope.cancel()


async def test_s10_endless_headers_are_a_bounded_error() -> None:
    async def script(stream: SocketStream, head: bytes) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\n")
        for _ in range(5 * 1024):
            await stream.send(b"X-Filler: " + b"a" * 1012 + b"\r\n")

    with pytest.raises(JobstewardError):
        await fetch_from(script)


async def test_s10_a_body_shorter_than_its_length_can_be_tried_again() -> None:
    with pytest.raises(TransientNetworkError):
        await fetch_from(sends(reply(b"short", content_length="500")))


async def test_s10_a_body_longer_than_its_length_is_cut_there() -> None:
    fetched = await fetch_from(sends(reply(b"body and more", content_length="4")))
    assert fetched.body == b"body"


async def test_s10_a_page_of_a_million_links_stops_at_the_cap() -> None:
    page = b"<a href=/j/1>x</a>" * 1_000_000
    with pytest.raises(ResponseTooLargeError):
        await fetch_from(sends(reply(page)))


async def test_a_refused_connection_can_be_tried_again() -> None:
    network = Network([PUBLIC, "1.1.1.1"])
    async with network.outbound() as outbound:
        with pytest.raises(TransientNetworkError):
            await outbound.fetch(URL)
    assert network.dialled == [PUBLIC, "1.1.1.1"]


async def test_an_unknown_name_can_be_tried_again() -> None:
    async def nobody(host: str, port: int) -> Sequence[str]:
        raise OSError("no such name")

    async with Outbound(resolver=nobody) as outbound:
        with pytest.raises(TransientNetworkError):
            await outbound.fetch(URL)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0.0), ("12", 12.0), ("86400", 300.0), ("9" * 400, 300.0), ("soon", None), ("", None),
     ("-5", None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)],
)  # fmt: skip
def test_err3_retry_after_is_capped(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}) == seconds


def test_err3_retry_after_as_a_date() -> None:
    date = format_datetime(utc_now() + timedelta(seconds=100), usegmt=True)
    assert retry_after({"retry-after": date}) == pytest.approx(100, abs=3)


class Posted:
    """A server that remembers what it was sent, and answers in turn."""

    def __init__(self, *replies: bytes) -> None:
        self.replies = list(replies)
        self.heads: list[str] = []
        self.bodies: list[bytes] = []

    async def serve(self, stream: SocketStream, head: bytes) -> None:
        text, _, body = head.partition(b"\r\n\r\n")
        size = int((_header(text, "content-length") or ["0"])[0])
        while len(body) < size:
            body += await stream.receive()
        self.heads.append(text.decode())
        self.bodies.append(body)
        await stream.send(self.replies.pop(0))


def _header(head: bytes, name: str) -> list[str]:
    pairs = (line.partition(":") for line in head.decode().splitlines()[1:])
    return [value.strip() for key, _, value in pairs if key.lower() == name]


async def test_a_body_makes_it_a_post_of_json() -> None:
    posted = Posted(reply(b"{}"))
    async with raw_server(posted.serve) as origin, Outbound(origin_map={HOST: origin}) as outbound:
        with anyio.fail_after(10):
            answer = await outbound.fetch(URL, body=b'{"offset": 20}')
    assert (answer.status, posted.bodies) == (200, [b'{"offset": 20}'])
    assert posted.heads[0].startswith("POST /jobs ")
    assert _header(posted.heads[0].encode(), "content-type") == ["application/json"]


async def test_a_redirected_post_is_not_sent_on() -> None:
    posted = Posted(reply(status=307, location="https://other.example/"))
    async with raw_server(posted.serve) as origin, Outbound(origin_map={HOST: origin}) as outbound:
        with anyio.fail_after(10):
            answer = await outbound.fetch(URL, body=b"{}")
    assert (answer.status, len(posted.heads)) == (307, 1)


async def test_private_headers_do_not_follow_to_another_host() -> None:
    posted = Posted(
        reply(status=302, location="/moved"),
        reply(status=302, location="http://other.example/"),
        reply(b"done"),
    )
    async with raw_server(posted.serve) as origin:
        origins = {HOST: origin, "other.example": origin}
        async with Outbound(origin_map=origins) as outbound:
            with anyio.fail_after(10):
                await outbound.fetch(URL, private={"Authorization-Key": "k"})
    sent = [_header(head.encode(), "authorization-key") for head in posted.heads]
    assert sent == [["k"], ["k"], []]
