"""Skills named in a text, as whole words and by whatever spelling (MAT-4, J03)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from jobsteward.kernel.folding import fold
from jobsteward.profile.skill_terms import TABLES

_ATOM = re.compile(r"(?:(?<![^\W_])\.)?[^\W_]+[+#]*|(?<=[^\W_])\.[^\W_]+[+#]*")
_JOINT = re.compile(r"[ \-/&'._\u00a0\u2010\u2011]{0,2}")
_SENTENCE_WORDS = re.compile(r"(?:^|\s)(?:I|i|a|A)(?:\s|$)")  # "I am" is no IAM
_LONGEST = 5
_STARTS = re.compile(r"(?:^|[.!?:;\n\u2022*-])\s*$")
_GOES_ON = frozenset(
    (
        "and",
        "or",
        "in",
        "with",
        "for",
        "on",
        "as",
        "code",
        "services",
        "is",
        "are",
        "experience",
        "skills",
        "developer",
        "developers",
        "development",
        "knowledge",
        "programming",
        "preferred",
        "required",
        "would",
    )
)
_NOT_A_LETTER = frozenset(
    ("series", "vitamin", "class", "grade", "hepatitis", "type", "plan", "section", "part")
)


@dataclass(frozen=True, slots=True)
class SkillName:
    """A skill by its usual name, with the broader skills that it includes."""

    name: str
    broader: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mention:
    """A skill at a place of a text: ``text[start:end]`` is how it is written there."""

    skill: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Spelling:
    skill: str
    exact: str | None = None


def find_skills(text: str) -> tuple[Mention, ...]:
    """Every known skill that the text names, in order, the longest name at each place.

    "Go" is not in "goals" nor "R" in "R&D"; names that are also ordinary words count only
    as they are usually written ("Excel", not "excel").
    """
    return _find(text)


def skill_named(text: str) -> str | None:
    """The usual name of a skill that is the whole of the text; None for other texts."""
    spelling = _spellings().get(_key(text))
    if spelling and (spelling.exact is None or spelling.exact == text.strip()):
        return spelling.skill
    return None


def broader(skill: str) -> frozenset[str]:
    """The skill and all that it includes: who knows PostgreSQL also knows SQL."""
    entry = _names().get(skill)
    return frozenset({skill}) | (entry.broader if entry else frozenset())


def skill_count() -> int:
    """How many skills are known by name."""
    return len(_names())


@lru_cache(maxsize=4096)
def _find(text: str) -> tuple[Mention, ...]:
    return tuple(_scan(text, list(_ATOM.finditer(text))))


def _scan(text: str, atoms: list[re.Match[str]]) -> Iterator[Mention]:
    at = 0
    while at < len(atoms):
        length = 1
        for count in range(min(_LONGEST, _joined(text, atoms, at)), 0, -1):
            start, end = atoms[at].start(), atoms[at + count - 1].end()
            skill = _at(text, start, end)
            if skill:
                yield Mention(skill, start, end)
                length = count
                break
        at += length


def _joined(text: str, atoms: list[re.Match[str]], at: int) -> int:
    """How many atoms from this one on stand close enough to be one name."""
    count = 1
    while at + count < len(atoms) and count < _LONGEST:
        gap = text[atoms[at + count - 1].end() : atoms[at + count].start()]
        if not _JOINT.fullmatch(gap):
            break
        count += 1
    return count


def _at(text: str, start: int, end: int) -> str | None:
    written = text[start:end]
    if _SENTENCE_WORDS.search(written):
        return None
    key = _key(written)
    spelling = _spellings().get(key)
    if spelling is None and key.endswith("s") and len(key) > 3:
        spelling = _spellings().get(key[:-1])
        if spelling and spelling.exact is not None:
            return None
    if spelling is None or (spelling.exact is not None and not _as_name(text, start, end)):
        return None
    return spelling.skill if spelling.exact in {None, written} else None


def _as_name(text: str, start: int, end: int) -> bool:
    """Whether an ordinary word is used as a name here."""
    before, after = text[:start], text[end:]
    if after.startswith(("&", "'", "\u2019", "-to-")) or before.endswith(("&", "'", "\u2019")):
        return False
    if end - start == 1:
        last = re.search(r"(\w+)\W*$", before)
        if after.startswith("-") or before.endswith("-") or re.match(r"\.\s?[A-Z]", after):
            return False
        return not (last and last[1].lower() in _NOT_A_LETTER)
    following = re.match(r"\s+([a-z]+)", after)
    if following and following[1] not in _GOES_ON and _STARTS.search(before):
        return text[start:end].isupper()  # "Go above and beyond", "Express yourself"
    return True


@lru_cache(maxsize=16384)
def _key(written: str) -> str:
    atoms = _ATOM.findall(fold(written))
    return "".join(atoms[:1] + [atom.lstrip(".") for atom in atoms[1:]])


@lru_cache(maxsize=1)
def _names() -> dict[str, SkillName]:
    direct: dict[str, frozenset[str]] = {}
    for line in _lines():
        name, _, rest = line.partition(" > ")
        above = frozenset(part.strip() for part in rest.split(",") if part.strip())
        direct[name.partition(":")[0].strip().lstrip("=")] = above
    return {name: SkillName(name, _closure(name, direct)) for name in direct}


def _closure(name: str, direct: dict[str, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    waiting = set(direct.get(name, ()))
    while waiting:
        found |= waiting
        waiting = {above for one in waiting for above in direct.get(one, ())} - found
    return frozenset(found)


@lru_cache(maxsize=1)
def _spellings() -> dict[str, _Spelling]:
    found: dict[str, _Spelling] = {}
    for line in _lines():
        name, _, aliases = line.partition(" > ")[0].partition(":")
        usual = name.strip().lstrip("=")
        for written in (name, *aliases.split(",")):
            plain = written.strip()
            if plain:
                exact = plain[1:] if plain.startswith("=") else None
                found.setdefault(_key(plain.lstrip("=")), _Spelling(usual, exact))
    return found


def _lines() -> Iterator[str]:
    for table in TABLES:
        yield from (line for line in table.splitlines() if line.strip())
