"""Active slots: counted exactly, shown safely, never in the way (ACT-5)."""

from types import SimpleNamespace
from typing import Any

import pytest

from jobsteward.runs.heartbeats import MAX_DETAILS
from jobsteward.runs.model import Lane
from jobsteward_worker.pool import WorkerPool
from jobsteward_worker.spec import work_queue
from jobsteward_worker.telemetry import Telemetry, shown_id
from tests.support.temporal import Starter
from tests.worker.facts import eventually


def info(number: int = 0, kind: str = "discovery_source_family", queue: str = "q") -> Any:
    return SimpleNamespace(task_queue=queue, activity_type=kind, workflow_id=f"discover-{number}")


def test_the_total_is_exact_and_the_oldest_are_shown() -> None:
    telemetry = Telemetry()
    slots = [telemetry.enter(info(number)) for number in range(25)]
    telemetry.enter(info(queue="other"))
    work = telemetry.work_on("q")
    assert (work.total, len(work.details), work.truncated) == (25, MAX_DETAILS, True)
    assert work.details[0].id == "discover-0"
    for slot in slots:
        telemetry.leave(slot)
    assert telemetry.work_on("q").total == 0


def test_only_listed_kinds_show_details() -> None:
    telemetry = Telemetry()
    telemetry.enter(info(kind="something_private"))
    work = telemetry.work_on("q")
    assert (work.total, work.details) == (1, ())


@pytest.mark.parametrize(
    "text", ["apply-local-https%3A%2F%2Facme.example", "Jane Doe", "a" * 200, "", "../../etc"]
)
def test_ids_outside_the_grammar_are_hashed(text: str) -> None:
    shown = shown_id(text)
    assert shown.startswith("op_") and len(shown) == 15
    assert shown == shown_id(text)


@pytest.mark.anyio
async def test_a_running_step_holds_one_slot_of_its_queue(
    starter: Starter, pool: WorkerPool
) -> None:
    queue = work_queue(Lane.INTERACTIVE)
    execution = await starter.run("probe", {"steps": ["sleep:60"]})
    await eventually(lambda: pool.telemetry.work_on(queue).total == 1)
    assert pool.telemetry.active() == {queue: 1}
    execution = await starter.until(execution, lambda found: found.run_id is not None)
    await starter.handle(execution).cancel()
    await eventually(lambda: not pool.telemetry.work_on(queue).total)


@pytest.mark.anyio
async def test_a_failure_of_the_counting_disturbs_nothing(
    starter: Starter, pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise RuntimeError("the counter broke")

    monkeypatch.setattr(pool.telemetry, "enter", broken)
    execution = await starter.until(await starter.run("probe", {"steps": ["ok"]}))
    assert execution.status == "succeeded"
