"""What a letter says that is no claim about the person: greetings, the job, the employer."""

import re

from jobsteward.kernel.folding import fold
from jobsteward.writing.claims import Target
from jobsteward.writing.reading import Reading
from jobsteward.writing.vocabulary import APPLYING

_GREETING = re.compile(
    r"(?:dear|hello|hi|sehr geehrte[rs]?|liebe[rs]?|hallo|guten tag|madame|monsieur|bonjour"
    r"|estimad[oa]s?|hola)\b[^.!?\d]{0,60}[,:]?"
)
_CLOSING = re.compile(
    r"(?:(?:kind|best|warm) regards|regards|best wishes|yours (?:sincerely|faithfully|truly)"
    r"|sincerely|mit freundlichen gr.{2,4}en|viele gr.{2,3}e|cordialement|saludos cordiales"
    r"|atentamente)[,.]?"
)
_MINE = re.compile(r"\b(?:i|my|mine|we|our|ich|mein\w*|je|j'|mon|ma|mes|yo|mi|mis)\b")
_YOURS = re.compile(r"\b(?:you|your|ihr\w*|sie|vous|votre|vos|usted\w*|su|sus)\b")
_MOST_WORDS = 7


def courtesy(text: str) -> bool:
    """Whether the line is only a greeting or a closing."""
    folded = fold(text.strip())
    if _CLOSING.fullmatch(folded):
        return True
    return len(folded.split()) <= _MOST_WORDS and bool(_GREETING.fullmatch(folded))


def without_target(text: str, target: Target) -> str:
    """A sentence about the application without the names of the job and the company.

    Only there are they no claim: "I apply for the post of X", never "I worked as X".
    """
    if not set(re.findall(r"[^\W_]+", fold(text))) & APPLYING:
        return text
    for name in filter(None, (target.title, target.company)):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return text


def about_the_employer(reading: Reading, target: Target) -> bool:
    """Whether the sentence speaks of the employer only, and claims nothing of the person.

    It may name skills of the posting, but never numbers: those are no evidence (MAT-4).
    """
    folded = fold(reading.text)
    if _MINE.search(folded) or not _YOURS.search(folded) or reading.quantities or reading.dates:
        return False
    return all(word.skill in target.skills for word in reading.words if word.skill)
