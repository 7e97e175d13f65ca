"""Discovery through real workers and a real Temporal server (DIS-1, DIS-3, DIS-10, TOP-2a)."""

import json
from collections.abc import AsyncIterator

import pytest
from anyio.abc import SocketStream

from jobsteward.discover.model import DiscoveryExecutionRef
from jobsteward.discover.views import list_jobs, source_outcomes
from jobsteward.library import Library
from jobsteward.runs.model import Execution, RunRef, RunStatus
from jobsteward.runs.pipeline import steps_of
from jobsteward.settings import Settings
from tests.discover.boards import answer, greenhouse_item, lever_item
from tests.support.raw_http import raw_server, reply
from tests.support.temporal import Starter
from tests.worker.facts import readable_history

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("pool")]

ANSWERS = {
    "boards-api.greenhouse.io": reply(
        json.dumps(answer("greenhouse", [greenhouse_item()])).encode()
    ),
    "api.lever.co": reply(json.dumps(answer("lever", [lever_item()])).encode()),
    "api.ashbyhq.com": reply(status=403),
}
HOSTS = [*ANSWERS, "boards-api.eu.greenhouse.io", "api.eu.lever.co"]


@pytest.fixture
async def origin() -> AsyncIterator[str]:
    """A server that plays every board."""

    async def serve(stream: SocketStream, head: bytes) -> None:
        host = next(line[6:] for line in head.decode().splitlines() if line.startswith("Host: "))
        await stream.send(ANSWERS.get(host, reply(status=404)))

    async with raw_server(serve) as address:
        yield address


@pytest.fixture
def settings(settings: Settings, origin: str) -> Settings:
    """Settings whose boards are all on this machine."""
    return settings.model_copy(update={"origin_map": dict.fromkeys(HOSTS, origin)})


def statuses(execution: Execution) -> dict[str, str]:
    assert execution.run is not None and execution.run.result is not None
    return {source["source_id"]: source["status"] for source in execution.run.result["sources"]}


async def test_every_source_has_its_own_outcome(library: Library, starter: Starter) -> None:
    """DIS-3: a refused and an unknown board stop neither the others nor the run."""
    boards = [
        "https://job-boards.greenhouse.io/acme",
        "https://jobs.lever.co/acme",
        "https://jobs.ashbyhq.com/acme",
        "https://careers.acme.example/jobs",
        "https://boards.greenhouse.io/ACME/jobs/4000001",
    ]
    execution = await starter.until(await starter.run("discover", {"boards": boards}))
    assert execution.status is RunStatus.SUCCEEDED
    assert execution.workflow_id == "discover-local"
    assert statuses(execution) == {
        "src_1": "ok",
        "src_2": "ok",
        "src_3": "blocked",
        "src_4": "unsupported",
    }
    jobs = await library.database.read(lambda conn: list_jobs(conn, "local"))
    assert len(jobs.jobs) == 2
    assert execution.run_id is not None
    ref = DiscoveryExecutionRef("local", execution.workflow_id, execution.run_id)
    stored = await library.database.read(lambda conn: source_outcomes(conn, ref))
    assert len(stored) == 4


async def test_found_jobs_are_read_in_full(library: Library, starter: Starter) -> None:
    """DIS-3, DIS-9, DIS-10: after the sources, and told as a step of its own."""
    boards = ["https://job-boards.greenhouse.io/acme", "https://jobs.lever.co/acme"]
    execution = await starter.until(await starter.run("discover", {"boards": boards}))
    assert execution.run is not None and execution.run.result is not None
    assert execution.run.result["enriched"] == 2
    ref = RunRef("local", execution.workflow_id, execution.run_id or "")
    found = await library.database.read(lambda conn: steps_of(conn, ref))
    assert [(step.kind, step.key, step.state) for step in found] == [
        ("source_planning", "", "Completed"),
        ("source_family", "src_1", "Completed"),
        ("source_family", "src_2", "Completed"),
        ("enrichment_pass", "", "Completed"),
    ]
    assert found[-1].facts["count"] == 2


async def test_the_history_holds_ids_and_codes_only(starter: Starter) -> None:
    """TOP-2a: neither a URL nor a posting's text is in Temporal's history."""
    execution = await starter.until(
        await starter.run("discover", {"boards": ["https://job-boards.greenhouse.io/acme"]})
    )
    history = await readable_history(starter.handle(execution))
    assert execution.execution_id in history
    for private in ("acme", "greenhouse", "Pricing Platform"):
        assert private not in history


async def test_a_run_without_one_readable_source_fails(starter: Starter) -> None:
    """DIS-3, REC-4: the value carries the failure, each source its own reason."""
    execution = await starter.until(
        await starter.run("discover", {"boards": ["https://jobs.ashbyhq.com/acme"]})
    )
    assert execution.run is not None
    assert execution.run.status is RunStatus.FAILED
    assert execution.run.error_code == "blocked"
    assert statuses(execution) == {"src_1": "blocked"}
