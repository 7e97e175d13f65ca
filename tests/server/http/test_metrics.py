"""The numbers that Prometheus reads (OBS-1)."""

from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection

from jobsteward.kernel.clock import timestamp
from jobsteward.library import Library
from jobsteward.runs import lifecycle
from jobsteward.runs.heartbeats import ActiveWork, Beat, record_beats, remove_beats
from jobsteward.runs.model import Lane, RunRef, RunStatus
from jobsteward.runs.outbox import Backlog
from jobsteward.runs.store import Admission, admit
from jobsteward_server.http.metrics import STAGES, Metrics

RECEIVED = datetime(2026, 3, 1, 9, 0, 0, tzinfo=UTC)


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    """The sample of that name and labels in the rendered text."""
    for family in text_string_to_metric_families(metrics.render().decode()):
        for sample in family.samples:
            if sample.name == name and sample.labels == labels:
                return sample.value
    return None


def test_a_stage_is_measured_from_the_complete_body() -> None:
    metrics = Metrics()
    startup = {
        "first_byte": timestamp(RECEIVED - timedelta(seconds=9)),
        "body_received": timestamp(RECEIVED),
        "claim": timestamp(RECEIVED + timedelta(milliseconds=250)),
    }
    metrics.observe_stage("claim", Lane.INTERACTIVE, startup)
    name = "jobsteward_workflow_startup_seconds"
    labels = {"stage": "claim", "lane": "interactive"}
    assert value(metrics, f"{name}_sum", **labels) == pytest.approx(0.25)
    assert value(metrics, f"{name}_bucket", **labels, le="0.2") == 0
    assert value(metrics, f"{name}_bucket", **labels, le="0.35") == 1


def test_a_stage_without_a_time_of_its_own_is_now() -> None:
    metrics = Metrics()
    startup = {"body_received": timestamp(datetime.now(UTC) - timedelta(seconds=3))}
    metrics.observe_stage("admission", Lane.BACKGROUND, startup)
    labels = {"stage": "admission", "lane": "background"}
    total = value(metrics, "jobsteward_workflow_startup_seconds_sum", **labels)
    assert total is not None and 3 <= total < 60


def test_skewed_clocks_never_make_a_negative_time() -> None:
    metrics = Metrics()
    early = {
        "body_received": timestamp(RECEIVED),
        "ready": timestamp(RECEIVED - timedelta(seconds=1)),
    }
    metrics.observe_stage("ready", Lane.INTERACTIVE, early)
    labels = {"stage": "ready", "lane": "interactive"}
    assert value(metrics, "jobsteward_workflow_startup_seconds_sum", **labels) == 0


def test_a_run_without_a_request_is_not_measured() -> None:
    """Scheduled work has no request body to measure from."""
    metrics = Metrics()
    metrics.observe_stage("ready", Lane.BACKGROUND, {"ready": timestamp(RECEIVED)})
    labels = {"stage": "ready", "lane": "background"}
    assert value(metrics, "jobsteward_workflow_startup_seconds_count", **labels) == 0


def test_every_stage_of_every_lane_is_there_before_the_first_run() -> None:
    metrics = Metrics()
    for stage in STAGES:
        for lane in ("interactive", "background"):
            labels = {"stage": stage, "lane": lane}
            assert value(metrics, "jobsteward_workflow_startup_seconds_count", **labels) == 0


def test_the_backlog_shows_count_and_oldest_age() -> None:
    """ADM-1."""
    metrics = Metrics()
    now = RECEIVED + timedelta(seconds=90)
    metrics.set_backlog(Backlog(3, timestamp(RECEIVED)), now=now)
    assert value(metrics, "jobsteward_dispatch_pending") == 3
    assert value(metrics, "jobsteward_dispatch_oldest_age_seconds") == 90
    metrics.set_backlog(Backlog(0, None), now=now)
    assert value(metrics, "jobsteward_dispatch_pending") == 0
    assert value(metrics, "jobsteward_dispatch_oldest_age_seconds") == 0


def test_counters_count() -> None:
    metrics = Metrics()
    metrics.count_outcome("discover", "failed", "source_unavailable")
    metrics.count_request("GET", "/healthz", 200)
    metrics.count_request("BREW", "(unknown)", 405)
    outcome = {"workflow": "discover", "status": "failed", "code": "source_unavailable"}
    assert value(metrics, "jobsteward_workflow_outcomes_total", **outcome) == 1
    healthy = {"method": "GET", "route": "/healthz", "status": "200"}
    assert value(metrics, "jobsteward_http_requests_total", **healthy) == 1
    odd = {"method": "OTHER", "route": "(unknown)", "status": "405"}
    assert value(metrics, "jobsteward_http_requests_total", **odd) == 1


