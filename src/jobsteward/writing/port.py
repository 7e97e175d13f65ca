"""What every writer gets and gives, whichever one a setting chooses (MAT-2)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from jobsteward.kernel.canonical import digest
from jobsteward.profile.model import PartialDate, Profile
from jobsteward.writing.claims import Claim, Target


@dataclass(frozen=True, slots=True)
class Need:
    """One requirement of a posting in its own words; ``must`` where it is no nice-to-have."""

    text: str
    must: bool = True


@dataclass(frozen=True, slots=True)
class Limits:
    """How much fits: bullets in all and for one entry, skills, and points of the letter."""

    bullets: int = 18
    bullets_an_entry: int = 6
    skills: int = 24
    points: int = 5


@dataclass(frozen=True, slots=True)
class Brief:
    """The task of a writer: a person, a job and what the job asks for."""

    profile: Profile
    target: Target
    needs: tuple[Need, ...] = ()
    limits: Limits = Limits()


@dataclass(frozen=True, slots=True)
class Entry:
    """A position, study or project of a draft: its heading and the chosen bullets in order."""

    entry: str
    heading: Claim
    bullets: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class ResumeDraft:
    """A résumé before it is set: every line a claim; ``dropped`` counts bullets left out."""

    headline: Claim | None = None
    summary: tuple[Claim, ...] = ()
    positions: tuple[Entry, ...] = ()
    projects: tuple[Entry, ...] = ()
    studies: tuple[Entry, ...] = ()
    skills: tuple[Claim, ...] = ()
    credentials: tuple[Claim, ...] = ()
    languages: tuple[Claim, ...] = ()
    awards: tuple[Claim, ...] = ()
    dropped: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A résumé and a letter, paragraph by paragraph. ``gaps`` are needs nothing speaks to."""

    resume: ResumeDraft
    letter: tuple[tuple[Claim, ...], ...] = ()
    gaps: tuple[Need, ...] = ()


class Writer(Protocol):
    """Turns a brief into a draft. What it returns has yet to pass the gate."""

    async def write(self, brief: Brief, today: PartialDate) -> Draft:
        """The draft. Raises LlmTransientError where a provider fails for now."""
        ...


def claims_of(draft: Draft) -> Iterator[Claim]:
    """Every claim that the reader of the résumé and letter would see, in their order."""
    resume = draft.resume
    if resume.headline:
        yield resume.headline
    yield from resume.summary
    for entry in (*resume.positions, *resume.projects, *resume.studies):
        if entry.heading.text:
            yield entry.heading
        yield from entry.bullets
    yield from (*resume.skills, *resume.credentials, *resume.languages, *resume.awards)
    for paragraph in draft.letter:
        yield from paragraph


def preparation_key(
    tenant_id: str, job_id: str, kind: str, version: int, source_event_id: str
) -> str:
    """The key of one item of preparation work, sha256 in hex (WID-2).

    ``kind`` is ``score``, ``tailor``, ``cover`` or ``pdf``; ``version`` that of the scoring
    policy for a score and of the tailoring policy for the others; ``source_event_id`` the
    latest event of the job that its content follows from.
    """
    return digest([tenant_id, job_id, kind, version, source_event_id])
