"""Kill -9 at every failpoint and of every process under load, judged by the checker.

It needs the tests beside it: the storm and its checker are theirs.
"""

import asyncio
from dataclasses import asdict

from benchmarks.machinery import temporary_home
from benchmarks.report import Report, say
from tests.chaos.storm import FULL, storm

_TOLD = 5
"""Violations that are said in words; the figure counts all."""


async def chaos() -> Report:
    """Kills, acknowledged requests and broken invariants of one whole storm."""
    report = Report("chaos")
    say(f"chaos: a storm of at least {FULL.kills} kills, a quarter of an hour or more")
    async with temporary_home() as home:
        stormed = await asyncio.wait_for(storm(home, FULL, seed=1), FULL.at_most + 300)
    report.set("kills", stormed.kills)
    report.set("acknowledged", stormed.acknowledged)
    report.set("executions", stormed.executions)
    report.set("violations", len(stormed.violations))
    report.set("open_at_rest", stormed.open_at_rest)
    report.set("rest_s", stormed.rest)
    report.set("storm_s", stormed.seconds)
    report.set("least_at_a_failpoint", min(stormed.failpoints.values()))
    report.settings = {
        "goals": asdict(FULL),
        "killed_from_outside": dict(stormed.killed),
        "killed_at_failpoints": dict(stormed.failpoints),
    }
    for violation in stormed.violations[:_TOLD]:
        say(f"chaos: {violation}")
    return report
