"""Which facts of a person speak to which requirement of a posting, by name and by word."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from jobsteward.profile.skills import broader, find_skills
from jobsteward.writing.claims import sentences
from jobsteward.writing.evidence import Evidence, Support
from jobsteward.writing.port import Need
from jobsteward.writing.reading import read

_MUST, _NICE = 2.0, 1.0
_SHARED_WORDS = 2
_MOST_NEEDS = 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """A need taken apart: the names of skills in it, its other words, and its weight."""

    need: Need
    skills: frozenset[str]
    words: frozenset[str]
    weight: float

    def met_by(self, support: Support) -> frozenset[str]:
        """The skills of the need that a fact has; where it names none, words they share."""
        if self.skills:
            return self.skills & support.keys
        shared = self.words & support.keys
        return shared if len(shared) >= _SHARED_WORDS else frozenset()


def wanted(needs: Iterable[Need], language: str) -> tuple[Wanted, ...]:
    """The needs taken apart, in their order."""
    return tuple(_wanted(need, language) for need in needs)


@lru_cache(maxsize=4096)
def _wanted(need: Need, language: str) -> Wanted:
    reading = read(need.text, language)
    skills = frozenset(f"skill:{word.skill}" for word in reading.words if word.skill)
    words = frozenset(
        key
        for word in reading.words
        if not word.skill
        for key in word.keys
        if not key.startswith(("same:", "rate:"))
    )
    return Wanted(need, skills, words, _MUST if need.must else _NICE)


def evidencable(one: Wanted, evidence: Evidence) -> frozenset[str]:
    """What of a need the profile has evidence for, over all its facts."""
    return frozenset().union(*(one.met_by(support) for support in evidence.supports))


def named_needs(description: str) -> tuple[Need, ...]:
    """Sentences of a posting that name a known skill, for when nothing better is at hand."""
    found = [Need(text) for text in sentences(description) if find_skills(text)]
    return tuple(dict.fromkeys(found))[:_MOST_NEEDS]


def skill_keys(name: str) -> frozenset[str]:
    """The keys of every skill that a name includes."""
    return frozenset(
        f"skill:{skill}" for mention in find_skills(name) for skill in broader(mention.skill)
    )
