"""Named places where a test can make this process die, wait or fail.

Inert unless both ``JOBSTEWARD_TEST_MODE=1`` and ``JOBSTEWARD_FAILPOINTS`` are set when the
process starts. The latter is a comma-separated list of ``name=action[@N]``: the action
happens on the N-th time the place is reached (default 1) in this process.

Actions: ``kill`` (SIGKILL to this process), ``error`` (raise RuntimeError),
``sleep:SECONDS`` (block this thread). With ``JOBSTEWARD_FAILPOINT_LOG`` set, every hit
appends the name to that file first, so that a test can prove coverage.
"""

import os
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class _Action:
    verb: str
    argument: float
    at: int


def _parse(text: str) -> dict[str, _Action]:
    actions: dict[str, _Action] = {}
    for item in filter(None, text.split(",")):
        name, _, rest = item.partition("=")
        rest, _, at = rest.partition("@")
        verb, _, argument = rest.partition(":")
        actions[name.strip()] = _Action(verb, float(argument or 0), int(at or 1))
    return actions


def _active() -> dict[str, _Action]:
    if os.environ.get("JOBSTEWARD_TEST_MODE") != "1":
        return {}
    return _parse(os.environ.get("JOBSTEWARD_FAILPOINTS", ""))


_ACTIONS = _active()
_HITS: Counter[str] = Counter()


def reach(name: str) -> None:
    """Mark a place; does nothing outside test mode."""
    action = _ACTIONS.get(name)
    if action is None:
        return
    _HITS[name] += 1
    if _HITS[name] != action.at:
        return
    _log(name)
    match action.verb:
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "sleep":
            time.sleep(action.argument)
        case _:
            raise RuntimeError(f"failpoint {name}")


def _log(name: str) -> None:
    path = os.environ.get("JOBSTEWARD_FAILPOINT_LOG")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(name + "\n")
            file.flush()
            os.fsync(file.fileno())
