"""Reading jobs in full: their own page, what it says, and a snapshot of both (DIS-9).

A fetch that fails or gives no text never takes anything away: the posting as it was listed,
or as it was read before, is what then counts.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import anyio.to_thread
from sqlalchemy import Connection, select

from jobsteward.discover.model import Board, DiscoveryExecutionRef, Posting
from jobsteward.discover.pipeline_state import (
    StageWork,
    due_jobs,
    jobs_of_run,
    make_stale,
    move_stage,
    move_stages,
    stages_of,
)
from jobsteward.discover.plan import boards_read
from jobsteward.discover.service import read_posting
from jobsteward.discover.snapshots import Text, save_enrichment
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.store import save_text
from jobsteward.discover.tables import DISCOVERY_EXECUTION_JOBS
from jobsteward.discover.understand.hidden import is_thin
from jobsteward.discover.understand.model import Understanding
from jobsteward.discover.understand.reading import understand
from jobsteward.discover.views import stored_posting
from jobsteward.kernel.clock import utc_now
from jobsteward.kernel.errors import JobstewardError, StorageError
from jobsteward.kernel.events import NewEvent
from jobsteward.kernel.stages import MOST_FAILURES, Stage, StageMove, StageState
from jobsteward.net import Outbound
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog

JOB_ENRICHED = "JobEnriched"
_AGAIN = frozenset({StageState.STALE, StageState.CANCELED, StageState.FAILED})


@dataclass(frozen=True, slots=True)
class Cohort:
    """Jobs that were queued, and the last one that was looked at: None once all were."""

    job_ids: tuple[str, ...]
    last: str | None


@dataclass(frozen=True, slots=True)
class Enriched:
    """How it went: the stage's state now, whether there is a text, the code of a failure."""

    state: StageState
    text: Text = "unknown"
    code: str | None = None


@dataclass(frozen=True, slots=True)
class _Begun:
    posting: Posting
    board: Board
    attempt: int


@dataclass(frozen=True, slots=True)
class _Reading:
    posting: Posting
    facts: Understanding
    code: str | None = None
    retryable: bool = False

    @property
    def text(self) -> Text:
        description = self.posting.description
        return "full" if description and not is_thin(description) else "unknown"


def queue_enrichment(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, after: str = "", most: int = 200
) -> Cohort:
    """Queue those of the run's next ``most`` jobs that have to be read, in the run's name."""
    columns = DISCOVERY_EXECUTION_JOBS.c
    seen = list(
        conn.scalars(
            select(columns.job_id)
            .where(
                columns.tenant_id == ref.tenant_id,
                columns.workflow_id == ref.workflow_id,
                columns.run_id == ref.run_id,
                columns.job_id > after,
            )
            .order_by(columns.job_id)
            .limit(most)
        )
    )
    due = due_jobs(conn, ref.tenant_id, seen, Stage.ENRICH)
    for job_id in due:
        _advance(conn, log, _work(ref), job_id, StageState.QUEUED)
    return Cohort(tuple(due), seen[-1] if len(seen) == most else None)


def cancel_enrichment(conn: Connection, log: EventLog, ref: DiscoveryExecutionRef) -> int:
    """End what this very run queued or began, and nobody else's; returns how many."""
    work, states = _work(ref), (StageState.QUEUED, StageState.RUNNING)
    by_attempt: dict[int, list[str]] = {}
    for job_id, record in jobs_of_run(conn, work, Stage.ENRICH, states).items():
        by_attempt.setdefault(record.attempt, []).append(job_id)
    for attempt, job_ids in by_attempt.items():
        move = StageMove(StageState.CANCELED, attempt, "canceled")
        move_stages(conn, log, work, job_ids, Stage.ENRICH, move)
    return sum(map(len, by_attempt.values()))


async def enrich_job(
    database: Database,
    log: EventLog,
    outbound: Outbound,
    ref: DiscoveryExecutionRef,
    job_id: str,
) -> Enriched:
    """Read one job in full and keep what it says; safe to repeat.

    A failure that may pass leaves the stage failed, one that will not leaves it succeeded
    with the sparse lead and the failure's code. A job that needs no reading is left alone.
    Raises NotFoundError for an unknown job, and StorageError.
    """
    begun = await database.write(lambda conn: _begin(conn, log, ref, job_id))
    if isinstance(begun, Enriched):
        return begun
    reading = await _read(outbound, begun)
    return await database.write(lambda conn: _settle(conn, log, ref, begun, reading))


