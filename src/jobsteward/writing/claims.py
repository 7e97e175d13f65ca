"""What a writer says about a person, and the verdicts that it gets back."""

import re
from dataclasses import dataclass, field
from typing import Literal

Place = Literal[
    "headline",
    "summary",
    "role",
    "bullet",
    "skill",
    "education",
    "certificate",
    "language",
    "award",
    "letter",
]
Reason = Literal[
    "unknown_fact",
    "unsupported_skill",
    "unsupported_number",
    "unsupported_statement",
    "unknown_employer",
    "unknown_title",
    "unknown_degree",
    "unknown_certificate",
    "unknown_name",
    "wrong_date",
    "inflated_seniority",
    "inflated_level",
    "inflated_scope",
    "tense",
    "merged_facts",
    "negation",
    "other_language",
    "other_company",
]
MAX_CLAIM = 1000

_ABBREVIATED = re.compile(
    r"(?:\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|e\.g|i\.e|approx|ca|Inc|Ltd|No))\.$"
)
_SENTENCE_END = re.compile(r"[.!?\u3002]+[\"'\u201d\u2019)]*\s+(?=[^\sa-z])|\u3002|\n+")


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence or line of a document.

    ``facts`` are the ids that the writer says it rests on, () to let the gate look.
    ``entry`` is the id of the position or study that the document puts it under.
    """

    text: str
    place: Place
    entry: str = ""
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a claim is refused: a stable reason, and the words of the claim that it is about."""

    reason: Reason
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim, the ids of the facts that carry it, and what stands against it.

    A courtesy ("Dear Hiring Team,") passes without facts: it says nothing about the person.
    """

    claim: Claim
    facts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems


@dataclass(frozen=True, slots=True)
class Target:
    """The job that a document is for. Its own numbers and demands are no evidence (MAT-4).

    ``skills`` are skills that the posting names: a letter may speak of them as the
    employer's. ``other_companies`` must not be named in it (P074).
    """

    company: str = ""
    title: str = ""
    skills: frozenset[str] = field(default_factory=frozenset)
    other_companies: tuple[str, ...] = ()


def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text, without bullets; abbreviations end none."""
    found: list[str] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        part = text[start : match.end()].strip()
        if "\n" not in match[0] and _ABBREVIATED.search(part):
            continue
        found.append(part)
        start = match.end()
    found.append(text[start:].strip())
    return tuple(part.lstrip("-*\u2022 ").strip() for part in found if part.strip("-*\u2022 "))


def letter_claims(text: str) -> tuple[Claim, ...]:
    """Every sentence of a letter as a claim."""
    return tuple(Claim(sentence, "letter") for sentence in sentences(text))
