"""Discovery in real worker processes that freeze, die and are cancelled (DIS-5, DIS-6)."""

import json
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import func, select

from jobsteward.discover.pipeline_state import JOB_STAGE_STATES
from jobsteward.discover.preferences import Preferences, save_preferences
from jobsteward.discover.tables import JOBS
from jobsteward.discover.unit_batches import DISCOVERY_RECEIPTS
from jobsteward.discover.units import DISCOVERY_SEARCH_UNITS
from jobsteward.kernel.errors import StorageError
from jobsteward.library import Library
from jobsteward.runs.heartbeats import capacity_of
from jobsteward.runs.model import Execution, RunStatus
from jobsteward.settings import Settings
from jobsteward.store.event_log import JOB_EVENTS
from tests.discover.made_boards import LEVER, WORKDAY, MadeBoards
from tests.support.temporal import Starter
from tests.worker.conftest import StartWorker
from tests.worker.facts import becomes, eventually

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

HEARTBEAT = 4.0


@pytest.fixture
def boards() -> MadeBoards:
    return MadeBoards()


@pytest.fixture
async def origins(boards: MadeBoards) -> AsyncIterator[dict[str, str]]:
    async with boards.serve() as found:
        yield found


@pytest.fixture
def settings(settings: Settings, origins: dict[str, str]) -> Settings:
    """Boards on this machine, and a worker that counts as gone after four silent seconds."""
    update = {"origin_map": origins, "heartbeat_timeout": HEARTBEAT}
    return settings.model_copy(update=update)


@pytest.fixture
def worker_environment(origins: dict[str, str]) -> dict[str, str]:
    return {"JOBSTEWARD_ORIGIN_MAP": json.dumps(origins), "JOBSTEWARD_TEST_MODE": "1"}


async def units(library: Library) -> dict[str, Any]:
    rows = await library.database.read(
        lambda conn: conn.execute(select(DISCOVERY_SEARCH_UNITS)).all()
    )
    return {row.unit_id: row for row in rows}


async def first_unit(library: Library) -> Any:
    return (await units(library))["src_1_u1"]


async def capacity(library: Library) -> Sequence[object]:
    return await library.database.read(lambda conn: capacity_of(conn, library.runtime))


async def freeze(process: subprocess.Popen[str], library: Library) -> None:
    """Stop the process at a moment when none of its threads holds the database."""
    with anyio.fail_after(60):
        while True:
            process.send_signal(signal.SIGSTOP)
            try:
                return await library.database.write(lambda _conn: None)
            except StorageError:
                process.send_signal(signal.SIGCONT)


async def job_count(library: Library) -> int:
    statement = select(func.count()).select_from(JOBS)
    return await library.database.read(lambda conn: conn.scalar(statement) or 0)


async def effects(library: Library) -> Counter[str]:
    statement = select(DISCOVERY_RECEIPTS.c.effect)
    return Counter(await library.database.read(lambda conn: list(conn.scalars(statement))))


async def job_events(library: Library) -> list[str]:
    statement = select(JOB_EVENTS.c.job_id).where(JOB_EVENTS.c.event_type == "JobDiscovered")
    return await library.database.read(lambda conn: list(conn.scalars(statement)))


async def discover(starter: Starter, *boards: str) -> Execution:
    return await starter.run("discover", {"boards": list(boards)})


def source_statuses(execution: Execution) -> set[str]:
    assert execution.run is not None and execution.run.result is not None
    return {source["status"] for source in execution.run.result["sources"]}


async def assert_whole(library: Library, boards: MadeBoards) -> None:
    """Every posting is a job, once, with one event and one receipt."""
    assert await job_count(library) == boards.size
    assert await effects(library) == {"discovered": boards.size}
    found = await job_events(library)
    assert len(found) == len(set(found)) == boards.size
    assert {unit.state for unit in (await units(library)).values()} == {"done"}


PLACES = [
    "unit.claimed",
    "unit.admitted@2",
    "unit.before_commit@3",
    "unit.stored@2",
    "unit.acknowledged@4",
    "unit.read",
    "unit.finished",
]


@pytest.mark.parametrize("place", PLACES)
async def test_killed_at_any_step_no_posting_is_lost_or_doubled(
    place: str,
    library: Library,
    starter: Starter,
    start_worker: StartWorker,
    worker_environment: dict[str, str],
    boards: MadeBoards,
) -> None:
    """DIS-6, F24: the next worker goes on, and each posting counts once."""
    name, _, turn = place.partition("@")
    armed = {"JOBSTEWARD_FAILPOINTS": f"{name}=kill@{turn or 1}"}
    doomed = start_worker(**worker_environment, **armed)
    execution = await discover(starter, LEVER, WORKDAY)
    await eventually(lambda: doomed.poll() is not None, 30)
    assert doomed.returncode == -signal.SIGKILL
    start_worker(**worker_environment)
    execution = await starter.until(execution, within=60)
    assert execution.status is RunStatus.SUCCEEDED
    assert source_statuses(execution) == {"ok"}
    await assert_whole(library, boards)


