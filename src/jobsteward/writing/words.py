"""Words in the form that facts and claims are compared in."""

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


@lru_cache(maxsize=32768)
def keys(word: str, language: str) -> frozenset[str]:
    """All that a folded word may be matched by: its stem, and its group of like words."""
    base = PAST.get(word, word)
    found = {stem(base, language)}
    group = _groups(language).get(stem(base, language))
    return frozenset(found | {f"same:{group}"} if group else found)


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
    if word.endswith(("ss", "us", "is")):
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
def _groups(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in SAME.strip().splitlines():
        words = line.split()
        for word in words:
            found.setdefault(stem(word, language), words[0])
    return found


def written_out(word: str) -> tuple[str, ...]:
    """The words that an abbreviation stands for (``bsc``, ``vp``); else just the word."""
    plain = word.replace(".", "")
    return tuple(ABBREVIATIONS.get(plain, plain).split())


def language_of(words: list[str]) -> str | None:
    """The language that most of the small words belong to; None where they do not decide."""
    votes = {language: sum(word in stop for word in words) for language, stop in STOP.items()}
    ranked = sorted(votes.items(), key=lambda vote: -vote[1])
    (first, most), (_, second) = ranked[0], ranked[1]
    return first if most >= 2 and most > second else None
