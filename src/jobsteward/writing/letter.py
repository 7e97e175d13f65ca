"""A plain letter: who applies for what, and the person's own sentences that speak to it."""

from collections.abc import Sequence

from jobsteward.profile.model import Position, Profile
from jobsteward.writing.claims import Claim
from jobsteward.writing.phrases import Phrases, phrases
from jobsteward.writing.port import Brief


def letter(brief: Brief, language: str, points: Sequence[Claim]) -> tuple[tuple[Claim, ...], ...]:
    """The letter's paragraphs, in the language of the person's own sentences.

    ``points`` are bullets, the strongest first; they are quoted under the position that
    they belong to.
    """
    words = phrases(language)
    paragraphs = [
        (_said(words.greeting),),
        (_said(_applying(brief, words)),),
        *_evidence(brief.profile, words, points[: brief.limits.points]),
        (_said(words.meeting),),
        (_said(words.closing), _said(brief.profile.name)),
    ]
    return tuple(paragraph for paragraph in paragraphs if all(claim.text for claim in paragraph))


def _applying(brief: Brief, words: Phrases) -> str:
    target = brief.target
    if not target.title:
        return ""
    sentence = words.applying_at if target.company else words.applying
    return sentence.format(title=target.title, company=target.company)


def _evidence(profile: Profile, words: Phrases, points: Sequence[Claim]) -> list[tuple[Claim, ...]]:
    """One paragraph for each position that has points, in the order of the profile."""
    found = []
    for position in profile.positions:
        own = [point for point in points if point.entry == position.entry_id]
        if own:
            quoted = (Claim(point.text, "letter", point.entry, point.facts) for point in own)
            found.append((*_heading(position, words), *quoted))
    return found


def _heading(position: Position, words: Phrases) -> tuple[Claim, ...]:
    """Where the points are from; () for work without a title."""
    if not position.title:
        return ()
    sentence = words.points_at if position.employer else words.points
    text = sentence.format(title=position.title, employer=position.employer)
    return (Claim(text, "letter", position.entry_id),)


def _said(text: str) -> Claim:
    return Claim(text, "letter")
