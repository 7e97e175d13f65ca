"""Saved histories: where they are, and how one is read and written."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from temporalio.client import WorkflowHistory

HISTORIES = Path(__file__).parent / "histories"


def saved() -> Iterator[Path]:
    """Every history: ``histories/WORKFLOW/VERSION/SCENARIO.json.gz``."""
    yield from sorted(HISTORIES.glob("*/*/*.json.gz"))


def read(path: Path) -> WorkflowHistory:
    """The history in the file."""
    text = gzip.decompress(path.read_bytes()).decode()
    started = json.loads(text)["events"][0]["workflowExecutionStartedEventAttributes"]
    return WorkflowHistory.from_json(started["workflowId"], text)


def write(path: Path, history: WorkflowHistory) -> bool:
    """Save it unless the file is there: a released history is never changed."""
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_anonymous(json.loads(history.to_json())), separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return True


def _anonymous(value: Any) -> Any:
    """Without the names of the machine and process that recorded it."""
    if isinstance(value, dict):
        return {
            name: "recorder" if name == "identity" else _anonymous(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_anonymous(item) for item in value]
    if isinstance(value, str):
        return re.sub(r"\d+@[\w.-]+-[0-9a-f]{32}", "sticky-queue", value)
    return value
