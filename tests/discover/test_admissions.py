"""Decisions that last: re-observation, a person's word, links and explanations (DIS-7, DIS-8)."""

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from jobsteward.discover.admissions import (
    JOB_ADMISSIONS,
    find_admission,
    not_refused,
    readmit_job,
    record_decisions,
    refuse_job,
)
from jobsteward.discover.admit import Decision, admit, basis
from jobsteward.discover.explain import explain
from jobsteward.discover.links import link_new, links_of, redo_link, reposts, undo_link
from jobsteward.discover.model import DiscoveryExecutionRef, Posting, PostingKey
from jobsteward.discover.preferences import Preferences, save_preferences
from jobsteward.discover.store import save_postings
from jobsteward.discover.tables import JOBS
from jobsteward.kernel.errors import NotFoundError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import JOB_EVENTS, EventLog
from tests.discover.boards import posting

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
JOB = posting(1).key.job_id
PARIS = Preferences(places=("Paris",))
BERLIN = Preferences(places=("Berlin",))


class Desk:
    """Decides on postings as a search unit does, and looks at what is left."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self.database, self.log = database, log

    async def see(self, wanted: Preferences, item: Posting) -> Decision:
        decided = [(item, admit(wanted, item))]
        standing = await self.database.write(
            lambda conn: record_decisions(conn, self.log, RUN, decided, basis(wanted))
        )
        return standing[item.key.job_id]

    async def keep(self, *postings: Posting) -> None:
        await self.database.write(lambda conn: save_postings(conn, self.log, RUN, postings))

    async def events(self) -> list[str]:
        names = select(JOB_EVENTS.c.event_type).order_by(JOB_EVENTS.c.event_id)
        return await self.database.read(lambda conn: list(conn.scalars(names)))

    async def write(self, work: Any) -> Any:
        return await self.database.write(work)


@pytest.fixture
def desk(database: Database, log: EventLog) -> Desk:
    return Desk(database, log)


async def test_a_refused_posting_never_returns_by_itself(desk: Desk) -> None:
    """P010, J12: seen again it stays out; only a rule that passes lets it in, with an event."""
    poland = posting(1, locations=("Poland (Remote)",))
    for _ in range(2):
        assert (await desk.see(BERLIN, poland)).reason == "location_not_allowed"
    assert await desk.events() == []
    assert (await desk.see(Preferences(places=("Poland",)), poland)).admitted
    assert await desk.events() == ["JobAdmitted"]
    assert (await desk.see(BERLIN, poland)).reason == "location_not_allowed"
    assert await desk.events() == ["JobAdmitted", "JobRefused"]


async def test_a_refusal_keeps_its_rule_and_span(desk: Desk) -> None:
    """P123."""
    await desk.see(PARIS, posting(1))
    kept = await desk.database.read(lambda conn: find_admission(conn, "local", JOB))
    assert kept is not None
    assert kept.decision == admit(PARIS, posting(1))
    assert kept.decision.checks[0].spans[0].text == "Berlin"
    assert await desk.database.read(lambda conn: find_admission(conn, "other", JOB)) is None


async def test_open_preferences_keep_no_decisions(desk: Desk) -> None:
    assert (await desk.see(Preferences(), posting(1))).admitted
    count = select(func.count()).select_from(JOB_ADMISSIONS)
    assert await desk.database.read(lambda conn: conn.scalar(count)) == 0


async def test_a_persons_word_stands_against_the_rules(desk: Desk) -> None:
    """J12: what a person left out stays out, what a person let in stays in."""
    await desk.keep(posting(1))
    await desk.write(lambda conn: refuse_job(conn, desk.log, "local", JOB))
    assert (await desk.see(BERLIN, posting(1))).reason == "refused_by_person"
    shown = select(func.count()).select_from(JOBS).where(not_refused())
    assert await desk.database.read(lambda conn: conn.scalar(shown)) == 0
    for _ in range(2):
        await desk.write(lambda conn: readmit_job(conn, desk.log, "local", JOB))
    assert (await desk.see(PARIS, posting(1))).admitted
    assert await desk.database.read(lambda conn: conn.scalar(shown)) == 1
    assert await desk.events() == ["JobDiscovered", "JobRefused", "JobAdmitted"]


async def test_a_job_never_seen_cannot_be_refused(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="search_jobs"):
        await desk.write(lambda conn: refuse_job(conn, desk.log, "local", "job_none"))


async def test_an_explanation_of_a_stored_job_answers_every_rule(desk: Desk) -> None:
    wanted = replace(BERLIN, titles=("Nurse",))
    await desk.keep(posting(1))
    await desk.see(BERLIN, posting(1))
    await desk.write(lambda conn: save_preferences(conn, "local", wanted))
    told = await desk.database.read(lambda conn: explain(conn, "local", JOB))
    assert told.now is not None and told.now.reason == "title_not_wanted"
    assert [check.rule for check in told.now.checks] == ["titles", "places"]
    assert told.standing is not None and told.standing.decision.admitted
    assert told.outdated


async def test_a_refused_job_is_explained_without_being_stored(desk: Desk) -> None:
    await desk.write(lambda conn: save_preferences(conn, "local", PARIS))
    await desk.see(PARIS, posting(1))
    told = await desk.database.read(lambda conn: explain(conn, "local", JOB))
    assert (told.title, told.now, told.outdated) == ("Engineer 1", None, False)
    assert told.standing is not None
    assert told.standing.decision.reason == "location_not_allowed"
    with pytest.raises(NotFoundError):
        await desk.database.read(lambda conn: explain(conn, "local", "job_none"))


def twin(number: int, provider: str = "adzuna", **changes: Any) -> Posting:
    """Posting 1 again, under another id."""
    key = PostingKey(provider, "acme", f"twin{number}")
    url = f"https://jobs.lever.co/acme/twin{number}"
    if provider != "lever":
        url = f"https://{provider}.test/twin{number}"
    return replace(posting(1, key=key, url=url, apply_url=url), **changes)


async def test_the_same_opening_elsewhere_is_found_and_linked(desk: Desk) -> None:
    """J09: by the employer's id the same, by looks a possible duplicate; kept once."""
    first = posting(1)
    copies = [twin(1, apply_url=first.apply_url), twin(2, "remotive")]
    await desk.keep(first, *copies, posting(2))
    for _ in range(2):
        await desk.write(lambda conn: link_new(conn, "local", [first, *copies, posting(2)]))
    links = await desk.database.read(lambda conn: links_of(conn, "local", JOB))
    other = {link.other_id if link.job_id == JOB else link.job_id: link.link for link in links}
    assert other == {
        copies[0].key.job_id: "same",
        copies[1].key.job_id: "possible_duplicate",
    }
    told = await desk.database.read(lambda conn: explain(conn, "local", JOB))
    assert len(told.links) == 2


