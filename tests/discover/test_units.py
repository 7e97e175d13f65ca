"""Search units: leases with growing epochs, store before acknowledge, harmless replay."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest
from sqlalchemy import Connection, func, select, update

from jobsteward.discover import checkpoint
from jobsteward.discover.admit import Decision
from jobsteward.discover.model import (
    DiscoveryExecutionRef,
    Posting,
    SourceOutcome,
)
from jobsteward.discover.plan import Search, plan_sources
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.tables import JOBS
from jobsteward.discover.unit_batches import (
    DISCOVERY_RECEIPTS,
    acknowledge,
    counts,
    store_batch,
)
from jobsteward.discover.unit_batches import (
    acknowledged as acknowledged_ids,
)
from jobsteward.discover.unit_ending import (
    close_abandoned,
    close_run,
    close_source,
    has_abandoned,
)
from jobsteward.discover.unit_reader import Admit, UnitReader, admit_all
from jobsteward.discover.units import (
    DISCOVERY_SEARCH_UNITS,
    Lease,
    claim,
    finish,
    units_of_source,
)
from jobsteward.discover.views import source_outcomes
from jobsteward.kernel import failpoints
from jobsteward.kernel.errors import (
    CursorSchemaError,
    NotFoundError,
    RequestChangedError,
    StaleLeaseError,
)
from jobsteward.runs.lifecycle import record_outcome, record_started
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog
from tests.discover.boards import posting
from tests.discover.workday_site import PAGE, WorkdaySite

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
URL = "https://acme.wd1.myworkdayjobs.com/Careers"
UNIT = "src_1_u1"


class Bench:
    """A planned run over one board, and whatever a test does with its unit."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self.database = database
        self.log = log
        self.search = Search(Preferences(boards=(URL,)))

    async def plan(self) -> None:
        await self.write(lambda conn: plan_sources(conn, self.log, RUN, self.search))

    async def write(self, work: Callable[[Connection], Any]) -> Any:
        return await self.database.write(work)

    async def take(self, attempt: int = 1, owner: str = "first") -> Lease:
        lease: Lease = await self.write(
            lambda conn: claim(conn, RUN, UNIT, attempt=attempt, owner=owner)
        )
        return lease

    async def store(self, lease: Lease, *postings: Posting, **how: Any) -> Any:
        refused: dict[str, str] = how.pop("refused", {})
        return await self.write(
            lambda conn: store_batch(conn, self.log, lease, postings, refused, **how)
        )

    async def read(
        self, site: WorkdaySite, lease: Lease, admit: Admit = admit_all
    ) -> SourceOutcome:
        reader = UnitReader(self.database, self.log, site, lease, self.search, admit)
        with anyio.fail_after(20):
            return await reader.read()

    async def unit(self) -> Any:
        return await self.database.read(
            lambda conn: conn.execute(select(DISCOVERY_SEARCH_UNITS)).one()
        )

    async def jobs(self) -> int:
        return await self.database.read(
            lambda conn: conn.scalar(select(func.count()).select_from(JOBS)) or 0
        )

    async def receipts(self) -> dict[str, int]:
        taken = await self.database.read(lambda conn: counts(conn, RUN, [UNIT]))
        return {str(effect): count for effect, count in taken.items()}


@pytest.fixture
async def bench(database: Database, log: EventLog) -> Bench:
    made = Bench(database, log)
    await made.plan()
    return made


def mark_started(conn: Connection, log: EventLog, run: RunRef) -> None:
    record_started(conn, log, run, workflow="discover", group_id=None, summary={}, startup={})


class Killed(Exception):
    """Stands for the end of the process at a failpoint."""


def killed_at(monkeypatch: pytest.MonkeyPatch, name: str, times: int = 1) -> None:
    """Die the ``times``-th time that the reader reaches the place."""
    left = [times]

    def reach(place: str) -> None:
        if place == name:
            left[0] -= 1
            if left[0] == 0:
                raise Killed

    monkeypatch.setattr(failpoints, "reach", reach)


