"""Words and texts out of structured data: plain, escaped once too often, nested or listed."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Any

from jobsteward.discover.payload import Item
from jobsteward.discover.text import markdown, one_line, paragraphs

_MAX_WORDS = 400
_MAX_DEPTH = 4
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_INLINE = re.compile(
    r"</?(?:a|abbr|b|br|code|em|font|h\d|i|p|small|span|strong|sub|sup|u)\b[^<>]{0,300}>",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"<(?:p|br|li|ul|ol|div|h[1-6]|table|tr|section|article)\b", re.IGNORECASE)
_ESCAPED_TAG = re.compile(r"&(?:amp;)*lt;/?[a-zA-Z]")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,10}|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
# "\n" written out as two characters, where it cannot be the start of a word in a path.
_WRITTEN_BREAK = re.compile(r"(?:\\r)?\\n(?=\\|\s|<|[^\w]|[A-Z\d]|$)")
_NAMING = ("@value", "name", "value", "credentialCategory", "codeValue", "description")


def field(node: Item, name: str) -> Any:
    """The value under the name, also where the name is written with schema.org's prefix."""
    for written in (name, f"schema:{name}", f"http://schema.org/{name}"):
        if node.get(written) is not None:
            return node[written]
    return None


def every_words(value: Any) -> list[str]:
    """Every short text in the value: itself, its name, or those of its entries."""
    return list(islice(_words(value, 0), _MAX_WORDS))


def first_words(value: Any) -> str | None:
    """The first short text in the value; None where there is none."""
    return next(_words(value, 0), None)


def _words(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, bool) or depth > _MAX_DEPTH:
        return
    if isinstance(value, str | int | float):
        line = one_line(_INLINE.sub(" ", _unescaped(str(value)[:4000])))
        if line:
            yield line
    elif isinstance(value, list):
        for entry in value:
            yield from _words(entry, depth + 1)
    elif isinstance(value, dict):
        for name in _NAMING:
            found = list(_words(field(value, name), depth + 1))
            if found:
                yield from found
                return


def _unescaped(text: str) -> str:
    once = unescape(text)
    return unescape(once) if _ENTITY.search(once) else once


def text_block(value: Any) -> str | None:
    """The value's text as Markdown, a list as bullet points; None where there is none.

    Takes HTML, HTML escaped once or twice more, and plain text with line breaks.
    """
    if isinstance(value, list):
        entries = [text_block(entry) for entry in value[:_MAX_WORDS]]
        lines = [entry for entry in entries if entry]
        return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines) or None
    if isinstance(value, dict):
        return _months(field(value, "monthsOfExperience")) or text_block(
            next((stated for name in _NAMING if (stated := field(value, name))), None)
        )
    if isinstance(value, str):
        return _from_html(value)
    return first_words(value)


def _months(value: Any) -> str | None:
    months = first_words(value)
    return f"{months} months of experience" if months else None


def _from_html(text: str) -> str | None:
    for _ in range(2):
        if not _TAG.search(text) and _ESCAPED_TAG.search(text):
            text = unescape(text)
    text = _WRITTEN_BREAK.sub("\n", text)
    if not _TAG.search(text):
        return paragraphs(_unescaped(text))
    if not _BLOCK.search(text):
        text = text.strip().replace("\n", "<br>")
    return markdown(text)
