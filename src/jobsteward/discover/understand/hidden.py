"""What a posting hides from a reader or says to a machine; facts, never a verdict."""

import re

from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.model import HiddenFlag

_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]+"
)
_MARKUP = re.compile(
    r"<[^>]{0,400}(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d]*[1-9])"
    r"|font-size\s*:\s*[01](?:px|pt|em|%)?\s*[;\"']|aria-hidden=.?true"
    r"|color\s*:\s*(?:#fff(?:fff)?|white|transparent)"
    r"|(?:left|top|text-indent)\s*:\s*-\d{3,})[^>]{0,400}>",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"\b(?:ignore|disregard|forget) (?:all |any |the )?(?:previous|prior|above"
    r"|earlier|your) (?:instructions?|prompts?|rules|guidelines)"
    r"|\b(?:if you(?:'re| are) an? (?:ai|llm|language model|bot"
    r"|large language model|agent|automated)|as an ai\b|system prompt"
    r"|you are (?:chatgpt|an ai|a language model))"
    r"|\b(?:ai|llm|chatgpt|automated) (?:agents?|assistants?|applicants?|systems?"
    r"|models?|tools?) (?:must|should|please|reading|include|are (?:asked"
    r"|required))"
    r"|\b(?:mention|include|use|write|add) (?:the )?(?:magic|secret|code)? ?(?:word"
    r"|phrase|code word)s? [\"'\w]+.{0,80}(?:when applying|in your application"
    r"|to show|so we know|to prove)"
    r"|\bmagic word\b|\brate this (?:candidate|job|application) (?:as )?(?:\d|highly|excellent)"
    r"|\b(?:send|paste|post|upload|submit) (?:the |your )?(?:full "
    r"|entire )?(?:profile|resume|cv|system prompt|api key|credentials"
    r"|password)s? (?:to|at|into) https?:"
)
_WALL = re.compile(
    r"\b(?:we use cookies|accept all cookies|clicking accept|cookie (?:settings"
    r"|policy|preferences)|please (?:sign|log) in|sign in to (?:view|continue)"
    r"|log in to (?:view|continue)"
    r"|enable javascript|javascript (?:is|must be) (?:disabled|enabled|required)"
    r"|verify you are (?:a )?human|access denied|checking your browser"
    r"|page not found|register now to apply|already a member"
    r"|this (?:job|position|page) (?:is no longer|has been|does not)|captcha)\b"
)
_ABOUT_WORK = re.compile(
    r"\b(?:experience|responsib\w+|requirements?|skills|you will|you'll|role|team"
    r"|qualifications|engineer|develop\w*|manag\w+|salary|aufgaben|profil|mission"
    r"|equipe|erfahrung)\b|経験|業務"
)
_THIN = 40


def hidden_flags(description: str | None, raw_html: str | None = None) -> tuple[HiddenFlag, ...]:
    """Invisible characters, hidden markup, words to a machine, and text that is no posting.

    ``description`` is what is shown; ``raw_html`` the markup it came from, where it is kept.
    """
    flags = [
        *_found("invisible_characters", raw_html or description or "", _UNSEEN, bool(raw_html)),
        *_found("hidden_markup", raw_html or "", _MARKUP, True),
    ]
    if description is None:
        return tuple(flags)
    words = _MACHINE.search(fold(description))
    if words:
        span = span_of("description", description, *words.span())
        flags.append(HiddenFlag("machine_instruction", span))
    if is_thin(description):
        flags.append(HiddenFlag("thin_text", span_of("description", description, 0, 200)))
    return tuple(flags)


def is_thin(description: str) -> bool:
    """Whether the text is a cookie notice, a sign-in wall or next to nothing, not a posting."""
    folded = fold(description)
    walls = len(_WALL.findall(folded))
    about = len(set(_ABOUT_WORK.findall(folded)))
    return len(folded.strip()) < _THIN or (walls > 0 and about <= walls and len(folded) < 1500)


def _found(code: str, text: str, pattern: re.Pattern[str], raw: bool) -> list[HiddenFlag]:
    match = pattern.search(text)
    if not match:
        return []
    span = Span("raw_html" if raw else "description", match.start(), match.end(), match[0])
    return [
        HiddenFlag("hidden_markup" if code == "hidden_markup" else "invisible_characters", span)
    ]
