"""Record one history for each way a workflow can end: ``python -m tests.replay.record``.

Run it at each release, and whenever a workflow gets a new version; files that are there
stay as they are.
"""

import contextlib
import json
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
from anyio.abc import SocketStream
from temporalio.client import WorkflowFailureError

from jobsteward.library import open_library
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward.settings import Settings
from jobsteward_worker.pool import open_pool
from jobsteward_worker.workflows import CATALOGUE
from tests.discover.boards import answer, greenhouse_item, lever_item
from tests.replay.recordings import HISTORIES, write
from tests.support.raw_http import raw_server, reply
from tests.support.temporal import Starter, client_of, embedded_temporal

GREENHOUSE = "https://job-boards.greenhouse.io/acme"
LEVER = "https://jobs.lever.co/acme"
ASHBY = "https://jobs.ashbyhq.com/acme"
SLOW = "https://job-boards.greenhouse.io/slow"
BROKEN = "https://job-boards.greenhouse.io/broken"
UNKNOWN = "https://careers.acme.example/jobs"
HOSTS = (
    "boards-api.greenhouse.io",
    "boards-api.eu.greenhouse.io",
    "api.lever.co",
    "api.eu.lever.co",
    "api.ashbyhq.com",
)

Scenario = Callable[[Starter], Awaitable[Execution]]


async def _boards(stream: SocketStream, head: bytes) -> None:
    text = head.decode()
    if "/slow" in text:
        await anyio.sleep(30)
    if "/broken" in text:
        await stream.send(reply(status=500))
    elif "greenhouse" in text:
        await stream.send(reply(_list("greenhouse", greenhouse_item())))
    elif "lever" in text:
        await stream.send(reply(_list("lever", lever_item())))
    else:
        await stream.send(reply(status=403))


def _list(provider: str, item: object) -> bytes:
    return json.dumps(answer(provider, [item])).encode()


async def _ended(starter: Starter, *boards: str) -> Execution:
    execution = await starter.run("discover", {"boards": list(boards)})
    return await starter.until(execution, within=60)


async def _canceled(starter: Starter) -> Execution:
    execution = await starter.run("discover", {"boards": [SLOW, GREENHOUSE]})
    execution = await starter.until(execution, lambda found: found.status is RunStatus.RUNNING)
    await starter.handle(execution).cancel()
    return await starter.until(execution)


async def _canceled_before_start(starter: Starter) -> Execution:
    execution = await starter.admit("discover", {"boards": [GREENHOUSE]})
    handle = await starter.begin(execution)
    await handle.cancel()
    return await starter.until(execution)


SCENARIOS: dict[str, dict[str, Scenario]] = {
    "discover": {
        "succeeded": lambda starter: _ended(starter, GREENHOUSE, LEVER, ASHBY, UNKNOWN),
        "more-than-parallel": lambda starter: _ended(
            starter, *(f"https://jobs.lever.co/acme{number}" for number in range(6))
        ),
        "one-source-exhausted": lambda starter: _ended(starter, BROKEN, GREENHOUSE),
        "failed": lambda starter: _ended(starter, ASHBY),
        "canceled": _canceled,
        "canceled-before-start": _canceled_before_start,
    }
}


async def record() -> None:
    """Run every scenario whose file is missing, and save its history."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with embedded_temporal(home) as server:
            async with raw_server(_boards) as origin:
                settings = Settings(home=home, origin_map=dict.fromkeys(HOSTS, origin))
                client = await client_of(server, home)
                async with (
                    await open_library(settings) as library,
                    open_pool(client, library, CATALOGUE, list(Lane)),
                ):
                    await _record_all(Starter(library, client, CATALOGUE))


async def _record_all(starter: Starter) -> None:
    for name, scenarios in SCENARIOS.items():
        spec = starter.catalogue.find(name)
        assert spec is not None
        folder = HISTORIES / spec.workflow.__name__ / str(spec.version)
        for scenario, run in scenarios.items():
            path = folder / f"{scenario}.json.gz"
            if path.exists():
                continue
            execution = await run(starter)
            handle = starter.handle(execution)
            with contextlib.suppress(WorkflowFailureError):
                await handle.result()  # our outcome is stored shortly before Temporal's
            write(path, await handle.fetch_history())
            print(path.relative_to(HISTORIES), execution.status)


if __name__ == "__main__":
    anyio.run(record)