@pytest.mark.skipif(
    os.environ.get("JOBSTEWARD_PROVE") != "1",
    reason="whether a woken worker hears of its end before it writes is a race that needs an"
    " idle machine; tests/discover/test_units.py holds the fence itself",
)
async def test_a_frozen_worker_that_wakes_up_is_fenced(
    library: Library,
    starter: Starter,
    start_worker: StartWorker,
    worker_environment: dict[str, str],
    boards: MadeBoards,
    tmp_path: Path,
) -> None:
    """F16: stopped beyond its heartbeat and replaced, its late write is refused and counted."""
    boards.paged = 0
    reached = tmp_path / "reached"
    armed = {
        "JOBSTEWARD_FAILPOINTS": "unit.admitted=sleep:5",
        "JOBSTEWARD_FAILPOINT_LOG": str(reached),
    }
    frozen = start_worker(**worker_environment, **armed)
    execution = await discover(starter, LEVER)
    await eventually(reached.exists, 30)
    # Its other writes come first: behind one of them, the late write would never be tried.
    await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    await becomes(lambda: capacity(library), bool, 20)
    await freeze(frozen, library)
    start_worker(**worker_environment)
    unit = await becomes(lambda: first_unit(library), lambda unit: unit.state == "done", 60)
    assert (unit.epoch, unit.refused_writes) == (2, 0)
    frozen.send_signal(signal.SIGCONT)
    await becomes(lambda: first_unit(library), lambda unit: unit.refused_writes == 1, 30)
    execution = await starter.until(execution, within=60)
    assert execution.status is RunStatus.SUCCEEDED
    await assert_whole(library, boards)


@pytest.mark.usefixtures("pool")
async def test_a_cancel_ends_every_unit_within_five_seconds(
    library: Library, starter: Starter, boards: MadeBoards
) -> None:
    """DIS-6, P102, P103: nothing is half stored, and no unit is left open."""
    held = Counter[str]()

    async def hold(request: str) -> None:
        held[request] += 1
        if held["any"] or request.startswith("GET"):
            await anyio.sleep(60)

    boards.before = hold
    execution = await discover(starter, LEVER, WORKDAY)
    await eventually(lambda: len(held) >= 2, 20)
    await becomes(lambda: job_count(library), lambda count: count == boards.paged, 20)
    began = time.monotonic()
    await starter.handle(execution).cancel()
    execution = await starter.until(execution)
    assert time.monotonic() - began < 5
    assert execution.status is RunStatus.CANCELED
    found = await units(library)
    assert found["src_1_u1"].state == "canceled"
    assert found["src_1_u1"].outcome["code"] == "canceled"
    taken = await effects(library)
    assert await job_count(library) == taken["discovered"] == boards.paged


@pytest.mark.usefixtures("pool")
async def test_a_cancel_frees_jobs_that_were_to_be_read(
    library: Library, starter: Starter, boards: MadeBoards
) -> None:
    """DIS-9, J15: none stays owned by the run, and what the sources found is kept."""
    asked: list[str] = []

    async def hold(request: str) -> None:
        if request.startswith("GET"):
            asked.append(request)
            await anyio.sleep(60)

    boards.before = hold
    execution = await discover(starter, WORKDAY)
    await eventually(lambda: asked, 20)
    began = time.monotonic()
    await starter.handle(execution).cancel()
    execution = await starter.until(execution)
    assert time.monotonic() - began < 5
    assert execution.status is RunStatus.CANCELED
    assert (await first_unit(library)).state == "done"
    states = await library.database.read(
        lambda conn: set(
            conn.scalars(
                select(JOB_STAGE_STATES.c.state).where(JOB_STAGE_STATES.c.stage == "enrich")
            )
        )
    )
    assert "canceled" in states and not states & {"queued", "running"}


@pytest.mark.usefixtures("pool")
async def test_without_boards_the_preferences_name_them(
    library: Library, starter: Starter, boards: MadeBoards
) -> None:
    """DIS-5: and a run keeps those that it was planned with."""
    boards.single = 3
    wanted = Preferences(boards=(LEVER,))
    await library.database.write(lambda conn: save_preferences(conn, "local", wanted))
    execution = await starter.until(await starter.run("discover", {}), within=30)
    assert execution.status is RunStatus.SUCCEEDED
    assert await job_count(library) == 3


@pytest.mark.usefixtures("pool")
async def test_without_any_board_the_run_says_what_to_do(starter: Starter) -> None:
    execution = await starter.until(await starter.run("discover", {}), within=30)
    assert execution.run is not None
    assert (execution.status, execution.run.error_code) == (RunStatus.FAILED, "missing_input")
