"""Text of strangers made plain: one clean line, or Markdown without hidden parts."""

import re
from collections.abc import Iterable

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from selectolax.lexbor import LexborHTMLParser

MAX_LINE = 500
MAX_HTML = 1_000_000

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# Joiners shape Indic, Persian and emoji text; next to ASCII they only hide or split words.
_JOINERS = re.compile("(?<![^\x00-\x7f\u200c\u200d])[\u200c\u200d]+")
_SPACES = re.compile(r"\s+")
_BLANK_LINES = re.compile(r"\n{3,}")
_LINE_END_SPACES = re.compile(r"[ \t\u00a0]+\n")

_MARK = "data-unseen"
_NEVER_SHOWN = ["iframe", "object", "svg", "noscript", "[aria-hidden=true]", f"[{_MARK}]"]
_HIDDEN_STYLE = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0*\.?0*%?(?:;|!|$)"
    r"|font-size:0*\.?0*(?:px|pt|em|rem|%)?(?:;|!|$)"
    r"|(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}"
    r"|clip:rect\(0|clip-path:inset\((?:50|100)%)"
)
_WHITE_TEXT = re.compile(
    r"(?:^|;)color:(?:transparent|#fff(?:fff)?(?:;|!|$)|white|rgba?\(255,255,255)"
)
_LINKS = ("http://", "https://", "mailto:")
_OPTIONS = ConversionOptions(
    extract_metadata=False,
    skip_images=True,
    heading_style="atx",
    bullets="-",
    exclude_selectors=_NEVER_SHOWN,
    preprocessing=PreprocessingOptions(enabled=False),
)


def visible(text: str) -> str:
    """The text without characters that nobody can see, in valid Unicode."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _JOINERS.sub("", _INVISIBLE.sub("", text))


def one_line(value: object) -> str | None:
    """A short text on one line, at most 500 characters; None for anything else."""
    if not isinstance(value, str):
        return None
    line = _SPACES.sub(" ", visible(value)).strip()
    return line[:MAX_LINE].rstrip() or None


def paragraphs(value: object) -> str | None:
    """Plain text with its line breaks; None where there is none."""
    if not isinstance(value, str):
        return None
    text = _LINE_END_SPACES.sub("\n", visible(value.replace("\r\n", "\n")))
    return _BLANK_LINES.sub("\n\n", text).strip() or None


def markdown(html: object) -> str | None:
    """The visible text of an HTML fragment as Markdown; None where there is none.

    Nodes that a reader would not see are dropped, so that they cannot speak to a model
    either (SEC-4), and links lead to web or mail addresses only. A fragment of over a
    million characters counts as none.
    """
    if not isinstance(html, str) or not html.strip() or len(html) > MAX_HTML:
        return None
    tree = LexborHTMLParser(html.encode("utf-8", "replace").decode("utf-8"))
    for node in tree.css("[style]"):
        if _unseen(node.attributes.get("style") or ""):
            # Marked, not removed: removing a node frees the marked ones inside it.
            node.attrs[_MARK] = ""
    for link in tree.css("a[href]"):
        if not (link.attributes.get("href") or "").lower().startswith(_LINKS):
            del link.attrs["href"]
    body = tree.body
    return paragraphs(convert(body.html or "", _OPTIONS).content) if body else None


def sections(parts: Iterable[tuple[object, object]]) -> str | None:
    """Headings with their HTML as one Markdown text, in order; None where all are empty.

    A heading whose fragment holds nothing is left out with it.
    """
    texts = [
        (f"### {line}\n\n" if (line := one_line(heading)) else "") + body
        for heading, html in parts
        if (body := markdown(html))
    ]
    return "\n\n".join(texts) or None


def _unseen(style: str) -> bool:
    rules = _SPACES.sub("", style.lower())
    if _HIDDEN_STYLE.search(rules):
        return True
    return bool(_WHITE_TEXT.search(rules)) and "background" not in rules