def _begin(
    conn: Connection, log: EventLog, ref: DiscoveryExecutionRef, job_id: str
) -> _Begun | Enriched:
    state = stages_of(conn, ref.tenant_id, job_id)[Stage.ENRICH].state
    if state in {StageState.SUCCEEDED, StageState.SKIPPED, StageState.EXHAUSTED}:
        return Enriched(state)
    if state is not StageState.RUNNING:
        _advance(conn, log, _work(ref), job_id, StageState.RUNNING)
    attempt = stages_of(conn, ref.tenant_id, job_id)[Stage.ENRICH].attempt
    posting = stored_posting(conn, ref.tenant_id, job_id)
    return _Begun(posting, _board(boards_read(conn, ref.tenant_id), posting), attempt)


def _advance(conn: Connection, log: EventLog, work: StageWork, job_id: str, to: StageState) -> None:
    record = stages_of(conn, work.tenant_id, job_id)[Stage.ENRICH]
    if record.state in _AGAIN:
        back = StageMove(StageState.PENDING, record.attempt)
        record = move_stage(conn, log, work, job_id, Stage.ENRICH, back)
    move_stage(conn, log, work, job_id, Stage.ENRICH, StageMove(to, record.attempt))


def _board(boards: Sequence[Board], posting: Posting) -> Board:
    key = posting.key
    for board in boards:
        if (board.provider, board.key) == (key.provider, key.board):
            return board
    region, _, token = key.board.rpartition(":")
    return Board(key.provider, token, region)


async def _read(outbound: Outbound, begun: _Begun) -> _Reading:
    posting, code, retryable = begun.posting, None, False
    source = SOURCES.get(posting.key.provider)
    if source is not None:
        try:
            posting = await read_posting(outbound, source, begun.board, posting)
        except StorageError:
            raise
        except JobstewardError as error:
            code, retryable = error.code, error.retryable
    posting = _with_best_text(posting, begun.posting)
    facts = await anyio.to_thread.run_sync(lambda: understand(posting, now=utc_now()))
    return _Reading(posting, facts, code, retryable)


def _with_best_text(read: Posting, stored: Posting) -> Posting:
    if stored.description and (not read.description or is_thin(read.description)):
        return replace(read, description=stored.description)
    return read


def _settle(
    conn: Connection,
    log: EventLog,
    ref: DiscoveryExecutionRef,
    begun: _Begun,
    reading: _Reading,
) -> Enriched:
    job_id, work = begun.posting.key.job_id, _work(ref)
    record = stages_of(conn, ref.tenant_id, job_id)[Stage.ENRICH]
    if (record.state, record.attempt) != (StageState.RUNNING, begun.attempt):
        return Enriched(record.state)  # canceled, or taken up anew, while it was being read
    enrichment, news = save_enrichment(
        conn,
        ref.tenant_id,
        reading.posting,
        text=reading.text,
        facts=asdict(reading.facts),
        code=reading.code,
    )
    if reading.text == "full":
        save_text(conn, log, ref, reading.posting)
    log.append(conn, _event(ref, job_id, enrichment.version, reading))
    if news:
        make_stale(conn, log, work, [job_id], Stage.ENRICH)
    to = StageState.FAILED if reading.retryable else StageState.SUCCEEDED
    move = StageMove(to, begun.attempt, reading.code)
    record = move_stage(conn, log, work, job_id, Stage.ENRICH, move)
    if record.state is StageState.FAILED and record.failures >= MOST_FAILURES:
        move = StageMove(StageState.EXHAUSTED, begun.attempt, reading.code)
        record = move_stage(conn, log, work, job_id, Stage.ENRICH, move)
    return Enriched(record.state, reading.text, reading.code)


def _event(ref: DiscoveryExecutionRef, job_id: str, version: int, reading: _Reading) -> NewEvent:
    return NewEvent(
        tenant_id=ref.tenant_id,
        entity_kind="job",
        entity_ref=job_id,
        event_type=JOB_ENRICHED,
        idempotency_key=f"job-enriched:{job_id}:{version}",
        payload={"version": version, "text": reading.text, "code": reading.code},
        job_id=job_id,
        workflow_id=ref.workflow_id,
        run_id=ref.run_id,
    )


def _work(ref: DiscoveryExecutionRef) -> StageWork:
    return StageWork(ref.tenant_id, ref.workflow_id, ref.run_id)
