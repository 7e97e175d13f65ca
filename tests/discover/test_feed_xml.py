"""XML that is damaged, hostile or merely careless (SEC-4, S24)."""

import pytest

from jobsteward.discover.feed_xml import read_xml, several
from jobsteward.kernel.errors import SourceUnavailableError


def items(inner: str, head: str = "<rss>") -> list[object]:
    return list(read_xml(f"{head}{inner}</rss>".encode(), "rss", "item"))


def test_elements_become_plain_values() -> None:
    read = items("<item><a> x </a><b><c>1</c><c>2</c></b><d/></item>")
    assert read == [{"a": "x", "b": {"c": ["1", "2"]}, "d": ""}]


def test_prefixes_are_left_out_and_cdata_is_text() -> None:
    head = '<rss xmlns:tt="https://feeds.example/ns">'
    assert items("<item><tt:a><![CDATA[<p>x & y</p>]]></tt:a></item>", head) == [
        {"a": "<p>x & y</p>"}
    ]


def test_several_takes_one_many_or_none() -> None:
    assert [several(value) for value in (["a", "b"], "a", {"x": 1}, "", None)] == [
        ["a", "b"],
        ["a"],
        [{"x": 1}],
        [],
        [],
    ]


def test_html_entities_and_control_characters_cost_nothing() -> None:
    assert items("<item><a>caf&eacute;&nbsp;&amp;\x0b co</a></item>") == [{"a": "café\xa0& co"}]


def test_one_broken_element_keeps_its_place_and_costs_no_other() -> None:
    read = items("<item><a>1</a></item><item><a>2</b></item><item><a>3</a></item>")
    assert read == [{"a": "1"}, None, {"a": "3"}]


def test_what_came_before_the_cut_is_read() -> None:
    cut = b'<rss xmlns:tt="u"><item><tt:a>1</tt:a></item><item><tt:a>2</tt'
    assert read_xml(cut, "rss", "item") == [{"a": "1"}, None]


@pytest.mark.parametrize(
    "hostile",
    [
        '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><rss><item><t>&b;</t></item></rss>',
        '<!DOCTYPE r SYSTEM "file:///etc/passwd"><rss><item><t>x</t></item></rss>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><t>&x;</t></item></rss>',
    ],
)
def test_a_document_type_is_never_followed(hostile: str) -> None:
    read = read_xml(hostile.encode(), "rss", "item")
    assert "aa" not in str(read) and "root:" not in str(read)


def test_depth_has_an_end() -> None:
    deep = "<item>" + "<a>" * 3000 + "x" + "</a>" * 3000 + "</item>"
    assert len(items(deep)) == 1


@pytest.mark.parametrize(
    "payload",
    [b"", b"{}", b"<html><item/></html>", b"<rss", b"<rssx><item>", b"\xff\xfe<\x00r\x00",
     b'<?xml version="1.0" encoding="no-such"?><feed/>'],
)  # fmt: skip
def test_another_document_is_no_feed(payload: bytes) -> None:
    with pytest.raises(SourceUnavailableError):
        read_xml(payload, "rss", "item")


def test_an_empty_feed_is_empty() -> None:
    assert items("<channel/>") == []


def test_a_feed_in_utf_16_is_read() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><rss><item><a>ł</a></item></rss>'
    assert read_xml(text.encode("utf-16"), "rss", "item") == [{"a": "ł"}]
