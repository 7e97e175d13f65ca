"""Moments told from one process to another: a datagram with a name and a monotonic time."""

import asyncio
import os
import socket
import time

PORT = "BENCHMARK_MARKS_PORT"
"""Environment variable that tells a process where to send its marks."""


class Marks(asyncio.DatagramProtocol):
    """Receives marks; the times are the senders', so that delivery costs nothing."""

    def __init__(self) -> None:
        self._moments: dict[str, asyncio.Future[int]] = {}
        self._transport: asyncio.DatagramTransport | None = None
        self.count = 0

    @classmethod
    async def listen(cls) -> "Marks":
        """A receiver on a free port, which child processes learn from the environment."""
        loop = asyncio.get_running_loop()
        transport, marks = await loop.create_datagram_endpoint(cls, local_addr=("127.0.0.1", 0))
        marks._transport = transport
        os.environ[PORT] = str(transport.get_extra_info("sockname")[1])
        return marks

    def datagram_received(self, data: bytes, addr: object) -> None:
        """Note one mark; the first of a name stands."""
        name, _, moment = data.decode().partition(" ")
        self.count += 1
        future = self._of(name)
        if not future.done():
            future.set_result(int(moment))

    async def of(self, name: str, within: float = 30.0) -> int:
        """The mark of that name, in nanoseconds of the monotonic clock, once it came."""
        async with asyncio.timeout(within):
            return await self._of(name)

    def close(self) -> None:
        """Stop listening."""
        if self._transport:
            self._transport.close()

    def _of(self, name: str) -> asyncio.Future[int]:
        if name not in self._moments:
            self._moments[name] = asyncio.get_running_loop().create_future()
        return self._moments[name]


class Marker:
    """Sends marks to the receiver that the environment names, if any."""

    def __init__(self) -> None:
        port = os.environ.get(PORT)
        self._address = ("127.0.0.1", int(port)) if port else None
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, name: str, moment: int) -> None:
        """Send it, without waiting for anybody."""
        if self._address:
            self._socket.sendto(f"{name} {moment}".encode(), self._address)


def now() -> int:
    """Nanoseconds of the clock that every process of this machine shares."""
    return time.monotonic_ns()