async def test_taking_over_raises_the_epoch_and_fences_the_older_holder(bench: Bench) -> None:
    """DIS-5, F16: neither a job nor a checkpoint of the older holder is written."""
    old = await bench.take(attempt=1)
    new = await bench.take(attempt=2, owner="second")
    assert (old.epoch, new.epoch) == (1, 2)
    assert await bench.store(old, posting(1)) is None
    assert not await bench.write(lambda conn: acknowledge(conn, old, {"schema": 1}))
    assert not await bench.write(lambda conn: finish(conn, old, SourceOutcome("x", "ok")))
    unit = await bench.unit()
    assert (unit.state, unit.checkpoint, unit.refused_writes) == ("running", None, 3)
    assert await bench.jobs() == 0 and await bench.receipts() == {}
    assert await bench.store(new, posting(1)) is not None


async def test_an_older_attempt_cannot_take_the_unit_back(bench: Bench) -> None:
    """DIS-5: the epoch only grows."""
    await bench.take(attempt=3)
    with pytest.raises(StaleLeaseError):
        await bench.take(attempt=2)
    assert (await bench.unit()).epoch == 1


async def test_a_unit_outside_the_plan_is_not_found(bench: Bench) -> None:
    with pytest.raises(NotFoundError):
        await bench.write(lambda conn: claim(conn, RUN, "src_9_u1", attempt=1, owner="any"))


async def test_a_stale_reader_stops_with_its_own_error(bench: Bench) -> None:
    """F16: what it read meanwhile is dropped."""
    old = await bench.take(attempt=1)
    await bench.take(attempt=2, owner="second")
    with pytest.raises(StaleLeaseError):
        await bench.read(WorkdaySite(45), old)
    assert await bench.jobs() == 0 and (await bench.unit()).refused_writes == 1


async def test_a_board_of_many_pages_is_stored_and_acknowledged_page_by_page(bench: Bench) -> None:
    outcome = await bench.read(WorkdaySite(45), await bench.take())
    assert (outcome.status, outcome.found, outcome.advertised) == ("ok", 45, 45)
    unit = await bench.unit()
    assert (unit.revision, unit.checkpoint["ended"]) == (3, True)
    assert await bench.receipts() == {"discovered": 45} and await bench.jobs() == 45


@pytest.mark.parametrize("place", ["unit.admitted", "unit.stored", "unit.acknowledged"])
@pytest.mark.parametrize("page", [1, 2, 3])
async def test_a_crash_anywhere_loses_nothing_and_repeats_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, place: str, page: int
) -> None:
    """DIS-6: a stop before the acknowledgement is a harmless replay from there."""
    site = WorkdaySite(45)
    killed_at(monkeypatch, place, times=page)
    with pytest.raises(Killed):
        await bench.read(site, await bench.take())
    monkeypatch.undo()
    asked = len(site.asked)
    outcome = await bench.read(site, await bench.take(attempt=2, owner="second"))
    assert (outcome.status, outcome.found, outcome.advertised) == ("ok", 45, 45)
    acknowledged = page if place == "unit.acknowledged" else page - 1
    assert len(site.asked) - asked == 3 - acknowledged
    assert await bench.receipts() == {"discovered": 45} and await bench.jobs() == 45
    events = await bench.database.read(
        lambda conn: list(
            conn.scalars(select(JOB_EVENTS.c.job_id).where(JOB_EVENTS.c.job_id.is_not(None)))
        )
    )
    assert len(events) == len(set(events)) == 45


