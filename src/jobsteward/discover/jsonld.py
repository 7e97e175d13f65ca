"""The job postings that a page declares to search engines, however carelessly it does so.

Read are JSON-LD (also where strict parsers reject it), microdata and RDFa, by the
vocabulary of schema.org/JobPosting.
"""

import codecs
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from jobsteward.discover.lenient_json import read_json
from jobsteward.discover.microdata import marked_items
from jobsteward.discover.schema_org import JobMarkup, read_markup
from jobsteward.kernel.errors import BadJsonError

KIND = "JobPosting"

_MAX_NODES = 200_000
_MAX_POSTINGS = 5_000
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([\w-]{1,40})", re.I)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
          (codecs.BOM_UTF16_BE, "utf-16-be"))  # fmt: skip
_ENCODING = re.compile(
    r"iso-8859-\d+|windows-125\d|shift_jis|euc-(?:jp|kr)|gb(?:k|2312|18030)|big5|koi8-[ru]"
    r"|iso-2022-jp|tis-620",
    re.IGNORECASE,
)
_PREFIXES = ("https://schema.org/", "http://schema.org/", "schema:")


def read_postings(page: bytes | str) -> tuple[JobMarkup, ...]:
    """Every JobPosting of an HTML page (or of a bare JSON-LD file), in the page's order.

    JSON-LD counts before microdata, microdata before RDFa: the first that holds postings
    is read, since pages repeat themselves. A damaged script loses only itself. Postings
    without a title are left out. Never raises on any input.
    """
    text = page if isinstance(page, str) else page_text(page)
    text = text.encode("utf-8", "replace").decode("utf-8")
    nodes = _declared(text)
    postings = (read_markup(node) for node in nodes[:_MAX_POSTINGS])
    return tuple(dict.fromkeys(found for found in postings if found is not None))


def page_text(payload: bytes) -> str:
    """The page's text by its byte order mark, its own declaration, UTF-8, else Windows-1252."""
    for mark, encoding in _MARKS:
        if payload.startswith(mark):
            return payload[len(mark) :].decode(encoding, "replace")
    declared = _DECLARED.search(payload[:4096])
    name = declared.group(1).decode("ascii") if declared else ""
    try:
        # Declared or not, bytes that are whole UTF-8 are meant so.
        return payload.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if _ENCODING.fullmatch(name) and name.lower() != "iso-8859-1":
        with contextlib.suppress(LookupError):  # a number that no encoding has
            return payload.decode(name, "replace")
    lenient = payload.decode("utf-8", "replace")
    others = sum(char > "\x7f" for char in lenient)
    # A few damaged characters among many leave UTF-8; where most do not fit, it never was.
    return payload.decode("cp1252", "replace") if lenient.count("\ufffd") * 4 > others else lenient


def _declared(text: str) -> list[dict[str, Any]]:
    if text.lstrip()[:1] in ("{", "["):
        return _nodes([text])
    tree = LexborHTMLParser(text)
    scripts = [
        node.text(deep=True) or ""
        for node in tree.css("script[type]")
        if "ld+json" in (node.attributes.get("type") or "").lower()
    ]
    return _nodes(scripts) or marked_items(tree, KIND)


def _nodes(scripts: list[str]) -> list[dict[str, Any]]:
    """The JobPosting objects in the scripts, references by ``@id`` followed."""
    objects: list[dict[str, Any]] = []
    for script in scripts:
        try:
            objects.extend(_objects(read_json(script)))
        except BadJsonError:
            continue
    known = {node["@id"]: node for node in objects if _names_itself(node)}
    return [_resolved(node, known) for node in objects if _is_posting(node)]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in the value, outer before inner, in the order of the text."""
    waiting, seen = [value], 0
    while waiting and seen < _MAX_NODES:
        current = waiting.pop()
        seen += 1
        if isinstance(current, dict):
            current = {_local(str(name)): inner for name, inner in current.items()}
            yield current
            waiting.extend(reversed(list(current.values())))
        elif isinstance(current, list):
            waiting.extend(reversed(current))


def _local(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name


def _is_posting(node: dict[str, Any]) -> bool:
    kinds = node.get("@type", node.get("type"))
    named = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(kind, str) and _local(kind.strip()) == KIND for kind in named)


def _names_itself(node: dict[str, Any]) -> bool:
    return isinstance(node.get("@id"), str) and len(node.keys() - {"@id", "@type"}) > 0


def _resolved(node: dict[str, Any], known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The posting with the objects that it refers to, and the address of each of them."""

    def named(value: Any) -> Any:
        reference = value.get("@id") if isinstance(value, dict) else None
        return known.get(reference, value) if isinstance(reference, str) else value

    def follow(value: Any) -> Any:
        found = named(value)
        if isinstance(found, dict) and "address" in found:
            return found | {"address": named(found["address"])}
        return found

    return {
        name: [follow(entry) for entry in value] if isinstance(value, list) else follow(value)
        for name, value in node.items()
    }
