"""Kill -9 of the worker at each step of reading a board, a hundred times (DIS-6).

It needs the tests beside it: the rounds and what they check are theirs.
"""

from benchmarks.machinery import temporary_home
from benchmarks.report import Report, say
from tests.chaos.discovery_rounds import run_rounds

KILLS = 100
_TOLD = 5
"""Violations that are said in words; the figure counts all."""


async def chaos_discovery() -> Report:
    """Kills, postings read meanwhile, and what was lost, doubled or left unacknowledged."""
    report = Report("chaos_discovery")
    say(f"chaos_discovery: {KILLS} kills, a quarter of an hour or more")
    async with temporary_home() as home:
        found = await run_rounds(home, KILLS, seed=1)
    report.set("kills", found.kills.total())
    report.set("rounds", found.rounds)
    report.set("postings", found.postings)
    report.set("violations", len(found.violations))
    report.set("seconds", found.seconds)
    report.settings = {"killed_at": dict(found.kills)}
    for violation in found.violations[:_TOLD]:
        say(f"chaos_discovery: {violation}")
    return report
