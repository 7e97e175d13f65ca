"""The tree drawn in the errors module is the tree that Python has (ERR-1)."""

import re

from jobsteward.kernel import errors
from jobsteward.kernel.errors import JobstewardError

_LINE = re.compile(r"^    (?P<stem>[│├└─ ]*)(?P<name>\w+Error) +(?P<code>\w+) +(?P<fate>\w+)$")


def _drawn() -> dict[str, tuple[str, str, str]]:
    parents = {0: "JobstewardError"}
    drawn = {}
    for line in (errors.__doc__ or "").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        depth = len(match["stem"]) // 4
        parents[depth] = match["name"]
        drawn[match["name"]] = (parents[depth - 1], match["code"], match["fate"])
    return drawn


def _real(base: type[JobstewardError] = JobstewardError) -> dict[str, tuple[str, str, str]]:
    found = {}
    for kind in base.__subclasses__():
        if kind.__module__ == errors.__name__:
            fate = "retried" if kind.retryable else "stops"
            found[kind.__name__] = (base.__name__, kind.code, fate)
            found |= _real(kind)
    return found


def test_the_drawing_is_true() -> None:
    """Every class has its line: parent, code and whether it is retried."""
    assert _drawn() == _real()


def test_codes_are_unique() -> None:
    """A code names one failure."""
    codes = [code for _, code, _ in _real().values()]
    assert len(codes) == len(set(codes))


def test_the_taxonomy_of_retries() -> None:
    """The nine named errors are retried as ERR says."""
    fates = {code: fate for _, code, fate in _real().values()}
    stops = ("configuration", "authentication", "missing_input", "budget_exceeded")
    assert {fates[code] for code in (*stops, "material_rejected")} == {"stops"}
    retried = ("transient_network", "browser_transient", "llm_transient", "source_unavailable")
    assert {fates[code] for code in retried} == {"retried"}