def test_two_processes_worth_of_metrics_do_not_share_numbers() -> None:
    one, other = Metrics(), Metrics()
    one.count_request("GET", "/healthz", 200)
    labels = {"method": "GET", "route": "/healthz", "status": "200"}
    assert value(other, "jobsteward_http_requests_total", **labels) is None


@pytest.mark.anyio
async def test_outcomes_count_once_whichever_process_recorded_them(library: Library) -> None:
    """OBS-1: what ended before the start is not counted, what ends between two scrapes is."""
    metrics = Metrics()
    await run_to_end(library, "early", RunStatus.SUCCEEDED)
    await metrics.refresh(library)
    await run_to_end(library, "one", RunStatus.SUCCEEDED)
    await run_to_end(library, "two", RunStatus.FAILED, "source_unavailable")
    for _ in range(2):
        await metrics.refresh(library)
        good = {"workflow": "discover", "status": "succeeded", "code": ""}
        bad = {"workflow": "discover", "status": "failed", "code": "source_unavailable"}
        assert value(metrics, "jobsteward_workflow_outcomes_total", **good) == 1
        assert value(metrics, "jobsteward_workflow_outcomes_total", **bad) == 1


@pytest.mark.anyio
async def test_stages_of_background_runs_are_taken_from_the_log(library: Library) -> None:
    """OBS-1: a worker process has no metrics of its own; its runs' stages are counted here."""
    metrics = Metrics()
    await metrics.refresh(library)
    times = {
        "body_received": "2026-01-01T10:00:00.000000Z",
        "first_step": "2026-01-01T10:00:03.000000Z",
    }
    for priority in (1, 9):
        await first_step(library, priority, times)
    for _ in range(2):
        await metrics.refresh(library)
        background = {"stage": "first_step", "lane": "background"}
        assert value(metrics, "jobsteward_workflow_startup_seconds_sum", **background) == 3
        interactive = {"stage": "first_step", "lane": "interactive"}
        assert value(metrics, "jobsteward_workflow_startup_seconds_sum", **interactive) == 0


@pytest.mark.anyio
async def test_workers_are_shown_while_their_heartbeat_is_fresh(library: Library) -> None:
    """OBS-1: slots, work, abandoned threads and what the reconciler did, by lane."""
    beat = Beat("w1", library.runtime, Lane.BACKGROUND, "q", 4, ActiveWork(2), 1, {"closed": 3})
    await library.database.write(lambda conn: record_beats(conn, [beat]))
    metrics = Metrics()
    await metrics.refresh(library)
    names = {"workers": 1, "worker_slots": 4, "worker_active": 2, "abandoned_threads": 1}
    for name, expected in names.items():
        assert value(metrics, f"jobsteward_{name}", lane="background") == expected
    labels = {"lane": "background", "action": "closed"}
    assert value(metrics, "jobsteward_reconciler_actions", **labels) == 3
    await library.database.write(lambda conn: remove_beats(conn, ["w1"]))
    await metrics.refresh(library)
    assert value(metrics, "jobsteward_workers", lane="background") is None


@pytest.mark.anyio
async def test_no_tenant_run_or_key_is_ever_a_label(library: Library) -> None:
    """OBS-1, SEC-6."""
    metrics = Metrics()
    await metrics.refresh(library)
    await run_to_end(library, "canary-7788", RunStatus.FAILED, "unclassified")
    await metrics.refresh(library)
    text = metrics.render().decode()
    assert "canary-7788" not in text
    assert "local" not in text


async def run_to_end(
    library: Library, name: str, status: RunStatus, code: str | None = None
) -> None:
    """A run that starts and ends, recorded like a worker records it."""
    ref = RunRef("local", f"discover-{name}", f"run-{name}")

    def work(conn: Connection) -> None:
        lifecycle.record_started(
            conn, library.log, ref, workflow="discover", group_id=None, summary={}, startup={}
        )
        lifecycle.record_outcome(conn, library.log, ref, status, code=code)

    await library.database.write(work)


async def first_step(library: Library, priority: int, times: dict[str, str]) -> None:
    """An execution of that priority whose run entered its first step at those times."""

    def work(conn: Connection) -> None:
        admission = Admission(
            tenant_id="local",
            workflow="discover",
            workflow_id="",
            priority=priority,
            token_id="t",
            idempotency_key=str(priority),
            fingerprint="f",
            inputs={},
            envelope={},
            startup={},
            claim_token=None,
        )
        execution = admit(conn, library.log, admission).execution
        ref = RunRef("local", execution.workflow_id, f"run-{priority}")
        lifecycle.record_started(
            conn,
            library.log,
            ref,
            workflow="discover",
            group_id=execution.group_id,
            summary={},
            startup={},
        )
        lifecycle.record_first_step(
            conn, library.log, ref, startup=times, entered_at=times["first_step"]
        )

    await library.database.write(work)
