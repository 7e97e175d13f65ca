"""The one-line header of a hiring message: ``Employer | Role | Place | Remote | Full-time``."""

import re
from dataclasses import dataclass

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import Pay, Remote
from jobsteward.discover.stated import stated_pay
from jobsteward.discover.understand.places import read_places
from jobsteward.discover.understand.titles import read_title

_BARS = re.compile(r"\s*\|\s*")
_DASHES = re.compile("\\s+[-\u2013\u2014\u2022\u00b7]\\s+")
_URL = re.compile(r"\(?\s*(https?://[^\s()|]+|(?:www\.)[^\s()|]+)\s*\)?")
_ASIDES = re.compile(r"\(\s*(?:YC\s[^()]{1,10}|[\w-]+(?:\.[\w-]+)+[^\s()]*)\s*\)", re.IGNORECASE)
_WORKPLACE = re.compile(
    r"\b(?:remote(?:ly)?|on-?site|hybrid|in[ -]office|in[ -]person|wfh)\b", re.IGNORECASE
)
_OFFICE = re.compile(r"\b(?:on-?site|in[ -]office|in[ -]person)\b", re.IGNORECASE)
_NOT_REMOTE = re.compile(r"\b(?:no|not|non)[ -]remote\b", re.IGNORECASE)
_KIND = re.compile(
    r"\b(?:full[ -]?time|part[ -]?time|contract(?:or)?|permanent|interns?(?:hips?)?|freelance)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\b(?:visas?|equity|relocation|sponsorship|benefits)\b", re.IGNORECASE)
_MOST_PARTS = 20


@dataclass(frozen=True, slots=True)
class HiringHeader:
    """What a header says. ``title`` joins several roles with a slash; None where it names none.

    ``locations`` and ``workplace`` keep the words of the header.
    """

    company: str
    title: str | None
    locations: tuple[str, ...] = ()
    remote: Remote = "unknown"
    workplace: str | None = None
    employment_type: str | None = None
    pay: tuple[Pay, ...] = ()
    url: str | None = None


def read_header(line: str) -> HiringHeader | None:
    """The header's parts by what they say, not by their order; None for any other line."""
    url = _URL.search(line)
    plain = _ASIDES.sub(" ", _URL.sub(" ", line))
    parts = _parts(_BARS, plain) or _parts(_DASHES, plain)
    if len(parts) < 2:
        return None
    found: dict[str, list[str]] = {}
    pay: tuple[Pay, ...] = ()
    for part in parts[1:_MOST_PARTS]:
        stated = stated_pay(part) if any(char.isdigit() for char in part) else ()
        pay = pay or stated
        found.setdefault("pay" if stated else _kind(part), []).append(part)
    workplace = ", ".join(found.get("workplace", [])) or None
    interns = [part for part in found.get("kind", []) if "intern" in part.lower()]
    titles = found.get("title") or found.get("other", [])[:1] or interns[:1]
    scoped = [part for part in found.get("workplace", []) if _scoped(part)]
    locations = (*found.get("place", []), *scoped)
    return HiringHeader(
        company=parts[0],
        title=" / ".join(titles)[:300] or None,
        locations=locations,
        remote=_remote(" | ".join(parts[1:])),
        workplace=workplace,
        employment_type=", ".join(found.get("kind", [])) or None,
        pay=pay,
        url=web_url(url.group(1), "") or None if url else None,
    )


def _parts(separator: re.Pattern[str], line: str) -> list[str]:
    parts = [part.strip(" ,;:") for part in separator.split(line)]
    parts = [part for part in parts if part]
    return parts if len(parts) > 1 else []


def _kind(part: str) -> str:
    """What a part speaks of. A role may carry a workplace in brackets, so roles come first."""
    if read_title(_WORKPLACE.sub(" ", part)).function:
        return "title"
    if _WORKPLACE.search(part):
        return "workplace"
    if _KIND.search(part):
        return "kind"
    if _ASIDE.search(part):
        return "aside"
    return "place" if read_places((part,)).known else "other"


def _scoped(workplace: str) -> bool:
    """Whether the words say more than remote or not: ``Remote (UTC+3)``, ``Hybrid in Oslo``."""
    return "(" in workplace or read_places((workplace,)).known


def _remote(text: str) -> Remote:
    refused = bool(_NOT_REMOTE.search(text))
    words = [word.lower() for word in _WORKPLACE.findall(text)]
    if not refused and any(word.startswith(("remote", "wfh")) for word in words):
        return "unknown" if "hybrid" in words else "yes"
    return "no" if words or refused else "unknown"
