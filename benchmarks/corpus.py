"""Where the labelled data of the quality benchmarks lies."""

import json
import os
from pathlib import Path
from typing import Any

from benchmarks.report import ROOT

ENVIRONMENT = "JOBSTEWARD_CORPUS"


def corpus() -> Path:
    """The data folder: $JOBSTEWARD_CORPUS, else ``../shared/data`` beside the checkout."""
    return Path(os.environ.get(ENVIRONMENT, "") or ROOT.parent / "shared" / "data")


def labels(*parts: str) -> Any:
    """A labelled table as JSON values, a list of lines for JSONL; [] where there is none."""
    path = corpus().joinpath("E_labels", *parts)
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return json.loads(text)
