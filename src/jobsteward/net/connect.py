"""Connections that go only to an address which was checked just before."""

import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import anyio
import httpcore

from jobsteward.kernel.errors import TransientNetworkError, UrlBlockedError
from jobsteward.net.addresses import is_public

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host, in the order to try them; raises OSError where it has none."""

_TRIED = 3


async def resolve(host: str, port: int) -> Sequence[str]:
    """The host's addresses by the system's own look-up."""
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(entry[4][0] for entry in found))


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """Looks a host up once per connection and dials only public addresses of that answer.

    The check and the dialled address are the same value, so a name that changes its answer
    between two look-ups gains nothing (rebinding). TLS still verifies the host's own name.
    ``open_origins`` are the (host, port) pairs of the settings' origin map: the one way to
    this machine, for tests and the demo.
    """

    def __init__(
        self,
        resolver: Resolver,
        open_origins: frozenset[tuple[str, int]],
        dial: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._resolver = resolver
        self._open_origins = open_origins
        self._dial = dial or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A stream to the first address that answers. Raises UrlBlockedError where none is
        public, httpcore's own errors where none answers."""
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in await self._addresses(host, port):
            try:
                stream = await self._dial.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream)
        raise failure or httpcore.ConnectError("no address to dial")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Refused: nothing on this machine is fetched."""
        raise UrlBlockedError("sockets of this machine are never fetched")

    async def sleep(self, seconds: float) -> None:
        """Wait, for the pool's own use."""
        await anyio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        if (host, port) in self._open_origins:
            return [host]
        try:
            found = await self._resolver(host, port)
        except OSError:
            raise TransientNetworkError(
                "the host's name was not found; check the URL and the connection"
            ) from None
        public = [address for address in found if is_public(address)]
        if not public:
            raise UrlBlockedError("the host leads to a private address; it is not fetched")
        return public[:_TRIED]


class _Stream(httpcore.AsyncNetworkStream):
    """A stream that also closes when its TLS handshake is cancelled.

    httpcore closes it on errors only, so a handshake that stalls until our deadline would
    leave the socket open.
    """

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        secure = None
        try:
            secure = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        finally:
            if secure is None:
                with anyio.CancelScope(shield=True):
                    await self._inner.aclose()
        return secure

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)
