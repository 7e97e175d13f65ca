"""Unpacking within a cap, whatever the answer claims (S08)."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest

from jobsteward.kernel.errors import (
    EncodingUnsupportedError,
    ResponseTooLargeError,
    TransientNetworkError,
)
from jobsteward.net.body import read_body

MIB = 1024 * 1024


async def chunks(*parts: bytes) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def zeros(mebibytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(MIB)
    return b"".join(packer.compress(block) for _ in range(mebibytes)) + packer.flush()


@pytest.mark.anyio
async def test_s08_a_gzip_bomb_stops_at_the_cap() -> None:
    bomb = zeros(256)
    tracemalloc.start()
    started = time.monotonic()
    with pytest.raises(ResponseTooLargeError):
        await read_body(chunks(bomb), ["gzip"], 5 * MIB)
    elapsed, peak = time.monotonic() - started, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert elapsed < 1 and peak < 32 * MIB


@pytest.mark.anyio
@pytest.mark.parametrize("names", [["gzip, gzip"], ["gzip", "gzip"], ["deflate"], ["br"], ["zstd"],
                                   ["gzip, identity, br"], ["something-new"]])  # fmt: skip
async def test_s08_other_encodings_are_refused(names: list[str]) -> None:
    with pytest.raises(EncodingUnsupportedError):
        await read_body(chunks(gzip.compress(b"x")), names, MIB)


@pytest.mark.anyio
@pytest.mark.parametrize("names", [[], ["identity"], [""]])
async def test_plain_bodies_pass_unchanged(names: list[str]) -> None:
    assert await read_body(chunks(b"ab", b"", b"c"), names, 3) == b"abc"


@pytest.mark.anyio
async def test_plain_bodies_stop_at_the_cap() -> None:
    with pytest.raises(ResponseTooLargeError):
        await read_body(chunks(b"ab", b"cd"), [], 3)


@pytest.mark.anyio
@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_gzip_in_any_chunking_and_several_members(size: int) -> None:
    packed = gzip.compress(b"one ") + gzip.compress(b"two")
    parts = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert await read_body(chunks(*parts), ["GZIP"], MIB) == b"one two"


@pytest.mark.anyio
async def test_a_body_of_exactly_the_cap_passes() -> None:
    assert len(await read_body(chunks(gzip.compress(bytes(MIB))), ["gzip"], MIB)) == MIB


@pytest.mark.anyio
async def test_a_cut_gzip_body_can_be_tried_again() -> None:
    with pytest.raises(TransientNetworkError):
        await read_body(chunks(gzip.compress(b"text" * 100)[:-9]), ["gzip"], MIB)


@pytest.mark.anyio
async def test_a_false_gzip_claim_is_refused() -> None:
    with pytest.raises(EncodingUnsupportedError):
        await read_body(chunks(b"<html>"), ["gzip"], MIB)
