"""Reading jobs in full takes nothing away, is repeatable, and is kept for good (DIS-9)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError

from jobsteward.discover import enrich
from jobsteward.discover.enrich import (
    Cohort,
    Enriched,
    cancel_enrichment,
    enrich_job,
    queue_enrichment,
)
from jobsteward.discover.model import Board, DiscoveryExecutionRef, Posting, PostingKey
from jobsteward.discover.pipeline_state import StageWork, move_stage, stages_of
from jobsteward.discover.plan import Search, plan_sources
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.snapshots import (
    JOB_POSTING_SNAPSHOTS,
    Enrichment,
    enrichment_of,
    snapshots_of,
)
from jobsteward.discover.store import save_postings
from jobsteward.discover.views import get_job
from jobsteward.kernel.errors import (
    JobstewardError,
    NotFoundError,
    RobotsClosedError,
    StorageError,
    TransientNetworkError,
)
from jobsteward.kernel.stages import MOST_FAILURES, Stage, StageMove, StageRecord, StageState
from jobsteward.net import Outbound
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog, whole_log
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

S = StageState
RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
OTHER = replace(RUN, run_id="run-2")
LEAD = posting(1, description=None)
RENAMED = replace(LEAD, title="Senior Engineer")
JOB = LEAD.key.job_id
TEXT = (
    "We look for an engineer who keeps our ferries on time. You will plan the docks and lead"
    " a small team.\n\nRequirements\n\n- 5+ years of experience with Python\n- Norwegian"
)
WALL = "We use cookies. Accept all cookies or sign in to view this page."
Answer = Posting | Exception


class Desk:
    """The store, and a posting's page that answers what the test lays out."""

    def __init__(self, database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database, self.log = database, log
        self.answers: list[Answer] = []
        self.boards: list[Board] = []
        self.meanwhile: Callable[[], Any] | None = None
        monkeypatch.setattr(enrich, "read_posting", self._answer)

    async def _answer(self, _out: Outbound, _source: object, board: Board, stored: Posting) -> Any:
        self.boards.append(board)
        if self.meanwhile:
            await self.meanwhile()
        answer = self.answers.pop(0) if self.answers else stored
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def save(self, *postings: Posting, ref: DiscoveryExecutionRef = RUN) -> None:
        await self.database.write(lambda conn: save_postings(conn, self.log, ref, postings))

    async def enrich(self, *answers: Answer, ref: DiscoveryExecutionRef = RUN) -> Enriched:
        self.answers = list(answers)
        outbound = cast(Outbound, None)
        return await enrich_job(self.database, self.log, outbound, ref, JOB)

    async def newest(self) -> Enrichment:
        found = await self.database.read(lambda conn: enrichment_of(conn, "local", JOB))
        assert found is not None
        return found

    async def description(self) -> str | None:
        job = await self.database.read(lambda conn: get_job(conn, "local", JOB))
        return job.description

    async def stage(self, stage: Stage = Stage.ENRICH) -> StageRecord:
        return (await self.database.read(lambda conn: stages_of(conn, "local", JOB)))[stage]

    async def snapshots(self) -> list[Posting]:
        rows = await self.database.read(lambda conn: snapshots_of(conn, "local", JOB))
        return [each for _, each in rows]


@pytest.fixture
async def desk(database: Database, log: EventLog, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A store with one sparse lead."""
    desk = Desk(database, log, monkeypatch)
    await desk.save(LEAD)
    return desk


async def test_a_read_page_fills_the_lead(desk: Desk) -> None:
    """The text becomes the job's, the whole page a snapshot, what it says the facts."""
    page = replace(LEAD, description=TEXT, posted_at="2026-11-02T08:00:00Z")
    assert await desk.enrich(page) == Enriched(S.SUCCEEDED, "full")
    assert await desk.description() == TEXT
    assert await desk.snapshots() == [page]
    enrichment = await desk.newest()
    assert (enrichment.text, enrichment.version, enrichment.code) == ("full", 1, None)
    assert enrichment.facts["requirements"]["years"] == 5
    assert [place["city"] for place in enrichment.facts["places"]["places"]] == ["Berlin"]


async def test_the_next_list_takes_nothing_away(desk: Desk) -> None:
    """A list without texts and dates is the same news as before: none."""
    await desk.enrich(replace(LEAD, description=TEXT, posted_at="2026-11-02T08:00:00Z"))
    await desk.save(LEAD, ref=OTHER)
    assert await desk.description() == TEXT
    assert (await desk.stage()).state is S.SUCCEEDED
    assert await desk.enrich(RobotsClosedError("closed")) == Enriched(S.SUCCEEDED)


@pytest.mark.parametrize(
    ("bad", "state", "code"),
    [
        (TransientNetworkError("away"), S.FAILED, "transient_network"),
        (NotFoundError("gone"), S.SUCCEEDED, "not_found"),
        (RobotsClosedError("closed"), S.SUCCEEDED, "closed_by_robots"),
        (replace(RENAMED, description=WALL), S.SUCCEEDED, None),
        (RENAMED, S.SUCCEEDED, None),
    ],
    ids=["away", "gone", "robots", "wall", "no text"],
)
async def test_a_failing_fetch_erases_nothing(
    desk: Desk, bad: Answer, state: StageState, code: str | None
) -> None:
    """The text of the first reading stays, and so does every snapshot."""
    await desk.enrich(replace(LEAD, description=TEXT))
    await desk.save(RENAMED)
    assert (await desk.stage()).state is S.STALE
    assert await desk.enrich(bad) == Enriched(state, "full", code)
    assert await desk.description() == TEXT
    first, second = await desk.snapshots()
    assert (first.description, second.description) == (TEXT, TEXT)
    enrichment = await desk.newest()
    assert (enrichment.version, enrichment.code, enrichment.text) == (2, code, "full")


@pytest.mark.parametrize("bad", [RobotsClosedError("closed"), replace(LEAD, description=WALL)])
async def test_a_thin_page_is_unknown(desk: Desk, bad: Answer) -> None:
    """Never closed, never a text: the sparse lead is read for what it has."""
    assert (await desk.enrich(bad)).text == "unknown"
    assert await desk.description() is None
    assert (await desk.newest()).text == "unknown"
    assert (await desk.stage()).state is S.SUCCEEDED


async def test_what_may_pass_is_tried_again_until_used_up(desk: Desk) -> None:
    """Each try is an attempt of its own; then only a reset helps."""
    for number in range(1, MOST_FAILURES + 1):
        done = await desk.enrich(TransientNetworkError("away"))
        assert done.state is (S.EXHAUSTED if number == MOST_FAILURES else S.FAILED)
    assert await desk.enrich(LEAD) == Enriched(S.EXHAUSTED)
    assert (await desk.stage()).attempt == MOST_FAILURES


async def test_a_storage_failure_is_not_the_page_s(desk: Desk) -> None:
    """The step is tried again by whoever runs it; the stage waits as it is."""
    with pytest.raises(StorageError):
        await desk.enrich(StorageError("busy"))
    assert (await desk.stage()).state is S.RUNNING
    assert (await desk.enrich(replace(LEAD, description=TEXT))).text == "full"


async def test_other_facts_make_later_work_stale(desk: Desk) -> None:
    """A score over an old reading no longer holds; the same reading again changes nothing."""
    await desk.enrich(replace(LEAD, description=TEXT))
    work = StageWork("local")
    for to in (S.RUNNING, S.SUCCEEDED):
        await desk.database.write(
            lambda conn, to=to: move_stage(  # type: ignore[misc]
                conn, desk.log, work, JOB, Stage.SCORE, StageMove(to, 1)
            )
        )
    await desk.save(RENAMED)
    assert (await desk.stage(Stage.SCORE)).state is S.STALE


async def test_what_was_canceled_meanwhile_is_not_written(desk: Desk) -> None:
    """The answer of a page that nobody waits for any more is dropped."""

    async def cancel() -> None:
        assert await desk.database.write(lambda conn: cancel_enrichment(conn, desk.log, RUN)) == 1

    desk.meanwhile = cancel
    assert await desk.enrich(replace(LEAD, description=TEXT)) == Enriched(S.CANCELED)
    assert await desk.snapshots() == []
    assert await desk.description() is None


async def test_a_run_queues_and_cancels_its_own_cohort(desk: Desk) -> None:
    """Page by page, each job once, and never another run's work."""
    await desk.save(*[posting(number) for number in range(2, 6)])
    await desk.save(posting(9), ref=OTHER)
    seen: list[str] = []
    after: str | None = ""
    while after is not None:
        cohort: Cohort = await desk.database.write(
            lambda conn, at=after: queue_enrichment(conn, desk.log, RUN, at, 2)  # type: ignore[misc]
        )
        seen += cohort.job_ids
        after = cohort.last
    assert sorted(seen) == seen == sorted([JOB, *(posting(n).key.job_id for n in range(2, 6))])
    again = await desk.database.write(lambda conn: queue_enrichment(conn, desk.log, RUN))
    assert again == Cohort((), None)
    await desk.database.write(lambda conn: queue_enrichment(conn, desk.log, OTHER))
    assert await desk.database.write(lambda conn: cancel_enrichment(conn, desk.log, RUN)) == 5
    assert await desk.database.write(lambda conn: cancel_enrichment(conn, desk.log, OTHER)) == 1
    requeued = await desk.database.write(lambda conn: queue_enrichment(conn, desk.log, RUN))
    assert len(requeued.job_ids) == 5


async def test_the_board_is_asked_as_it_was_planned(desk: Desk) -> None:
    """What a token says about how the board is read is not part of a job's identity (P041)."""
    board = Board("lever", "Acme")
    wanted = Preferences(boards=("https://jobs.lever.co/Acme",))
    await desk.database.write(lambda conn: plan_sources(conn, desk.log, RUN, Search(wanted)))
    await desk.enrich(LEAD)
    assert desk.boards == [board]


async def test_events_say_nothing_of_the_text(desk: Desk) -> None:
    """OUT-7: ids, codes and counts only."""
    await desk.enrich(replace(LEAD, description=TEXT))
    columns = JOB_EVENTS.c
    payloads = await desk.database.read(
        lambda conn: conn.scalars(
            select(columns.payload).where(columns.event_type == "JobEnriched")
        ).all()
    )
    assert payloads == [{"version": 1, "text": "full", "code": None}]


async def test_a_snapshot_never_changes(desk: Desk) -> None:
    """Not even a statement of one's own changes what was kept."""
    await desk.enrich(LEAD)
    with pytest.raises(IntegrityError, match="a snapshot never changes"):
        await desk.database.write(
            lambda conn: conn.execute(update(JOB_POSTING_SNAPSHOTS).values(taken_at="later"))
        )


async def test_a_rebuild_keeps_where_it_stands(desk: Desk) -> None:
    """DOM-4: stages of read jobs follow from the log."""
    await desk.enrich(TransientNetworkError("away"))
    before = await desk.stage()
    await desk.database.write(lambda conn: desk.log.projector.rebuild(conn, whole_log(conn)))
    assert await desk.stage() == before
    assert before == StageRecord(Stage.ENRICH, S.FAILED, 1, 1, "transient_network")


async def test_an_unknown_job_is_said_so(desk: Desk) -> None:
    """Another tenant's job looks the same as none."""
    missing = PostingKey("lever", "acme", "none").job_id
    with pytest.raises(JobstewardError):
        await enrich_job(desk.database, desk.log, cast(Outbound, None), RUN, missing)