async def test_a_link_that_a_person_undid_stays_undone(desk: Desk) -> None:
    """DIS-8: undoing brings both jobs back as they were; it can be undone in turn."""
    copy = twin(1, apply_url=posting(1).apply_url)
    await desk.keep(posting(1), copy)
    await desk.write(lambda conn: link_new(conn, "local", [posting(1), copy]))
    await desk.write(lambda conn: undo_link(conn, "local", copy.key.job_id, JOB))
    assert await desk.write(lambda conn: link_new(conn, "local", [copy])) == []
    assert await desk.database.read(lambda conn: links_of(conn, "local", JOB)) == []
    await desk.write(lambda conn: redo_link(conn, "local", JOB, copy.key.job_id))
    assert len(await desk.database.read(lambda conn: links_of(conn, "local", JOB))) == 1
    with pytest.raises(NotFoundError, match="not linked"):
        await desk.write(lambda conn: undo_link(conn, "local", JOB, "job_none"))


async def test_reposts_are_counted_at_the_latest(desk: Desk) -> None:
    """P026: a job that keeps coming back says so."""
    days = ["2026-01-05", "2026-02-05", "2026-03-05"]
    series = [
        twin(number, "lever", posted_at=day, description="Keep the kilns running all night long.")
        for number, day in enumerate(days)
    ]
    await desk.keep(*series)
    await desk.write(lambda conn: link_new(conn, "local", series))
    ids = [item.key.job_id for item in series]
    counted = await desk.database.read(lambda conn: [reposts(conn, "local", one) for one in ids])
    assert counted == [0, 1, 2]
