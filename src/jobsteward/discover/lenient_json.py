"""JSON as web pages really carry it: read strictly where it is right, repaired where it is not."""

import json
import re
from html import unescape
from typing import Any

from jobsteward.kernel.errors import BadJsonError

MAX_CHARACTERS = 2_000_000
_MAX_DEPTH = 60

_OPENINGS = ("<!--", "<![CDATA[", "//<![CDATA[", "// <![CDATA[", "/*<![CDATA[*/", "/* <![CDATA[ */")
_CLOSINGS = (";", "// ]]>", "//]]>", "/*]]>*/", "/* ]]> */", "//-->", "// -->", "]]>", "-->")
_SPACE = re.compile(r"\s*+")
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_WORD = re.compile(r"[^\s,:{}\[\]\"']+")
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?(?:[eE][+-]?\d{1,3})?")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"} | {
    char: char for char in ('"', "'", "\\", "/", "\n", "")
}
_CONSTANTS = {"true": True, "false": False}
# What follows a quotation mark that really ends a string: in an object a colon after a name,
# the next name or the end after a value; in a list the next value or the end.
_AFTER_NAME = re.compile(r"\s*+:")
_AFTER_MEMBER = re.compile(
    r"\s*+(?:$|[}\]]|/[/*]|(?:,\s*+)*+(?:$|[}\]]|/[/*]|\"[^\"\\\n]{1,100}\"\s*+:|'[^'\\\n]{1,100}'\s*+:))"
)
_AFTER_ITEM = re.compile(r"\s*+(?:$|[}\]]|/[/*]|,\s*+(?:[\"'{\[\]}\d-]|true|false|null|/[/*]|$))")


def read_json(text: str) -> Any:
    """The value of a JSON text, with the mistakes that pages make put right.

    Strict JSON comes back as `json.loads` gives it. Otherwise raw line breaks in strings,
    unknown escapes, quotation marks left bare in a string, single quotation marks, trailing
    or missing commas, comments, comment and CDATA wrappings, text escaped as HTML and a
    missing end are all read as they were meant. Raises BadJsonError for what holds neither
    an object nor a list, is nested over 60 deep, or has over two million characters.
    """
    if len(text) > MAX_CHARACTERS:
        raise BadJsonError("the structured data of this page is too large to read")
    text = _unwrapped(text)
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        pass
    else:
        return _shallow(value)
    if '"' not in text and "&quot;" in text:
        text = unescape(text)
    return _Reader(text).document()


def _unwrapped(text: str) -> str:
    text = text.strip("\ufeff \t\r\n\f\v\xa0")
    while text.startswith(_OPENINGS):
        text = text[max(len(mark) for mark in _OPENINGS if text.startswith(mark)) :].lstrip()
    while text.endswith(_CLOSINGS):
        text = text[: -max(len(mark) for mark in _CLOSINGS if text.endswith(mark))].rstrip()
    return text


def _shallow(value: Any) -> Any:
    layer = [value]
    for _ in range(_MAX_DEPTH):
        inner = [list(each.values()) if isinstance(each, dict) else each for each in layer]
        layer = [entry for each in inner if isinstance(each, list) for entry in each]
        if not layer:
            return value
    raise BadJsonError("the structured data of this page is nested too deeply")


class _Reader:
    """One pass over the text; ``at`` is the next character's place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> Any:
        """The first object or list; where several follow each other, a list of them all."""
        values: list[Any] = []
        while self._skip() in ("{", "["):
            values.append(self._value(0, _AFTER_ITEM))
            while self._skip() in (",", ";", "}", "]"):
                self._at += 1
        if not values:
            raise BadJsonError("the structured data of this page is no JSON")
        return values[0] if len(values) == 1 else values

    def _skip(self) -> str:
        """The next character that is neither space nor comment; "" at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._text.startswith("/*", self._at):
                self._at = self._behind("*/")
            elif self._text.startswith("//", self._at):
                self._at = self._behind("\n")
            else:
                return self._text[self._at : self._at + 1]

    def _behind(self, mark: str) -> int:
        place = self._text.find(mark, self._at + 2)
        return len(self._text) if place < 0 else place + len(mark)

    def _value(self, depth: int, ends: re.Pattern[str]) -> Any:
        if depth > _MAX_DEPTH:
            raise BadJsonError("the structured data of this page is nested too deeply")
        match self._skip():
            case "{":
                return self._object(depth)
            case "[":
                return self._list(depth)
            case '"' | "'" as mark:
                return self._string(mark, ends)
            case _:
                return self._word()

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._at += 1
        while (char := self._skip()) not in ("", "}"):
            if char in (",", ":", "]", "[", "{"):
                self._at += 1
                continue
            name = self._string(char, _AFTER_NAME) if char in "\"'" else self._bare()
            if self._skip() == ":":
                self._at += 1
                if self._skip() not in ("", ",", "}"):
                    found[name] = self._value(depth + 1, _AFTER_MEMBER)
        self._at += 1
        return found

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self._at += 1
        while (char := self._skip()) not in ("", "]"):
            if char in (",", ":", "}"):
                self._at += 1
                continue
            found.append(self._value(depth + 1, _AFTER_ITEM))
        self._at += 1
        return found

    def _string(self, mark: str, ends: re.Pattern[str]) -> str:
        parts: list[str] = []
        self._at += 1
        while self._at < len(self._text):
            plain = _PLAIN[mark].match(self._text, self._at)
            parts.append(plain.group() if plain else "")
            self._at = plain.end() if plain else self._at
            if self._text[self._at : self._at + 1] == "\\":
                parts.append(self._escape())
                continue
            self._at += 1
            if ends.match(self._text, self._at):
                break
            parts.append(mark)
        return "".join(parts)

    def _escape(self) -> str:
        char = self._text[self._at + 1 : self._at + 2]
        digits = _HEX.match(self._text, self._at + 2) if char == "u" else None
        self._at += 6 if digits else 2
        if digits is None:
            # An unknown escape is a backslash of the text that nobody escaped.
            return _ESCAPES.get(char, f"\\{char}")
        unit = int(digits.group(), 16)
        if 0xD800 <= unit < 0xDC00 and self._text.startswith("\\u", self._at):
            low = _HEX.match(self._text, self._at + 2)
            second = int(low.group(), 16) if low else 0
            if 0xDC00 <= second < 0xE000:
                self._at += 6
                return chr(0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00))
        return chr(unit)

    def _word(self) -> str | float | bool | None:
        text = self._bare()
        if _NUMBER.fullmatch(text):
            return float(text) if any(mark in text for mark in ".eE") else int(text)
        return _CONSTANTS.get(text)

    def _bare(self) -> str:
        word = _WORD.match(self._text, self._at)
        self._at = word.end() if word else self._at + 1
        return word.group() if word else ""
