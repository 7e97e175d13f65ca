"""Words in the form that facts and claims are compared in."""

import re
from functools import lru_cache

from jobsteward.writing.vocabulary import ABBREVIATIONS, PAST, SAME, STOP

_ENGLISH = (
    ("isations", ""), ("izations", ""), ("isation", ""), ("ization", ""), ("ations", ""),
    ("ation", ""), ("ements", ""), ("ement", ""), ("ments", ""), ("ment", ""), ("ating", ""),
    ("ated", ""), ("ates", ""), ("ate", ""), ("ising", ""), ("izing", ""), ("ised", ""),
    ("ized", ""), ("ise", ""), ("ize", ""), ("ings", ""), ("ing", ""), ("ied", "y"),
    ("ies", "y"), ("ed", ""), ("es", ""), ("s", ""), ("ly", ""), ("e", ""),
)  # fmt: skip
_GERMAN = ("ungen", "ung", "eten", "ete", "tet", "ten", "te", "en", "ern", "em", "er", "es",
           "et", "e", "n", "t", "s")  # fmt: skip
_FRENCH = ("ations", "ation", "ements", "ement", "ees", "ee", "ant", "ent", "er", "es", "ons",
           "e", "s")  # fmt: skip
_SPANISH = ("aciones", "acion", "amiento", "ando", "iendo", "ado", "ada", "ados", "adas", "ar",
            "er", "ir", "os", "as", "es", "o", "a", "e", "i", "s")  # fmt: skip
# Words whose ending is no inflection: what they would become is another word.
_WHOLE = frozenset(
    ("production", "international", "president", "business", "analysis", "process", "news",
     "nursing", "marketing", "accounting", "building", "university", "series", "data")
)  # fmt: skip


_SEPARABLE = re.compile(r"(?:ein|aus|auf|ab|an|um|vor|mit|durch)(?:ge|zu)(.{3,}(?:t|en))")


@lru_cache(maxsize=32768)
def keys(word: str, language: str) -> frozenset[str]:
    """All that a folded word may be matched by: its stem, and its groups of like words."""
    base = PAST.get(word, word)
    found = {stem(base, language)}
    if language == "de":
        found |= {stem(bare, language) for bare in _separated(word)}
    groups = _groups(language).get(stem(base, language), frozenset())
    return frozenset(found | groups)


def _separated(word: str) -> tuple[str, ...]:
    """The verb of a German participle or infinitive with its prefix away ("eingeführt")."""
    match = _SEPARABLE.fullmatch(word)
    return (match[1],) if match else ()


@lru_cache(maxsize=32768)
def stem(word: str, language: str) -> str:
    """The word without its inflection, in English, German, French or Spanish."""
    if word in _WHOLE or len(word) < 4:
        return word
    match language:
        case "de":
            bare = word[2:] if word.startswith("ge") and word[-1:] in "tn" else word
            return _strip(bare, _GERMAN)
        case "fr":
            return _strip(word, _FRENCH)
        case "es":
            return _strip(word, _SPANISH)
        case _:
            return _english(word)


def _english(word: str) -> str:
    for _ in range(2):
        word = _without_ending(word)
    return word


def _without_ending(word: str) -> str:
    if word in _WHOLE or word.endswith(("ss", "us", "sis", "xis")):
        return word
    for ending, instead in _ENGLISH:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: len(word) - len(ending)] + instead
            return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] != "s" else bare
    return word


def _strip(word: str, endings: tuple[str, ...]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=8)
def _groups(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for words in map(str.split, SAME):
        for word in words:
            known = found.get(stem(word, language), frozenset())
            found[stem(word, language)] = known | {f"same:{words[0]}"}
    return found


def written_out(word: str) -> tuple[str, ...]:
    """The words that an abbreviation stands for (``bsc``, ``vp``); else just the word."""
    plain = word.replace(".", "")
    return tuple(ABBREVIATIONS.get(plain, plain).split())


def language_of(words: list[str]) -> str | None:
    """The language that most of the small words belong to; None where they do not decide."""
    longer = [word for word in words if len(word) > 1]
    votes = {language: sum(word in stop for word in longer) for language, stop in STOP.items()}
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    (first, most), (_, second) = ranked[0], ranked[1]
    return first if most >= 2 and most > second else None
