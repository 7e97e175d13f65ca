"""Starts a process of the stack with a failpoint armed, another one at each start.

Usage: ``python -m tests.chaos.armed api|worker``, as ``JOBSTEWARD_CHILD_COMMAND``. A process
reads its failpoints once, when it starts, so this program chooses one that was hit least so
far, arms it for one of its first passages, and becomes `tests.support.process`. While the
file ``calm`` stands in the app directory nothing is armed.
"""

import os
import random
import sys
from collections import Counter
from pathlib import Path

CALM = "calm"
LOG = "failpoints.log"
FAILPOINTS = {
    "api": (
        "admit.before_commit",
        "admit.after_commit",
        "dispatch.before_start",
        "dispatch.after_start",
        "cancel.after_commit",
        "cancel.after_delivery",
        "marker.before_commit",
        "marker.after_commit",
        "step.before",
        "step.after",
        "outcome.before_commit",
        "finalize.after",
    ),
    "worker": (
        "marker.before_commit",
        "marker.after_commit",
        "step.before",
        "step.after",
        "outcome.before_commit",
        "finalize.after",
    ),
}
"""Process → the places where it can die."""
ALL = frozenset(FAILPOINTS["api"] + FAILPOINTS["worker"])
_LATEST_PASSAGE, _LATER_PASSAGE = 12, 50
"""How late a process may die: soon where a place was never hit, later where it was, so that
there is time for work between the kills."""
_RARE = frozenset({"cancel.after_commit", "cancel.after_delivery"})


def hits(home: Path) -> Counter[str]:
    """How often a process died at each failpoint so far."""
    log = home / LOG
    return Counter(log.read_text("utf-8").split()) if log.exists() else Counter()


def choose(home: Path, process: str) -> str:
    """The setting that arms one failpoint, "" when it is calm."""
    if (home / CALM).exists():
        return ""
    so_far = hits(home)
    name = min(FAILPOINTS[process], key=lambda each: (so_far[each], random.random()))
    latest = _LATER_PASSAGE if so_far[name] else _LATEST_PASSAGE
    return f"{name}=kill@{random.randint(1, latest // 6 if name in _RARE else latest)}"


def main(process: str) -> None:
    """Become the process of that name."""
    home = Path(os.environ["JOBSTEWARD_HOME"])
    os.environ["JOBSTEWARD_FAILPOINTS"] = choose(home, process)
    os.environ["JOBSTEWARD_FAILPOINT_LOG"] = str(home / LOG)
    command = [sys.executable, "-P", "-m", "tests.support.process", process]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main(sys.argv[1])
