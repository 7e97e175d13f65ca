"""Schedules, preferences and digests over HTTP, as their owner, an agent and a stranger."""

import json
from xml.etree import ElementTree

import pytest
from sqlalchemy import update

from jobsteward.discover.model import DiscoveryExecutionRef
from jobsteward.discover.store import save_postings
from jobsteward.kernel.errors import (
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    UnknownWorkflowError,
)
from jobsteward.runs import drain
from jobsteward.runs.schedules import SCHEDULES
from jobsteward.runs.wire import ScheduleRequest, TimingView
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.http.atom import CONTENT_TYPE
from jobsteward_server.scheduler import Scheduler
from tests.discover.boards import posting
from tests.support.api import Api

pytestmark = pytest.mark.anyio

RUN = DiscoveryExecutionRef("local", "discover-local", "run-1")
ATOM = "{http://www.w3.org/2005/Atom}"


def request(workflow: str = "echo", **inputs: object) -> ScheduleRequest:
    timing = TimingView(at=["07:30"], days=["mon"], zone="Europe/Berlin")
    return ScheduleRequest(name="weekly", workflow=workflow, inputs=inputs, timing=timing)


async def make_due(api: Api) -> None:
    await api.services.library.database.write(
        lambda conn: conn.execute(update(SCHEDULES).values(next_at="2026-01-01T00:00:00.000000Z"))
    )


async def test_an_owner_adds_lists_and_removes(api: Api) -> None:
    async with api.owner() as owner, api.agent() as agent:
        made = await owner.add_schedule(request(text="x"))
        assert made.timing.zone == "Europe/Berlin" and made.last_at is None
        assert (await agent.schedules()).items == [made]
        assert await owner.remove_schedule(made.schedule_id) == made
        assert (await agent.schedules()).items == []
        with pytest.raises(NotFoundError):
            await owner.remove_schedule(made.schedule_id)


async def test_an_agent_cannot_make_work_repeat(api: Api) -> None:
    """MCP-2: schedules are a person's."""
    async with api.agent() as agent:
        with pytest.raises(PermissionDeniedError):
            await agent.add_schedule(request(text="x"))
        with pytest.raises(PermissionDeniedError):
            await agent.remove_schedule("sch_1")


async def test_what_cannot_run_is_refused_when_it_is_added(api: Api) -> None:
    async with api.owner() as owner:
        with pytest.raises(InvalidInputError):
            await owner.add_schedule(request(text=""))
        with pytest.raises(UnknownWorkflowError):
            await owner.add_schedule(request("nothing", text="x"))
        assert (await owner.schedules()).items == []


async def test_a_due_schedule_becomes_a_run(api: Api) -> None:
    """LANE-1: through admission, with the priority of schedules; not while draining (ENV-7)."""
    services = api.services
    scheduler = Scheduler(services.library, services.desk, services.dispatcher)
    async with api.owner() as owner:
        await owner.add_schedule(request(text="x"))
        await services.library.database.write(drain.hold_starts)
        await make_due(api)
        assert await scheduler.fire_due() == []
        await services.library.database.write(drain.release_starts)
        await scheduler.fire_due()  # or the process's own scheduler was quicker
        [run] = (await owner.list_runs()).items
        assert (run.workflow, run.metadata.priority, run.metadata.lane) == (
            "echo",
            3,
            "background",
        )
        [now] = (await owner.schedules()).items
        assert now.last_execution_id == run.execution_id
        assert await scheduler.fire_due() == []


async def test_preferences_are_kept_for_their_tenant(api: Api) -> None:
    """DIS-5."""
    wanted = {
        "titles": ["Weaver"],
        "places": [],
        "remote": ["yes", "unknown"],
        "least_pay": {"amount": 60000.0, "currency": "EUR", "period": "year"},
        "exclusions": ["unpaid"],
        "boards": ["https://jobs.lever.co/acme"],
    }
    async with api.agent() as agent:
        assert await agent.save_preferences(wanted) == wanted
        assert await agent.preferences() == wanted
        with pytest.raises(InvalidInputError):
            await agent.save_preferences({"titles": [""]})
    async with api.http(await api.tenant("another")) as other:
        assert (await other.get("/api/v1/preferences")).json()["titles"] == []


async def test_a_digest_is_taken_once(api: Api) -> None:
    library = api.services.library
    await library.database.write(
        lambda conn: save_postings(conn, library.log, RUN, [posting(1), posting(2)])
    )
    async with api.agent() as agent:
        assert (await agent.digest("GET"))["count"] == 2
        made = await agent.digest("POST")
        assert [job["title"] for job in made["jobs"]] == ["Engineer 2", "Engineer 1"]
        assert (await agent.digest("POST"))["count"] == 0


async def test_the_feed_holds_postings_as_text(api: Api) -> None:
    """SEC-5: whatever a title says, it stays text; what XML cannot hold is left out."""
    library = api.services.library
    title = "R&D <script>alert(1)</script>\x0b"
    await library.database.write(
        lambda conn: save_postings(conn, library.log, RUN, [posting(1, title=title)])
    )
    async with api.http(api.secret(AGENT_FILE)) as agent:
        answer = await agent.get("/api/v1/digest.atom")
    assert answer.headers["content-type"].startswith(CONTENT_TYPE)
    root = ElementTree.fromstring(answer.content)
    [entry] = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "R&D <script>alert(1)</script> · Acme"
    assert root.findtext(f"{ATOM}updated") == entry.findtext(f"{ATOM}updated")
    assert "local" not in json.dumps(root.findtext(f"{ATOM}id"))
    async with api.http() as stranger:
        assert (await stranger.get("/api/v1/digest.atom")).status_code == 401
