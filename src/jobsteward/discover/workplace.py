"""Where the work is done, read from a source's own words: yes, no or unknown."""

import re

from jobsteward.discover.model import Remote

_REMOTE = re.compile(r"\bremote\b", re.IGNORECASE)
_HYBRID = re.compile(r"\bhybrid\b", re.IGNORECASE)
_DECLARED: dict[str, Remote] = {
    "remote": "yes",
    "fullyremote": "yes",
    "hybrid": "no",
    "onsite": "no",
    "inoffice": "no",
    "office": "no",
}


def workplace_from(*, remote: object, hybrid: object, on_site: object = None) -> str | None:
    """The workplace that flags declare; None where none or several are set.

    A flag that is not set says nothing: it may never have been asked for.
    """
    flags = {"Remote": remote, "Hybrid": hybrid, "On-site": on_site}
    declared = [word for word, flag in flags.items() if flag is True]
    return declared[0] if len(declared) == 1 else None


def remote_from(declared: str | None, locations: tuple[str, ...]) -> Remote:
    """Whether the job is remote: by the declared workplace, else by the location texts.

    Hybrid counts as no, since it binds to a place. A word that says neither leaves
    unknown, which is never turned into yes or no later (DIS-7).
    """
    word = re.sub(r"[^a-z]", "", (declared or "").lower())
    if word in _DECLARED:
        return _DECLARED[word]
    texts = " | ".join(locations)
    remote, hybrid = bool(_REMOTE.search(texts)), bool(_HYBRID.search(texts))
    if remote == hybrid:
        return "unknown"
    return "yes" if remote else "no"
