"""Bodies, unpacked by ourselves so that no answer grows past its cap."""

import zlib
from collections.abc import AsyncIterable

from jobsteward.kernel.errors import (
    EncodingUnsupportedError,
    ResponseTooLargeError,
    TransientNetworkError,
)

_GZIP = 31  # zlib's window bits for gzip framing
_GZIP_NAMES = frozenset({"gzip", "x-gzip"})


async def read_body(chunks: AsyncIterable[bytes], encodings: list[str], max_bytes: int) -> bytes:
    """The decoded body, at most ``max_bytes`` long; packed bytes count against it too.

    ``encodings`` are the answer's Content-Encoding values. Raises
    EncodingUnsupportedError for anything but one plain gzip, ResponseTooLargeError past
    the cap, TransientNetworkError for a body that ends early.
    """
    inflate = _needs_inflating(encodings)
    reader = _Gunzip(max_bytes) if inflate else _Plain(max_bytes)
    received = 0
    async for chunk in chunks:
        received += len(chunk)
        if received > max_bytes:
            raise _too_large()
        reader.feed(chunk)
    return reader.finish()


def _needs_inflating(encodings: list[str]) -> bool:
    names = [name.strip().lower() for value in encodings for name in value.split(",")]
    match [name for name in names if name and name != "identity"]:
        case []:
            return False
        case [name] if name in _GZIP_NAMES:
            return True
    raise EncodingUnsupportedError("the answer is packed in a way that was not asked for")


def _too_large() -> ResponseTooLargeError:
    return ResponseTooLargeError("the answer is larger than its reader allows")


class _Plain:
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._out = bytearray()

    def feed(self, chunk: bytes) -> None:
        self._out += chunk
        if len(self._out) > self._max_bytes:
            raise _too_large()

    def finish(self) -> bytes:
        return bytes(self._out)


class _Gunzip(_Plain):
    # httpx inflates a whole network chunk before its caller sees a byte; max_length stops
    # a bomb inside the chunk.
    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._member = zlib.decompressobj(_GZIP)
        self._started = False

    def feed(self, chunk: bytes) -> None:
        while chunk:
            self._started = True
            room = self._max_bytes - len(self._out)
            try:
                piece = self._member.decompress(chunk, room + 1)
            except zlib.error:
                raise EncodingUnsupportedError("the answer says gzip but is not") from None
            super().feed(piece)
            chunk = self._member.unused_data if self._member.eof else b""
            if chunk:
                self._member = zlib.decompressobj(_GZIP)

    def finish(self) -> bytes:
        if self._started and not self._member.eof:
            raise TransientNetworkError("the answer ended early; try again")
        return super().finish()
