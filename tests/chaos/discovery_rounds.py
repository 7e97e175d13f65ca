"""Discovery whose worker is killed again and again, each round judged against its boards.

A round discovers two boards of its own. Its first workers kill themselves, each at one step
of reading a unit; the last one finishes. Then every posting must be a job, once, with one
event, one membership and one acknowledged receipt (DIS-6).
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from sqlalchemy import Connection, func, select

from jobsteward.discover.model import PostingKey
from jobsteward.discover.tables import DISCOVERY_EXECUTION_JOBS, JOBS
from jobsteward.discover.unit_batches import DISCOVERY_RECEIPTS
from jobsteward.discover.units import DISCOVERY_SEARCH_UNITS
from jobsteward.kernel.canonical import canonical_json
from jobsteward.library import Library, open_library
from jobsteward.runs.model import Execution, RunStatus
from jobsteward.settings import Settings
from jobsteward.store.event_log import JOB_EVENTS
from jobsteward_server.embedded import EmbeddedTemporal
from jobsteward_worker.workflows import CATALOGUE
from tests.discover.made_boards import HOSTS, MadeBoards
from tests.support.temporal import Starter, client_of, embedded_temporal

PLACES = (
    "unit.claimed",
    "unit.admitted",
    "unit.before_commit",
    "unit.stored",
    "unit.acknowledged",
    "unit.read",
    "unit.finished",
)
_DEEP = frozenset(PLACES[1:5])
"""Places that every batch reaches; the kill then comes at the first to the third time."""
KILLS_A_ROUND = 2
HEARTBEAT = 3.0
_REPOSITORY = Path(__file__).parents[2]
_DEATH_WITHIN = 60.0
_END_WITHIN = 120.0


@dataclass
class Rounds:
    """What the rounds came to; ``violations`` says in words what did not hold."""

    rounds: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    postings: int = 0
    violations: list[str] = field(default_factory=list)
    seconds: float = 0.0


async def run_rounds(home: Path, kills: int, seed: int, database_url: str | None = None) -> Rounds:
    """Rounds until at least that many kills; the same seed kills at the same places."""
    began, found = time.monotonic(), Rounds()
    boards = MadeBoards(single=230, paged=50)
    with embedded_temporal(home) as server:
        async with boards.serve() as origins:
            settings = Settings(
                home=home,
                origin_map=origins,
                heartbeat_timeout=HEARTBEAT,
                database_url=database_url,
            )
            client = await client_of(server, home)
            async with await open_library(settings) as library:
                starter = Starter(library, client, CATALOGUE)
                worker = _Worker(server, settings)
                chance = random.Random(seed)
                try:
                    while found.kills.total() < kills:
                        await _round(starter, worker, boards, chance, found)
                finally:
                    worker.end()
    found.seconds = time.monotonic() - began
    return found


@dataclass
class _Worker:
    """One worker process at a time."""

    server: EmbeddedTemporal
    settings: Settings
    process: subprocess.Popen[bytes] | None = None

    def start(self, place: str = "") -> None:
        """Replace the process by one that kills itself at the place, if any."""
        self.end()
        settings = {
            "HOME": str(self.settings.home),
            "TEMPORAL_ADDRESS": self.server.address,
            "TEMPORAL_NAMESPACE": self.server.namespace,
            "ORIGIN_MAP": canonical_json(dict(self.settings.origin_map)),
            "DATABASE_URL": self.settings.database_url or "",
            "TEST_MODE": "1",
            "FAILPOINTS": place,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.process", "worker"],
            cwd=_REPOSITORY,
            env=os.environ | {f"JOBSTEWARD_{name}": value for name, value in settings.items()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @property
    def died(self) -> bool:
        return self.process is not None and self.process.poll() == -signal.SIGKILL


async def _round(
    starter: Starter, worker: _Worker, boards: MadeBoards, chance: random.Random, found: Rounds
) -> None:
    found.rounds += 1
    names = (f"round{found.rounds}", f"Round{found.rounds}")
    execution: Execution | None = None
    for _ in range(KILLS_A_ROUND):
        place = chance.choice(PLACES)
        turn = chance.randint(1, 3) if place in _DEEP else 1
        worker.start(f"{place}=kill@{turn}")
        if execution is None:
            urls = [
                f"https://jobs.lever.co/{names[0]}",
                f"https://{HOSTS[1]}/{names[1]}",
            ]
            execution = await starter.run("discover", {"boards": urls})
        if await _died_or_ended(starter, worker, execution):
            found.kills[place] += 1
    assert execution is not None
    worker.start()
    execution = await starter.until(execution, within=_END_WITHIN)
    await _closed(starter, execution)
    found.postings += boards.size
    found.violations += [
        f"round {found.rounds}: {problem}"
        for problem in await _problems(starter.library, execution, boards, names)
    ]


async def _died_or_ended(starter: Starter, worker: _Worker, execution: Execution) -> bool:
    """Whether the worker died; False where the run ended before it came to its place."""
    with anyio.fail_after(_DEATH_WITHIN):
        while True:
            if worker.died:
                return True
            now = await starter.until(execution, lambda _found: True)
            if now.is_terminal:
                return False
            await anyio.sleep(0.05)


async def _closed(starter: Starter, execution: Execution) -> None:
    """Wait until Temporal has closed the run too: the next round has the same workflow id."""
    with anyio.fail_after(_END_WITHIN):
        await starter.handle(execution).result()


async def _problems(
    library: Library, execution: Execution, boards: MadeBoards, names: Sequence[str]
) -> list[str]:
    expected = {
        PostingKey("lever", names[0], f"00000000-0000-4000-8000-{number:012d}").job_id
        for number in range(boards.single)
    }
    problems = []
    if execution.status is not RunStatus.SUCCEEDED:
        problems.append(f"the run is {execution.status}")
    seen = await library.database.read(lambda conn: _seen(conn, execution.run_id or ""))
    for what, job_ids in seen.jobs.items():
        if len(job_ids) != len(set(job_ids)):
            problems.append(f"{what}: some twice")
        if len(set(job_ids)) != boards.size or not expected <= set(job_ids):
            problems.append(f"{what}: {len(set(job_ids))} of {boards.size}")
    if set(seen.states) != {"done"}:
        problems.append(f"units are {seen.states}")
    if seen.unacknowledged:
        problems.append(f"{seen.unacknowledged} receipts are not acknowledged")
    if seen.effects != {"discovered": boards.size}:
        problems.append(f"receipts say {seen.effects}")
    return problems


@dataclass(frozen=True)
class _Seen:
    """Job ids by where they stand, the units' states, and what the receipts say."""

    jobs: dict[str, list[str]]
    states: list[str]
    effects: dict[str, int]
    unacknowledged: int