async def test_within_a_page_what_was_acknowledged_is_not_taken_again(bench: Bench) -> None:
    """DIS-6: the list may have another order by then."""
    first = await bench.take()
    await bench.store(first, posting(1), posting(2))
    await bench.write(lambda conn: acknowledge(conn, first, None))
    await bench.store(first, posting(3))
    second = await bench.take(attempt=2, owner="second")
    done = await bench.database.read(lambda conn: acknowledged_ids(conn, second))
    assert done == {posting(1).key.job_id, posting(2).key.job_id}


async def test_a_replayed_batch_keeps_its_first_receipts(bench: Bench) -> None:
    """DIS-6: counts come from receipts, so a job stays new to the run that found it."""
    lease = await bench.take()
    for _ in range(2):
        await bench.store(lease, posting(1), refused={"job_refused": "excluded"})
    assert await bench.receipts() == {"discovered": 1, "refused": 1}


async def test_a_refused_posting_leaves_a_hash_and_a_reason_only(bench: Bench) -> None:
    """DIS-6, DIS-7."""

    def odd_ones(_wanted: Preferences, item: Posting) -> Decision:
        return Decision(None if int(item.title.split()[-1]) % 2 else "title_not_wanted")

    outcome = await bench.read(WorkdaySite(10), await bench.take(), odd_ones)
    assert outcome.found == 10
    assert await bench.receipts() == {"discovered": 5, "refused": 5}
    assert await bench.jobs() == 5
    rows = await bench.database.read(
        lambda conn: conn.execute(
            select(DISCOVERY_RECEIPTS).where(DISCOVERY_RECEIPTS.c.effect == "refused")
        ).all()
    )
    assert {row.reason for row in rows} == {"title_not_wanted"}
    assert all(row.job_id.startswith("job_") and "Weaver" not in str(row) for row in rows)


async def test_the_limit_counts_new_jobs_of_the_whole_run(bench: Bench) -> None:
    """DIS-6: known jobs do not use it up, and what is left out has no receipt."""
    bench.search = Search(Preferences(boards=(URL,)), limit=25)
    lease = await bench.take()
    site = WorkdaySite(60)
    outcome = await bench.read(site, lease)
    assert (outcome.status, outcome.code, outcome.found) == ("partial", "limit_reached", 25)
    assert await bench.jobs() == 25 and await bench.receipts() == {"discovered": 25}
    assert site.asked == [0, PAGE]


