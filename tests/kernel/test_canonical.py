"""Equal requests have one fingerprint; different ones never share it (ADM-3, S22)."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsteward.kernel.canonical import canonical_json, digest

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ('{"a": 1, "b": 2}', '{"b":2,\n "a":1}'),
        ('{"a": "\\u00e9"}', '{"a": "é"}'),
        ('{"a": {"y": [1], "x": 2}}', '{"a": {"x": 2, "y": [1]}}'),
    ],
    ids=["order and space", "escapes", "nested order"],
)
def test_spelling_does_not_matter(left: str, right: str) -> None:
    """S22: member order, white space and escapes are folded."""
    assert digest(json.loads(left)) == digest(json.loads(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"a": 1}, {"a": 1.0}),
        ({"a": "\u00e9"}, {"a": "e\u0301"}),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": 1}, {"a": True}),
        ({"a": [1, 2]}, {"a": [2, 1]}),
        ({"a": ""}, {"a": None}),
    ],
    ids=["1 and 1.0", "NFC and NFD", "extra null", "1 and true", "list order", "empty and null"],
)
def test_meaning_does(left: Any, right: Any) -> None:
    """S22: what a program could tell apart is another request."""
    assert digest(left) != digest(right)


@given(_JSON)
def test_it_reads_back_as_itself(value: Any) -> None:
    """The canonical form loses nothing and is a fixed point."""
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text


@given(_JSON, _JSON)
def test_equal_text_means_equal_json(left: Any, right: Any) -> None:
    """Two values share a canonical form only if any JSON reader sees them alike."""
    if canonical_json(left) == canonical_json(right):
        assert json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_no_number_that_json_lacks(number: float) -> None:
    """NaN and infinity have no JSON form."""
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"a": number})
