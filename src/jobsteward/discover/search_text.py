"""Matching words of a search against a job, the same way when stored and when asked."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[^\w+#]+")
_WILDCARDS = re.compile(r"[!%_]")


def searchable(*texts: str | None) -> str:
    """The words of the texts in one comparable form, each with a space before it."""
    joined = unicodedata.normalize("NFKC", " ".join(text for text in texts if text))
    return " " + " ".join(_SEPARATORS.sub(" ", joined.casefold()).split())


def words_of(query: str) -> list[str]:
    """The distinct words of the query, in the form in which they are stored."""
    return list(dict.fromkeys(searchable(query).split()))


def patterns(query: str) -> list[str]:
    """LIKE patterns (escape ``!``) that all hold where every word of the query begins a
    word of the text: ``cto`` finds no "director" (P121)."""
    return ["% " + _WILDCARDS.sub(r"!\g<0>", word) + "%" for word in words_of(query)]
