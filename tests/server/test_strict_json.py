"""Strict JSON: what every reader takes alike passes, the rest is refused fast (SEC-8, S24-S26)."""

import json
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.requests import Request
from starlette.types import Message

from jobsteward.kernel.errors import BadJsonError, InvalidTextError, PayloadTooLargeError
from jobsteward_server import strict_json
from jobsteward_server.strict_json import MAX_DEPTH, MAX_STRING_BYTES, MAX_VALUES, parse

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
)
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=30,
)


@given(document=DOCUMENTS, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]))
def test_reads_what_the_standard_reader_reads(
    document: object, ascii_only: bool, indent: int | None
) -> None:
    body = json.dumps(document, ensure_ascii=ascii_only, indent=indent).encode()
    assert repr(parse(body)) == repr(json.loads(body))


@given(body=st.binary(max_size=60) | TEXT.map(str.encode))
@settings(max_examples=300)
def test_arbitrary_bytes_are_read_or_refused_by_name(body: bytes) -> None:
    try:
        document = parse(body)
    except (BadJsonError, InvalidTextError):
        return
    assert document == json.loads(body)


@given(document=DOCUMENTS, cut=st.integers(1, 30))
def test_a_truncated_container_is_refused(document: object, cut: int) -> None:
    body = json.dumps({"document": document}).encode()
    with pytest.raises(BadJsonError):
        parse(body[: max(0, len(body) - cut)])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"job":"a","job":"b"}', id="S25 duplicate member"),
        pytest.param(b'{"a":{"x":1,"\\u0078":2}}', id="S25 duplicate member, escaped"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', id="S25 byte order mark"),
        pytest.param('{"a":1}'.encode("utf-16"), id="S25 UTF-16 with mark"),
        pytest.param('{"a":1}'.encode("utf-16-le"), id="S25 UTF-16"),
        pytest.param(b'{"a":"\xff"}', id="S25 invalid UTF-8"),
        pytest.param(b'{"a":"\xed\xa0\x80"}', id="S25 UTF-8 encoded surrogate"),
        pytest.param(b'{"a":"\xc0\x80"}', id="S25 overlong NUL"),
        pytest.param(b'{"a":1} x', id="S25 trailing garbage"),
        pytest.param(b'{"a":1}{"b":2}', id="S25 two documents"),
        pytest.param(b"", id="empty"),
        pytest.param(b"   ", id="blank"),
        pytest.param(b'{"a":NaN}', id="NaN"),
        pytest.param(b'{"a":Infinity}', id="Infinity"),
        pytest.param(b'{"a":-Infinity}', id="-Infinity"),
        pytest.param(b'{"a":1e999}', id="overflow"),
        pytest.param(b'{"a":9223372036854775808}', id="2**63"),
        pytest.param(b'{"a":-9223372036854775809}', id="-2**63-1"),
        pytest.param(b'{"a":' + b"9" * 5_000 + b"}", id="5,000 digits"),
        pytest.param(b'{"a":0.' + b"1" * 5_000 + b"}", id="5,000 decimals"),
        pytest.param(b'{"a":"x\0y"}', id="raw NUL"),
        pytest.param(b'{"a":"x\ny"}', id="raw control character"),
        pytest.param(b'{"a":"unfinished', id="unfinished string"),
        pytest.param(b"{'a':1}", id="single quotes"),
        pytest.param(b'{"a":1,}', id="trailing comma"),
        pytest.param(b'{"a":01}', id="leading zero"),
        pytest.param(b'{"a":1/*x*/}', id="comment"),
    ],
)
def test_refuses_what_readers_disagree_on(body: bytes) -> None:
    with pytest.raises(BadJsonError):
        parse(body)


@pytest.mark.parametrize(
    "body",
    [
        rb'{"title":"\ud800"}',
        rb'{"title":"\udc00\ud800"}',
        rb'{"\ud800":1}',
        rb'{"title":"a\u0000b"}',
        rb'{"a\u0000":1}',
        rb'[["deep",{"x":"\u0000"}]]',
    ],
)
def test_refuses_text_that_no_store_keeps(body: bytes) -> None:
    """S24."""
    with pytest.raises(InvalidTextError):
        parse(body)