def _seen(conn: Connection, run_id: str) -> _Seen:
    units, receipts = DISCOVERY_SEARCH_UNITS.c, DISCOVERY_RECEIPTS.c
    members = select(DISCOVERY_EXECUTION_JOBS.c.job_id).where(
        DISCOVERY_EXECUTION_JOBS.c.run_id == run_id
    )
    events = select(JOB_EVENTS.c.job_id).where(
        JOB_EVENTS.c.run_id == run_id, JOB_EVENTS.c.event_type == "JobDiscovered"
    )
    late = (
        select(func.count())
        .select_from(DISCOVERY_RECEIPTS)
        .join(
            DISCOVERY_SEARCH_UNITS,
            (units.run_id == receipts.run_id) & (units.unit_id == receipts.unit_id),
        )
        .where(receipts.run_id == run_id, receipts.revision > units.revision)
    )
    taken = select(receipts.job_id, receipts.effect).where(receipts.run_id == run_id)
    rows = conn.execute(taken).all()
    return _Seen(
        jobs={
            "jobs": list(conn.scalars(select(JOBS.c.job_id).where(JOBS.c.job_id.in_(members)))),
            "memberships": list(conn.scalars(members)),
            "events": list(conn.scalars(events)),
            "receipts": [row.job_id for row in rows],
        },
        states=list(conn.scalars(select(units.state).where(units.run_id == run_id))),
        effects=dict(Counter(row.effect for row in rows)),
        unacknowledged=conn.scalar(late) or 0,
    )
