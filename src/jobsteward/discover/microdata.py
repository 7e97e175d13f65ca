"""Items that a page marks up in its own HTML: microdata (``itemprop``) and RDFa Lite."""

from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

_MAX_ITEMS = 2000
_MAX_TEXT = 200_000
_MAX_PAGE_TEXT = 5_000_000
_VALUE_ATTRIBUTES = ("content", "datetime")
_LINK_ATTRIBUTES = {"a": "href", "link": "href", "area": "href", "img": "src", "data": "value",
                    "meter": "value", "object": "data"}  # fmt: skip
_RICH = frozenset(
    {
        "description", "responsibilities", "qualifications", "skills", "educationRequirements",
        "experienceRequirements", "jobBenefits", "benefits", "incentiveCompensation", "incentives",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The attributes by which one of the two ways of marking up says the same things."""

    scope: str
    kind: str
    names: str


_DIALECTS = (
    _Dialect("itemscope", "itemtype", "itemprop"),
    _Dialect("typeof", "typeof", "property"),
)


def marked_items(tree: LexborHTMLParser, kind: str) -> list[dict[str, Any]]:
    """Every item of that schema.org type, as an object of the same shape as its JSON-LD.

    A property given once is its value, one given several times a list. Texts that keep
    paragraphs and lists are HTML, all others plain text. Items inside one another are
    read as parts of the outer one. A page beyond all measure is read in part.
    """
    found: list[dict[str, Any]] = []
    for dialect in _DIALECTS:
        walk = _Walk(dialect)
        for node in tree.css(f"[{dialect.kind}*={kind}]")[:_MAX_ITEMS]:
            if kind in walk.kinds(node) and node.mem_id not in walk.seen:
                found.append(walk.item(node))
    return found


class _Walk:
    """One pass over a page's items in one dialect; every node is visited once."""

    def __init__(self, dialect: _Dialect) -> None:
        self._dialect = dialect
        self._room = _MAX_PAGE_TEXT
        self.seen: set[int] = set()

    def kinds(self, node: LexborNode) -> list[str]:
        named = (node.attributes.get(self._dialect.kind) or "").split()
        return [_local(name.rstrip("/")) for name in named]

    def item(self, root: LexborNode) -> dict[str, Any]:
        top: dict[str, Any] = {"@type": self.kinds(root)}
        waiting = [(child, top) for child in _children(root)]
        while waiting:
            node, item = waiting.pop()
            inner = self._take(node, item)
            waiting.extend((child, inner) for child in _children(node))
        return top

    def _take(self, node: LexborNode, item: dict[str, Any]) -> dict[str, Any]:
        """Adds the node's value to the item; returns the item that its children belong to."""
        attributes = node.attributes
        scoped = self._dialect.scope in attributes
        inner = {"@type": self.kinds(node)} if scoped else item
        if scoped:
            self.seen.add(node.mem_id)
        for name in map(_local, (attributes.get(self._dialect.names) or "").split()):
            if scoped:
                _add(item, name, inner)
            elif self._room > 0:
                text = _text(node, name)[:_MAX_TEXT]
                self._room -= len(text)
                _add(item, name, text)
        return inner


def _local(name: str) -> str:
    return name.rpartition("/")[2].rpartition(":")[2]


def _add(item: dict[str, Any], name: str, value: Any) -> None:
    if name not in item:
        item[name] = value
    elif isinstance(item[name], list):
        item[name].append(value)
    else:
        item[name] = [item[name], value]


def _text(node: LexborNode, name: str) -> str:
    for attribute in _VALUE_ATTRIBUTES:
        stated = node.attributes.get(attribute)
        if stated is not None:
            return stated
    link = _LINK_ATTRIBUTES.get(node.tag or "")
    if link and node.attributes.get(link) and name not in ("name", "title"):
        return node.attributes.get(link) or ""
    if name in _RICH:
        return node.html or ""
    return " ".join(node.text(separator=" ").split())


def _children(node: LexborNode) -> list[LexborNode]:
    """Last first, for a stack."""
    return list(node.iter(include_text=False))[::-1]
