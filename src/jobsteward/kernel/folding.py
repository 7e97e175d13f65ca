"""Text in a form to match on, each character at its original place."""

import unicodedata
from functools import lru_cache

_SAME_LENGTH = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u00b4`\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'),
    **dict.fromkeys("\u00a0\u2007\u202f\u2009\u200a\u2002\u2003\u3000\t", " "),
    "ß": "s",
    "ø": "o",
    "æ": "a",
    "œ": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "t",
    "\u0131": "i",
    "\u0130": "i",
}


@lru_cache(maxsize=64)
def fold(text: str) -> str:
    """The text in lower case without accents, one character for each of the original.

    Dashes, quotes and blanks of every kind become the plain ones (J04), so that a match
    here is at the same place in the original text.
    """
    return text.translate(_TABLE)


class _Table(dict[int, str]):
    """What each code point becomes, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = _SAME_LENGTH.get(char) or _plain(char)
        return self[code]


_TABLE = _Table()


def _plain(char: str) -> str:
    if char.isascii():
        return char.lower()
    if "\u3040" <= char <= "\ud7a3":
        return char  # kana and Hangul decompose into letters that others share
    base = unicodedata.normalize("NFKD", char)[0].lower()
    return base if len(base) == 1 else char
