"""What Prometheus reads (OBS-1): start-up stages, backlog, outcomes, requests, upkeep.

Labels come from closed lists: never a tenant, an execution or anything a caller wrote.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import Connection

from jobsteward.kernel.clock import parse_timestamp, utc_now
from jobsteward.library import Library
from jobsteward.runs.heartbeats import Capacity, capacity_of
from jobsteward.runs.model import Lane
from jobsteward.runs.outbox import Backlog, backlog
from jobsteward.runs.outcomes import Outcome, outcomes_after
from jobsteward.runs.startups import Startup, background_startups_after
from jobsteward.store.event_log import last_event_id

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

BODY_RECEIVED = "body_received"
"""The start-up time that all stages are measured from."""

STAGES = (
    "authentication",
    "admission",
    "publication",
    "worker_entry",
    "claim",
    "ready",
    "runtime_entry",
    "first_step",
)
_WORKER_STAGES = STAGES[STAGES.index("worker_entry") :]

_BATCH = 20_000
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_STARTUP_BUCKETS = (
    *(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75),
    *(1.0, 2.0, 5.0, 15.0, 60.0, 300.0),
)


class Metrics:
    """The numbers of one API process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._startup = Histogram(
            "jobsteward_workflow_startup_seconds",
            "Seconds from the complete request body to each start-up stage.",
            ("stage", "lane"),
            buckets=_STARTUP_BUCKETS,
            registry=self.registry,
        )
        self._pending = self._gauge(
            "dispatch_pending", "Envelopes that no confirmed start has delivered yet."
        )
        self._oldest = self._gauge(
            "dispatch_oldest_age_seconds",
            "Age of the oldest undelivered envelope, 0 where there is none.",
        )
        self._outcomes = Counter(
            "jobsteward_workflow_outcomes",
            "Runs that ended, by terminal status and error code.",
            ("workflow", "status", "code"),
            registry=self.registry,
        )
        self._requests = Counter(
            "jobsteward_http_requests",
            "Answered requests by route.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._workers = self._gauge("workers", "Workers with a fresh heartbeat.", "lane")
        self._slots = self._gauge("worker_slots", "Business steps that may run at once.", "lane")
        self._active = self._gauge("worker_active", "Business steps that run now.", "lane")
        self._abandoned = self._gauge(
            "abandoned_threads", "Threads left running by steps that ignored their cancel.", "lane"
        )
        self._reconciled = self._gauge(
            "reconciler_actions",
            "What the reconcilers of living workers corrected since their start.",
            *("lane", "action"),
        )
        self._refreshing = asyncio.Lock()
        self._counted_to: int | None = None
        for stage in STAGES:
            for lane in Lane:
                self._startup.labels(stage, lane)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"jobsteward_{name}", text, labels, registry=self.registry)

    def observe_stage(self, stage: str, lane: Lane, startup: Mapping[str, str]) -> None:
        """The stage was reached, at its own time in ``startup`` or else now."""
        received = startup.get(BODY_RECEIVED)
        if received is None or stage not in STAGES:
            return
        reached = parse_timestamp(startup[stage]) if stage in startup else utc_now()
        seconds = (reached - parse_timestamp(received)).total_seconds()
        # Clocks of several hosts may disagree; a stage is never before its request.
        self._startup.labels(stage, lane).observe(max(0.0, seconds))

    def set_backlog(self, backlog: Backlog, now: datetime | None = None) -> None:
        """The undelivered envelopes, as read just before a scrape."""
        self._pending.set(backlog.pending)
        age = 0.0
        if backlog.oldest:
            age = ((now or utc_now()) - parse_timestamp(backlog.oldest)).total_seconds()
        self._oldest.set(max(0.0, age))

    def count_outcome(self, workflow: str, status: str, code: str | None) -> None:
        """A run of this workflow ended; ``workflow`` and ``code`` are names of ours."""
        self._outcomes.labels(workflow, status, code or "").inc()

    def count_request(self, method: str, route: str, status: int) -> None:
        """A request was answered; ``route`` is the template, not the path."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).inc()

    def set_capacities(self, capacities: Sequence[Capacity]) -> None:
        """What the workers say of themselves; a lane without any shows nothing."""
        for gauge in (self._workers, self._slots, self._active, self._abandoned, self._reconciled):
            gauge.clear()
        for capacity in capacities:
            lane = capacity.lane
            self._workers.labels(lane).set(capacity.workers)
            self._slots.labels(lane).set(capacity.capacity)
            self._active.labels(lane).set(capacity.active.total)
            self._abandoned.labels(lane).set(capacity.abandoned_threads)
            for action, count in capacity.reconciled.items():
                self._reconciled.labels(lane, action).set(count)

    async def refresh(self, library: Library) -> None:
        """Read what only the database knows; call at start and before each scrape.

        Outcomes, and the stages of runs that worker processes started, count from the first
        call on, whichever process recorded them.
        """
        async with self._refreshing:
            found = await library.database.read(
                lambda conn: _read(conn, library.runtime, self._counted_to)
            )
            self.set_backlog(found.backlog)
            self.set_capacities(found.capacities)
            for outcome in found.outcomes:
                self.count_outcome(outcome.workflow, outcome.status, outcome.code)
            for startup in found.startups:
                for stage in _WORKER_STAGES:
                    self.observe_stage(stage, startup.lane, startup.times)
            self._counted_to = found.counted_to

    def render(self) -> bytes:
        """The Prometheus text of every number."""
        return generate_latest(self.registry)


@dataclass(frozen=True, slots=True)
class _Found:
    backlog: Backlog
    capacities: Sequence[Capacity]
    outcomes: Sequence[Outcome]
    startups: Sequence[Startup]
    counted_to: int


def _read(conn: Connection, runtime: str, after: int | None) -> _Found:
    newest = last_event_id(conn)
    outcomes = [] if after is None else outcomes_after(conn, after, _BATCH)
    # A full batch may not reach the newest event; the next scrape goes on behind it.
    counted_to = outcomes[-1].event_id if len(outcomes) == _BATCH else newest
    startups = [] if after is None else background_startups_after(conn, after, _BATCH)
    return _Found(
        backlog(conn),
        capacity_of(conn, runtime),
        outcomes,
        [startup for startup in startups if startup.event_id <= counted_to],
        counted_to,
    )