def test_keeps_strange_but_whole_text() -> None:
    """S24: direction marks, tag characters and pairs of escapes are only text."""
    text = "\u202e\U000e0041 e\u0301\U0001f600"
    assert parse(json.dumps({"t": text}).encode()) == {"t": text}


def test_the_limits_themselves_pass() -> None:
    """S26: exactly 64 levels, 10,000 elements, 64 KiB, both ends of 64 bits."""
    deep = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert parse(deep) is not None
    assert len(parse(b"[" + b",".join([b"1"] * MAX_VALUES) + b"]")) == MAX_VALUES
    assert len(parse(b'"' + b"x" * MAX_STRING_BYTES + b'"')) == MAX_STRING_BYTES
    assert parse(b"[-9223372036854775808,9223372036854775807]") == [-(2**63), 2**63 - 1]
    assert parse(b'{"a":1,"b":1.0,"c":1e2,"d":-0.0}') == {"a": 1, "b": 1.0, "c": 100.0, "d": -0.0}


HOSTILE = {
    "depth 65": b"[" * 65 + b"]" * 65,
    "depth 100,000": b"[" * 100_000,
    "objects 100,000 deep": b'{"a":' * 100_000,
    "400,000 keys": b"{" + b",".join(b'"k%d":1' % n for n in range(70_000)) + b"}",
    "400,000 elements": b"[" + b"1," * 400_000 + b"1]",
    "empty arrays": b"[" + b"[]," * 300_000 + b"[]]",
    "juxtaposed arrays": b"[]" * 500_000,
    "juxtaposed strings": b'""' * 500_000,
    "unfinished string": b'"' + b"x" * 1_000_000,
    "unfinished string of escaped quotes": b'"' + b'\\"' * 500_000,
    "backslashes": b'"' + b"\\" * 1_000_001,
    "digits": b"1" * 1_000_000,
    "decimals": b"0." + b"1" * 1_000_000,
    "blanks": b" " * 1_000_000,
    "minus signs": b"-" * 1_000_000,
    "duplicate members": b"{" + b",".join([b'"a":1'] * 9_000) + b"}",
}


def refusal_seconds(body: bytes) -> float:
    """CPU time of this process until the refusal."""
    started = time.process_time()
    with pytest.raises(BadJsonError):
        parse(body)
    return time.process_time() - started


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_refused_quickly(name: str) -> None:
    """S26: at most 200 ms of this process's time and 50 MB, whatever one MiB holds."""
    body = HOSTILE[name]
    assert min(refusal_seconds(body) for _ in range(3)) < 0.2
    tracemalloc.start()
    with pytest.raises(BadJsonError):
        parse(body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000


@pytest.mark.parametrize(
    "body", [b'"' + b"x" * 1_000_000 + b'"', b'{"n":"' + "\u0301".encode() * 500_000 + b'"}']
)
def test_one_long_string_is_too_large(body: bytes) -> None:
    """S24, S26: a megabyte in one string is a 413."""
    started = time.process_time()
    with pytest.raises(PayloadTooLargeError):
        parse(body)
    assert time.process_time() - started < 0.2


def test_the_largest_good_document_is_read_quickly() -> None:
    body = json.dumps({f"k{n}": "text " * 15 for n in range(9_999)}).encode()
    started = time.process_time()
    assert len(parse(body)) == 9_999
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize("secret", ["hunter2", "person@example.test"])
def test_refusals_never_repeat_the_body(secret: str) -> None:
    """S40."""
    for body in (f'{{"{secret}":1,"{secret}":2}}', f'{{"a":{secret}}}', f'{{"a":"{secret}'):
        with pytest.raises(BadJsonError) as refusal:
            parse(body.encode())
        assert secret not in refusal.value.message
        assert refusal.value.__cause__ is None


@pytest.mark.anyio
@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"', b"true"])
async def test_a_route_takes_only_an_object(body: bytes) -> None:
    """S25: an array or null as the whole body is a 400."""
    with pytest.raises(BadJsonError):
        await strict_json.read_json_object(_request(body))
    assert await strict_json.read_json_object(_request(b'{"a":1}')) == {"a": 1}


def _request(body: bytes) -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request({"type": "http", "headers": []}, receive)
