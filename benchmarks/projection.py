"""What one event costs, folded into its read model, at growing numbers of jobs and runs."""

import secrets
import time
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from benchmarks.machinery import temporary_home
from benchmarks.report import Report, percentile, say
from jobsteward.discover.model import DiscoveryExecutionRef, Posting, PostingKey
from jobsteward.discover.store import save_postings
from jobsteward.library import Library, open_library
from jobsteward.runs import lifecycle
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward.settings import Settings

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000}
EVENTS = 400
_BATCH = 500
_TENANT = "local"
_STARTUP = {"publication": "2026-09-01T00:00:00.000000Z"}


async def projection() -> Report:
    """Median and p95 of one append with its fold, without the commit, at each size.

    A size counts jobs and runs together, half of each; all were made by the product's own
    functions. The fold of a run event and the store of a job are timed in turn.
    """
    report = Report("projection")
    async with temporary_home() as home:
        for name, size in SIZES.items():
            samples = await _at_size(home / name, size)
            report.set(f"ms_{name}", percentile(samples, 50))
            report.set(f"p95_ms_{name}", percentile(samples, 95))
            report.keep(f"event_ms_{name}", samples)
    report.set("growth", report.figures["projection.ms_100k"] / report.figures["projection.ms_1k"])
    report.settings = {"events": EVENTS, "sizes": SIZES}
    return report


async def _at_size(home: Path, size: int) -> list[float]:
    say(f"projection: making {size} jobs and runs")
    async with await open_library(Settings(home=home)) as library:
        for start in range(0, size // 2, _BATCH):
            count = min(_BATCH, size // 2 - start)
            await library.database.write(partial(_fill, library, start, count))
            await library.database.checkpoint()
        samples: list[float] = []
        for number in range(EVENTS):
            ref = _new_ref()
            await library.database.write(partial(_start, library, ref))
            samples.append(await library.database.write(partial(_timed, library, ref)))
            if number % 50 == 0:
                await library.database.checkpoint()
        return samples


def _fill(library: Library, start: int, count: int, conn: Connection) -> None:
    for _ in range(count):
        ref = _new_ref()
        _start(library, ref, conn)
        lifecycle.record_outcome(conn, library.log, ref, RunStatus.SUCCEEDED)
    ref = _new_ref()
    seen = DiscoveryExecutionRef(ref.tenant_id, ref.workflow_id, ref.run_id)
    save_postings(conn, library.log, seen, [_posting(start + at) for at in range(count)])


def _timed(library: Library, ref: RunRef, conn: Connection) -> float:
    began = time.perf_counter()
    lifecycle.record_first_step(
        conn, library.log, ref, startup=_STARTUP, entered_at=_STARTUP["publication"]
    )
    return (time.perf_counter() - began) * 1e3


def _start(library: Library, ref: RunRef, conn: Connection) -> None:
    lifecycle.record_started(
        conn,
        library.log,
        ref,
        workflow="measured",
        group_id=None,
        summary={},
        startup=_STARTUP,
    )


def _new_ref() -> RunRef:
    name = secrets.token_hex(12)
    return RunRef(_TENANT, f"measured-{name}", name)


def _posting(number: int) -> Posting:
    key = PostingKey("greenhouse", "crowd", str(number))
    page = f"https://jobs.crowd.example/{number}"
    return Posting(key, page, page, f"Engineer {number}", "Crowd", ("Port Alder",))