async def test_a_resumed_cursor_that_is_gone_begins_the_list_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DIS-6: the reset is recorded with the acknowledgement that it waits for."""
    site = WorkdaySite(45)
    killed_at(monkeypatch, "unit.acknowledged", times=2)
    with pytest.raises(Killed):
        await bench.read(site, await bench.take())
    gone = [True]
    site.refuse = lambda offset: 410 if offset == 2 * PAGE and gone.pop() else None
    killed_at(monkeypatch, "unit.reset_recorded")
    with pytest.raises(Killed):
        await bench.read(site, await bench.take(attempt=2, owner="second"))
    unit = await bench.unit()
    assert unit.reset_revision == unit.revision + 1 == 3 and unit.checkpoint is not None
    monkeypatch.undo()
    site.asked.clear()
    site.refuse = lambda _offset: None
    outcome = await bench.read(site, await bench.take(attempt=3, owner="third"))
    assert site.asked == [0, PAGE, 2 * PAGE]
    assert (outcome.status, outcome.found) == ("ok", 45)
    unit = await bench.unit()
    assert unit.reset_revision is None
    assert await bench.receipts() == {"discovered": 45} and await bench.jobs() == 45


async def test_another_question_than_planned_ends_the_unit(bench: Bench) -> None:
    """DIS-6."""
    lease = await bench.take()
    changed = replace(lease, unit=replace(lease.unit, request_digest="of-another-version"))
    with pytest.raises(RequestChangedError):
        await bench.read(WorkdaySite(1), changed)


async def test_another_form_of_cursor_ends_the_unit(bench: Bench) -> None:
    """DIS-6."""
    lease = replace(await bench.take(), checkpoint={"schema": 99})
    with pytest.raises(CursorSchemaError):
        await bench.read(WorkdaySite(1), lease)


async def test_a_cancel_ends_open_units_for_good(bench: Bench) -> None:
    """DIS-6, P102: whoever still works on one writes nothing more."""
    lease = await bench.take()
    await bench.store(lease, posting(1))
    assert await bench.write(lambda conn: close_run(conn, bench.log, RUN, "canceled")) == 1
    assert await bench.store(lease, posting(2)) is None
    unit = await bench.unit()
    assert (unit.state, unit.refused_writes) == ("canceled", 1)
    outcomes = await bench.database.read(lambda conn: source_outcomes(conn, RUN))
    assert [(item.status, item.code, item.found) for item in outcomes] == [
        ("partial", "canceled", 1)
    ]
    later = await bench.take(attempt=2, owner="second")
    assert later.outcome is not None and later.outcome.code == "canceled"
    assert await bench.write(lambda conn: close_run(conn, bench.log, RUN, "canceled")) == 0


async def test_units_of_a_run_that_was_ended_from_outside_are_closed(bench: Bench) -> None:
    """J15: a terminated run takes no step of its own any more."""
    lease = await bench.take()
    run = RunRef(RUN.tenant_id, RUN.workflow_id, RUN.run_id)

    async def closed() -> int:
        assert await bench.database.read(has_abandoned) is bool(ended)
        return int(await bench.write(lambda conn: close_abandoned(conn, bench.log)))

    ended = False
    await bench.write(lambda conn: mark_started(conn, bench.log, run))
    assert await closed() == 0
    await bench.write(
        lambda conn: record_outcome(
            conn, bench.log, run, RunStatus.TERMINATED, code=None, retryable=None, result=None
        )
    )
    ended = True
    assert await closed() == 1
    assert (await bench.unit()).state == "canceled"
    assert await bench.store(lease, posting(1)) is None
    assert not await bench.database.read(has_abandoned)


async def test_an_ended_unit_gives_its_outcome_again(bench: Bench) -> None:
    """F24: a result that was lost on its way is returned, and nothing is done twice."""
    lease = await bench.take()
    outcome = await bench.read(WorkdaySite(5), lease)
    assert await bench.write(lambda conn: finish(conn, lease, outcome))
    again = await bench.take(attempt=2, owner="second")
    assert (again.outcome, again.epoch) == (outcome, lease.epoch)


async def test_a_source_that_failed_after_some_pages_is_partial(bench: Bench) -> None:
    """DIS-3, P038: pages that were read stay."""
    lease = await bench.take()
    await bench.store(lease, posting(1))
    outcome = await bench.write(
        lambda conn: close_source(conn, bench.log, RUN, "src_1", "source_unavailable")
    )
    assert (outcome.status, outcome.code, outcome.found) == ("partial", "source_unavailable", 1)
    assert (await bench.unit()).state == "failed"


async def test_a_twin_of_a_stored_job_is_looked_at_closer(bench: Bench) -> None:
    """DIS-6: another job has its title and employer; a failing look keeps the sparse lead."""
    site = WorkdaySite(2)
    site.titles = lambda _number: "Weaver"
    lease = await bench.take()
    await bench.read(site, lease)
    assert site.details == 0
    await bench.write(
        lambda conn: conn.execute(
            update(DISCOVERY_SEARCH_UNITS).values(checkpoint=None, revision=0)
        )
    )
    outcome = await bench.read(site, await bench.take(attempt=2, owner="second"))
    assert site.details == 2 and outcome.found == 2 and await bench.jobs() == 2


async def test_units_are_read_in_their_order(bench: Bench) -> None:
    units = await bench.database.read(lambda conn: units_of_source(conn, RUN, "src_1"))
    assert [unit.unit_id for unit in units] == [UNIT]
    assert units[0].request_digest == checkpoint.request_digest(SOURCES["workday"], units[0].board)
