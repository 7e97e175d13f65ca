"""Matching words of a search against a job, the same way when stored and when asked."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[^\w+#]+")
_WILDCARDS = re.compile(r"[!%_]")


def searchable(*texts: str | None) -> str:
    """The words of the texts in one comparable form, each with a space before it."""
    joined = unicodedata.normalize("NFKC", " ".join(text for text in texts if text))
    return " " + " ".join(_SEPARATORS.sub(" ", joined.casefold()).split())


def patterns(query: str) -> list[str]:
    """LIKE patterns (escape ``!``) that all hold where every word of the query begins a
    word of the text: ``cto`` finds no "director" (P121)."""
    words = _WILDCARDS.sub(r"!\g<0>", searchable(query)).split()
    return [f"% {word}%" for word in words]
