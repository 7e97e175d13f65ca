"""A stored place in a list leads back to it, and holds no key (DIS-6, SEC-6)."""

import json

import pytest

from jobsteward.discover.checkpoint import read, written
from jobsteward.discover.pages import Position
from jobsteward.discover.source import Request
from jobsteward.kernel.errors import CursorSchemaError

FIRST = Request(
    "https://api.jobs.test/list?app_key=s3cret&what=weaver&page=1",
    headers=(("Authorization-Key", "s3cret"),),
)


def test_nothing_stored_is_the_start() -> None:
    assert read(None, FIRST) == Position()


def test_what_the_first_request_has_as_well_is_not_stored() -> None:
    following = Request(
        "https://api.jobs.test/list?app_key=s3cret&what=weaver&page=2",
        place=2,
        headers=FIRST.headers,
    )
    position = Position(following, False, 40, 1, 2, 90)
    stored = json.loads(json.dumps(written(position, FIRST)))
    assert "s3cret" not in json.dumps(stored)
    assert read(stored, FIRST) == position


def test_a_body_is_kept() -> None:
    first = Request("https://jobs.test/list", body=b'{"offset":0}')
    following = Request("https://jobs.test/list", body=b'{"offset":20}', place=20)
    position = Position(following, False, 20)
    assert read(written(position, first), first) == position


def test_the_end_is_kept() -> None:
    ended = Position(None, True, 5, 0, 1, 5)
    assert read(written(ended, FIRST), FIRST) == ended


def test_another_schema_is_refused() -> None:
    with pytest.raises(CursorSchemaError):
        read(written(Position(), FIRST) | {"schema": 0}, FIRST)
