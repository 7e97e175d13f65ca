"""The outbound client: one checked request after another, capped in size, time, redirects."""

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
from jobsteward.kernel.errors import (
    FetchTimeoutError,
    HostCoolingError,
    TransientNetworkError,
    UrlBlockedError,
    UrlInvalidError,
)
from jobsteward.net.answers import REDIRECTS, Fetched
from jobsteward.net.body import read_body
from jobsteward.net.connect import PinnedBackend, Resolver, resolve
from jobsteward.net.manners import THIS_MACHINE, Manners
from jobsteward.net.robots import MAX_BYTES as ROBOTS_BYTES
from jobsteward.net.robots import RobotsFiles
from jobsteward.net.urls import WebUrl, check_url

MEBIBYTE = 1024 * 1024
DEFAULT_BYTES = 5 * MEBIBYTE
DEFAULT_DEADLINE = 30.0
MAX_REDIRECTS = 5

_CONNECTIONS = 20
_CONNECT_SECONDS = 10.0
_ROBOTS_DEADLINE = 15.0
_AGENT = f"jobsteward/{__version__} (+https://github.com/jobsteward/jobsteward)"
_ALWAYS_SENT = {"Accept-Encoding": "gzip", "User-Agent": _AGENT}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What one fetch sends and takes, the same at each of its hops."""

    headers: Mapping[str, str]
    private: Mapping[str, str]
    body: bytes | None
    max_bytes: int
    budget: "_Budget"


class _Budget:
    """The seconds that a fetch may spend on the network; waiting for a turn costs none."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Raises FetchTimeoutError where the seconds run out inside."""
        began = anyio.current_time()
        try:
            with anyio.fail_after(max(self._left, 0.0)):
                yield
        except TimeoutError:
            raise FetchTimeoutError("the answer took too long; try again later") from None
        finally:
            self._left -= anyio.current_time() - began


class Outbound:
    """Fetches pages from the public internet; the only part that does (SEC-3).

    Used as an async context manager. Nothing is carried from one fetch to the next: no
    cookies, no credentials, no proxy settings of the environment. ``origin_map`` sends
    whole hosts to a server on this machine instead, for tests and the demo. With
    ``manners``, as every worker has them, robots.txt, pace, caps and breaker of each host
    are kept (DIS-11), and what is likely to pass is tried again.
    """

    def __init__(
        self,
        *,
        origin_map: Mapping[str, str] | None = None,
        manners: Manners | None = None,
        other_ports: bool = False,
        connections: int = _CONNECTIONS,
        resolver: Resolver = resolve,
        dial: httpcore.AsyncNetworkBackend | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._origins = {host.lower(): origin for host, origin in (origin_map or {}).items()}
        self._other_ports = other_ports
        self._manners = manners
        self._robots = RobotsFiles(self._robots_file)
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
        ``deadline`` is in seconds over everything but the wait for a turn, ``max_bytes``
        counts decoded bytes. Raises UrlInvalidError, UrlBlockedError, ResponseTooLargeError,
        EncodingUnsupportedError, FetchTimeoutError and TransientNetworkError; with manners
        also HostClosedError, SourceUnavailableError and what their records raise.
        """
        headers = {"Accept": accept}
        if etag:
            headers["If-None-Match"] = etag
        if last_modified:
            headers["If-Modified-Since"] = last_modified
        wanted = _Wanted(headers, private or {}, body, max_bytes, _Budget(deadline))
        if self._manners is None:
            return await self._follow(url, wanted)
        return await self._persist(self._manners, url, wanted)

    async def _persist(self, manners: Manners, url: str, wanted: _Wanted) -> Fetched:
        answer: Fetched | None = None
        tries = 0
        while True:
            tries += 1
            try:
                answer = await self._follow(url, wanted)
                again = await manners.pause(tries, answer)
            except FetchTimeoutError:
                raise
            except TransientNetworkError:
                if not await manners.pause(tries, None):
                    raise
            except HostCoolingError:
                if answer is None:
                    raise
                return answer
            else:
                if not again:
                    return answer

    async def _follow(self, url: str, wanted: _Wanted, for_robots: bool = False) -> Fetched:
        first = check_url(url, other_ports=self._other_ports)
        hop = first
        for _ in range(MAX_REDIRECTS + 1):
            own = (hop.scheme, hop.authority) == (first.scheme, first.authority)
            headers = {**wanted.headers, **(wanted.private if own else {})}
            answer = await self._visit(hop, headers, wanted, for_robots)
            location = answer.headers.get("location")
            if answer.status not in REDIRECTS or not location or wanted.body is not None:
                return answer
            hop = check_url(_joined(answer.url, location), other_ports=self._other_ports)
        raise UrlBlockedError("the URL redirects more than five times; open it and copy the last")

    async def _visit(
        self, url: WebUrl, headers: Mapping[str, str], wanted: _Wanted, for_robots: bool
    ) -> Fetched:
        if self._manners is None:
            return await self._hop(url, headers, wanted)
        pace = THIS_MACHINE if url.host in self._origins else self._manners.pace(url.host)
        if not for_robots:
            pace = pace.slowed((await self._robots.check(url)).crawl_delay)
        async with self._manners.visit(url.host, pace) as visit:
            answer = await self._hop(url, headers, wanted)
            # Many hosts forbid the listing of files that are not there, a robots.txt too.
            if not (for_robots and answer.status == 403):
                await visit.note(answer)
        return answer

    async def _robots_file(self, address: str) -> Fetched:
        budget = _Budget(_ROBOTS_DEADLINE)
        wanted = _Wanted({"Accept": "text/plain, */*"}, {}, None, ROBOTS_BYTES, budget)
        return await self._follow(address, wanted, for_robots=True)

    async def _hop(self, url: WebUrl, headers: Mapping[str, str], wanted: _Wanted) -> Fetched:
        body = wanted.body
        sent = [("Host", url.authority), *_ALWAYS_SENT.items(), *headers.items()]
        if body is not None:
            sent += [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        request = httpcore.Request(
            "GET" if body is None else "POST",
            self._destination(url),
            headers=sent,
            content=body,
            extensions={"timeout": {"connect": _CONNECT_SECONDS}},
        )
        with wanted.budget.spend(), _network_failures():
            response = await self._pool.handle_async_request(request)
            try:
                return await _read(url, response, wanted.max_bytes)
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
    if response.status not in REDIRECTS and response.status < 400:
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
