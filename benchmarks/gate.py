"""The truth gate against a labelled set of claims about invented people (gate.*)."""

from collections import Counter

from benchmarks.people import TODAY, Labelled, labelled_claims, people
from benchmarks.report import Report
from jobsteward.writing.claims import Verdict
from jobsteward.writing.gate import judge

HALVES = ("dev", "held_out", "fresh", "last")


async def gate() -> Report:
    """Shares in percent, of all claims and of each half, and every wrong verdict."""
    report = Report("gate")
    judged = verdicts()
    report.set("claims", len(judged))
    _shares(report, "", judged)
    for half in HALVES:
        _shares(report, f"_{half}", [pair for pair in judged if pair[0].half == half])
    report.settings["confusion"] = _confusion(judged)
    report.settings["wrong"] = [
        f"{row.id} {row.kind}: {row.claim.text!r} {[one.reason for one in verdict.problems]}"
        for row, verdict in judged
        if row.true != verdict.passed
    ]
    return report


def verdicts() -> list[tuple[Labelled, Verdict]]:
    """Every labelled claim with the gate's verdict."""
    known = people()
    found = []
    for row in labelled_claims():
        profile, target, _ = known[row.person]
        found.append((row, judge([row.claim], profile, TODAY, target)[0]))
    return found


def _shares(report: Report, suffix: str, judged: list[tuple[Labelled, Verdict]]) -> None:
    false = [verdict.passed for row, verdict in judged if not row.true]
    true = [verdict.passed for row, verdict in judged if row.true]
    report.set(f"false_pass{suffix}", 100 * sum(false) / len(false))
    report.set(f"false_block{suffix}", 100 * (len(true) - sum(true)) / len(true))


def _confusion(judged: list[tuple[Labelled, Verdict]]) -> dict[str, str]:
    """For each kind: true ones passed, false ones refused, of how many."""
    total = Counter((row.kind, row.true) for row, _ in judged)
    right = Counter((row.kind, row.true) for row, verdict in judged if row.true == verdict.passed)
    return {
        f"{kind} {'true' if true else 'false'}": f"{right[kind, true]} of {count}"
        for (kind, true), count in sorted(total.items())
    }
