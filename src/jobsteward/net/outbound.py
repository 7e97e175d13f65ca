"""The outbound client: one checked GET after another, capped in size, time and redirects."""

import email.utils
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import anyio
import httpcore
import httpx

from jobsteward import __version__
from jobsteward.kernel.clock import utc_now
from jobsteward.kernel.errors import (
    FetchTimeoutError,
    TransientNetworkError,
    UrlBlockedError,
    UrlInvalidError,
)
from jobsteward.net.body import read_body
from jobsteward.net.connect import PinnedBackend, Resolver, resolve
from jobsteward.net.urls import WebUrl, check_url

MEBIBYTE = 1024 * 1024
DEFAULT_BYTES = 5 * MEBIBYTE
DEFAULT_DEADLINE = 30.0
MAX_REDIRECTS = 5
MAX_RETRY_AFTER = 300.0

_CONNECTIONS = 20
_CONNECT_SECONDS = 10.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AGENT = f"jobsteward/{__version__} (+https://github.com/jobsteward/jobsteward)"


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer: ``url`` after redirects, header names in lower case, ``body`` decoded.

    Any HTTP status may be here, 404 and 503 included: what one means is the reader's to say.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def etag(self) -> str | None:
        """What to send as ``etag`` next time."""
        return self.headers.get("etag")

    @property
    def last_modified(self) -> str | None:
        """What to send as ``last_modified`` next time."""
        return self.headers.get("last-modified")


class Outbound:
    """Fetches pages from the public internet; the only part that does (SEC-3).

    Used as an async context manager. Nothing is carried from one fetch to the next: no
    cookies, no credentials, no proxy settings of the environment. ``origin_map`` sends
    whole hosts to a server on this machine instead, for tests and the demo.
    """

    def __init__(
        self,
        *,
        origin_map: Mapping[str, str] | None = None,
        other_ports: bool = False,
        connections: int = _CONNECTIONS,
        resolver: Resolver = resolve,
        dial: httpcore.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._origins = {host.lower(): origin for host, origin in (origin_map or {}).items()}
        self._other_ports = other_ports
        # httpcore is the layer below httpx; only there can the dialled address be fixed.
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=tls or httpx.create_ssl_context(trust_env=False),
            max_connections=connections,
            keepalive_expiry=5.0,
            network_backend=PinnedBackend(resolver, _open_origins(self._origins), dial),
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        await self._pool.__aexit__(kind, error, trace)

    async def fetch(
        self,
        url: str,
        *,
        accept: str = "*/*",
        etag: str | None = None,
        last_modified: str | None = None,
        body: bytes | None = None,
        private: Mapping[str, str] | None = None,
        max_bytes: int = DEFAULT_BYTES,
        deadline: float = DEFAULT_DEADLINE,
    ) -> Fetched:
        """The answer to a GET, after at most five redirects, each checked like the first.

        With a ``body`` it is a POST of that JSON, whose redirects are not followed.
        ``private`` are headers for this host alone: a redirect elsewhere goes without them.
        ``deadline`` is in seconds over everything, ``max_bytes`` counts decoded bytes.
        Raises UrlInvalidError, UrlBlockedError, ResponseTooLargeError,
        EncodingUnsupportedError, FetchTimeoutError and TransientNetworkError.
        """
        headers = {"Accept": accept, "Accept-Encoding": "gzip", "User-Agent": _AGENT}
        if etag:
            headers["If-None-Match"] = etag
        if last_modified:
            headers["If-Modified-Since"] = last_modified
        try:
            with anyio.fail_after(deadline):
                return await self._follow(url, headers, private or {}, body, max_bytes)
        except TimeoutError:
            raise FetchTimeoutError("the answer took too long; try again later") from None

    async def _follow(
        self,
        url: str,
        headers: dict[str, str],
        private: Mapping[str, str],
        body: bytes | None,
        max_bytes: int,
    ) -> Fetched:
        first = check_url(url, other_ports=self._other_ports)
        hop = first
        for _ in range(MAX_REDIRECTS + 1):
            own = (hop.scheme, hop.authority) == (first.scheme, first.authority)
            answer = await self._hop(hop, headers | (private if own else {}), body, max_bytes)
            location = answer.headers.get("location")
            if answer.status not in _REDIRECTS or not location or body is not None:
                return answer
            hop = check_url(_joined(answer.url, location), other_ports=self._other_ports)
        raise UrlBlockedError("the URL redirects more than five times; open it and copy the last")

    async def _hop(
        self, url: WebUrl, headers: Mapping[str, str], body: bytes | None, max_bytes: int
    ) -> Fetched:
        sent = [("Host", url.authority), *headers.items()]
        if body is not None:
            sent += [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        request = httpcore.Request(
            "GET" if body is None else "POST",
            self._destination(url),
            headers=sent,
            content=body,
            extensions={"timeout": {"connect": _CONNECT_SECONDS}},
        )
        with _network_failures():
            response = await self._pool.handle_async_request(request)
            try:
                return await _read(url, response, max_bytes)
            finally:
                await response.aclose()

    def _destination(self, url: WebUrl) -> httpcore.URL:
        origin = self._origins.get(url.host)
        if origin is None:
            scheme, host, port = url.scheme, url.host, url.port
        else:
            parts = urlsplit(origin)
            scheme, host, port = parts.scheme, parts.hostname or "", parts.port or 80
        return httpcore.URL(
            scheme=scheme.encode(), host=host.encode(), port=port, target=url.target.encode()
        )


async def _read(url: WebUrl, response: httpcore.Response, max_bytes: int) -> Fetched:
    pairs = [
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, value in response.headers
    ]
    headers = dict(pairs)
    body = b""
    # A redirect's or refusal's body is of no use to anyone, so it is not read at all.
    if response.status not in _REDIRECTS and response.status < 400:
        encodings = [value for name, value in pairs if name == "content-encoding"]
        body = await read_body(response.aiter_stream(), encodings, max_bytes)
    return Fetched(response.status, str(url), headers, body)


@contextmanager
def _network_failures() -> Iterator[None]:
    try:
        yield
    except httpcore.TimeoutException:
        raise FetchTimeoutError("the host took too long to answer; try again later") from None
    except (httpcore.NetworkError, httpcore.ProtocolError, ssl.SSLError):
        raise TransientNetworkError(
            "the connection failed or the host broke off; try again later"
        ) from None


def _joined(base: str, location: str) -> str:
    try:
        return urljoin(base, location)
    except ValueError:
        raise UrlInvalidError("the host redirects to something that is not a URL") from None


def _open_origins(origins: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    parts = [urlsplit(origin) for origin in origins.values()]
    return frozenset((part.hostname or "", part.port or 80) for part in parts)


def retry_after(headers: Mapping[str, str], cap: float = MAX_RETRY_AFTER) -> float | None:
    """Seconds to wait by the answer's Retry-After, never above ``cap`` (ERR-3).

    Reads both forms, seconds and HTTP date; None where there is none that makes sense.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), cap)
    try:
        moment = email.utils.parsedate_to_datetime(value)
        seconds = (moment - utc_now()).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0.0), cap)
