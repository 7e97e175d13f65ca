"""What Prometheus reads (OBS-1): start-up stages, backlog, outcomes, requests, upkeep.

Labels come from closed lists: never a tenant, an execution or anything a caller wrote.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from jobsteward.kernel.clock import parse_timestamp, utc_now
from jobsteward.runs.model import Lane
from jobsteward.runs.outbox import Backlog

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
        self._pending = Gauge(
            "jobsteward_dispatch_pending",
            "Envelopes that no confirmed start has delivered yet.",
            registry=self.registry,
        )
        self._oldest = Gauge(
            "jobsteward_dispatch_oldest_age_seconds",
            "Age of the oldest undelivered envelope, 0 where there is none.",
            registry=self.registry,
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
        self._abandoned = Gauge(
            "jobsteward_abandoned_threads",
            "Threads left running by steps that did not stop when cancelled.",
            registry=self.registry,
        )
        self._reconciled = Counter(
            "jobsteward_reconciler_actions",
            "What the reconciler corrected.",
            ("action",),
            registry=self.registry,
        )
        for stage in STAGES:
            for lane in Lane:
                self._startup.labels(stage, lane)

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
            age = ((now or utc_now()) - _utc(parse_timestamp(backlog.oldest))).total_seconds()
        self._oldest.set(max(0.0, age))

    def count_outcome(self, workflow: str, status: str, code: str | None) -> None:
        """A run of this workflow ended; ``workflow`` and ``code`` are names of ours."""
        self._outcomes.labels(workflow, status, code or "").inc()

    def count_request(self, method: str, route: str, status: int) -> None:
        """A request was answered; ``route`` is the template, not the path."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(known, route, str(status)).inc()

    def set_abandoned_threads(self, count: int) -> None:
        """How many threads go on after their step was given up."""
        self._abandoned.set(count)

    def count_reconciled(self, action: str, count: int = 1) -> None:
        """The reconciler did this so many times."""
        self._reconciled.labels(action).inc(count)

    def render(self) -> bytes:
        """The Prometheus text of every number."""
        return generate_latest(self.registry)


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
