"""What one event costs, folded into its read model, at growing numbers of jobs and runs."""

import secrets
import time
from contextlib import AsyncExitStack
from functools import partial

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
_WARM_UPS = 50
_BATCH = 500
_TENANT = "local"
_STARTUP = {"publication": "2026-09-01T00:00:00.000000Z"}


async def projection() -> Report:
    """Median and p95 of one append with its fold, without the commit, at each size.

    A size counts jobs and runs together, half of each; all were made by the product's own
    functions. The sizes are measured in turn, event by event.
    """
    report = Report("projection")
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(temporary_home())
        stores: dict[str, Library] = {}
        for name, size in SIZES.items():
            opened = await open_library(Settings(home=home / name))
            stores[name] = await stack.enter_async_context(opened)
            await _make(stores[name], size)
        samples = await _in_turn(stores)
    for name, values in samples.items():
        report.set(f"ms_{name}", percentile(values, 50))
        report.set(f"p95_ms_{name}", percentile(values, 95))
        report.keep(f"event_ms_{name}", values)
    report.set("growth", report.figures["projection.ms_100k"] / report.figures["projection.ms_1k"])
    report.settings = {"events": EVENTS, "sizes": SIZES}
    return report


async def _make(library: Library, size: int) -> None:
    say(f"projection: making {size} jobs and runs")
    for start in range(0, size // 2, _BATCH):
        count = min(_BATCH, size // 2 - start)
        await library.database.write(partial(_fill, library, start, count))
        await library.database.checkpoint()


async def _in_turn(stores: dict[str, Library]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in stores}
    for number in range(_WARM_UPS + EVENTS):
        for name, library in stores.items():
            ref = _new_ref()
            await library.database.write(partial(_start, library, ref))
            moment = await library.database.write(partial(_timed, library, ref))
            if number >= _WARM_UPS:
                samples[name].append(moment)
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
