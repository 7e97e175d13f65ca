"""Reading XML that a stranger wrote, as the plain values that JSON would have given."""

import re
from html.entities import html5
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from jobsteward.kernel.errors import SourceUnavailableError

_DEPTH = 12
_OWN_ENTITIES = frozenset({"amp", "lt", "gt", "quot", "apos"})
_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NAMESPACE = re.compile(rb"xmlns:([A-Za-z][\w.-]*)\s*=")
_WIDE = (b"\xff\xfe", b"\xfe\xff")


class _NoDoctype(TreeBuilder):
    # Feeds have no use for a DTD; all that one could do here is to expand or to fetch.
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ParseError("a feed declares no document type")


def read_xml(payload: bytes, root: str, each: str) -> list[dict[str, Any] | None]:
    """The elements named ``each`` as objects, in order; None in place of a broken one.

    A text element becomes its text, one with children an object, repeated ones a list,
    all under their names without prefix. Where the document as a whole is broken, what is
    whole in it is still read. Raises SourceUnavailableError for anything but a ``root``.
    """
    if not payload.startswith(_WIDE):
        payload = _CONTROLS.sub(b"", _NAMED.sub(_by_number, payload))
    top = _parsed(payload)
    if top is not None and _name(top) == root:
        return [_value(node, _DEPTH) or {} for node in top.iter() if _name(node) == each]
    if top is None and re.search(rb"<" + root.encode() + rb"[\s>]", payload):
        return _salvaged(payload, each.encode())
    raise SourceUnavailableError("the board's answer is not its feed; try again later")


def several(value: object) -> list[Any]:
    """The values under a name that may be there once, several times or not at all."""
    if isinstance(value, list):
        return value
    return [value] if value else []


def _parsed(document: bytes) -> Element | None:
    parser = XMLParser(target=_NoDoctype())
    try:
        parser.feed(document)
        top = parser.close()
    except (ParseError, ValueError, LookupError):  # the last two for encodings
        return None
    return top if isinstance(top, Element) else None


def _salvaged(payload: bytes, each: bytes) -> list[dict[str, Any] | None]:
    """Each element parsed by itself, so that one broken costs no other."""
    prefixes = sorted(set(_NAMESPACE.findall(payload)))
    head = b"<whole" + b"".join(b' xmlns:%b="urn:%b"' % (name, name) for name in prefixes)
    pieces = re.split(rb"(?=<" + each + rb"[\s>])", payload)[1:]
    found: list[dict[str, Any] | None] = []
    for piece in pieces:
        body, end, _ = piece.partition(b"</" + each + b">")
        top = _parsed(head + b">" + body + end + b"</whole>")
        found.append(_value(top[0], _DEPTH) or {} if top is not None and len(top) else None)
    return found


def _value(node: Element, depth: int) -> Any:
    if not len(node):
        return (node.text or "").strip()
    values: dict[str, Any] = {}
    for child in node if depth else ():
        name, value = _name(child), _value(child, depth - 1)
        if name in values:
            known = values[name]
            values[name] = [*known, value] if isinstance(known, list) else [known, value]
        else:
            values[name] = value
    return values


def _name(node: Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _by_number(match: re.Match[bytes]) -> bytes:
    name = match.group(1).decode()
    text = "" if name in _OWN_ENTITIES else html5.get(name + ";", "")
    return "".join(f"&#{ord(letter)};" for letter in text).encode() or match.group(0)
