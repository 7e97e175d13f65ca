"""Names of employers in a form to compare: spelling apart, legal forms apart, aliases known."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

from jobsteward.discover.model import Remote

Aliases = Collection[frozenset[str]]
"""Groups of names that a person says are one employer."""

_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")
_APOSTROPHES = re.compile("['\u2018\u2019\u02bc`]")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_FORM_WORDS = (
    "inc incorporated corp corporation co company llc llp lp ltd limited plc gmbh mbh ag se kg"
    " kgaa ug ohg ev eg sa sas sasu sarl srl spa sl slu bv nv ab as asa oy oyj aps pty pte pvt"
    " private kk sro spzoo doo ltda lda eirl sagl pbc holding holdings group gruppe groupe"
    " grupo 株式会社 有限会社"
)
_FORMS = frozenset(_FORM_WORDS.split())
_JOINTS = frozenset({"and", "und", "et", "y"})


@lru_cache(maxsize=4096)
def company_key(name: str) -> str:
    """The name's words in lower case, "" where there are none; equal keys are one spelling.

    Width, ligatures, blanks, punctuation and invisible characters make no difference.
    Letters with marks stay letters of their own: Škoda is not Skoda.
    """
    text = unicodedata.normalize("NFKC", name).casefold().replace("i\u0307", "i")
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    text = _APOSTROPHES.sub("", text).replace("&", " and ")
    return " ".join(_initials_joined(_WORD.findall(text)))


@lru_cache(maxsize=4096)
def company_core(name: str) -> str:
    """The key without brackets, legal forms and words such as "Holdings" at its end (P028)."""
    words = company_key(_BRACKETS.sub(" ", name)).split()
    while len(words) > 1 and words[0] in _FORMS and not words[0].isascii():
        words.pop(0)
    while len(words) > 1 and words[-1] in _FORMS | _JOINTS:
        words.pop()
    if words[-2:] == ["sp", "zoo"]:
        words = words[:-2] or words
    return " ".join(words) or company_key(name)


def same_company(one: str, other: str, aliases: Aliases = ()) -> Remote:
    """Whether two names are one employer's: yes, no, or unknown.

    Yes where nothing but legal forms differs, or an alias says so. Unknown where a name is
    missing, or one goes on after the other's end ("Acme", "Acme Robotics").
    """
    left, right = company_core(one), company_core(other)
    if not left or not right:
        return "unknown"
    if left == right or left.replace(" ", "") == right.replace(" ", ""):
        return "yes"
    for group in aliases:
        if {left, right} <= {company_core(name) for name in group}:
            return "yes"
    shorter, longer = sorted((left.split(), right.split()), key=len)
    return "unknown" if longer[: len(shorter)] == shorter else "no"


def _initials_joined(words: Sequence[str]) -> list[str]:
    """The words with letters that stand alone put together: "S. A." is "SA"."""
    joined: list[str] = []
    run = ""
    for word in [*words, ""]:
        if len(word) == 1 and word.isascii() and word.isalpha():
            run += word
            continue
        if run:
            joined.append(run)
            run = ""
        if word:
            joined.append(word)
    return joined
