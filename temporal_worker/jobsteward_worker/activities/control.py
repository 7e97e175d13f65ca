"""The envelope's own steps: start marker, spend check, outcome (ENV-1, LANE-2)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection
from temporalio import activity

from jobsteward.kernel import failpoints
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.library import Library
from jobsteward.runs import lifecycle, store
from jobsteward.runs.model import Execution, Lane, RunStatus
from jobsteward.runs.views import find_execution
from jobsteward_worker.beating import beating
from jobsteward_worker.run_key import RunKey
from jobsteward_worker.spec import Catalogue, WorkflowSpec

_OUTCOME_BEAT = 1.0

SpendCheck = Callable[[Library, RunKey], Awaitable[None]]
"""Raises BudgetExceededError where the run must not start anything paid."""


class StartupObserver(Protocol):
    """Hears when a start-up stage was reached (OBS-1)."""

    def observe_stage(self, stage: str, lane: Lane, startup: Mapping[str, str]) -> None:
        """The stage was reached now by a request with these start-up times."""


class Unobserved:
    """An observer that keeps nothing."""

    def observe_stage(self, stage: str, lane: Lane, startup: Mapping[str, str]) -> None:
        """Nothing to do."""


async def no_ceiling(_library: Library, _run: RunKey) -> None:
    """Every run may spend: no ceiling is configured."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The start-up times of the run so far, by stage (OBS-2)."""

    startup: dict[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the run ended, in codes, counts and ids only (ERR-2).

    ``cancel_seen`` says that Temporal's history holds a cancel request before the end.
    """

    status: RunStatus
    code: str | None = None
    retryable: bool | None = None
    result: dict[str, Any] | None = None
    cancel_seen: bool = False


class Control:
    """Steps that every run takes; none of them ever waits for a slot of a lane."""

    def __init__(
        self,
        library: Library,
        catalogue: Catalogue,
        observer: StartupObserver | None = None,
        spend_check: SpendCheck = no_ceiling,
    ) -> None:
        self._library = library
        self._catalogue = catalogue
        self._observer = observer or Unobserved()
        self._spend_check = spend_check

    def local_steps(self) -> Sequence[Callable[..., Any]]:
        """What runs beside the workflow task itself."""
        return [self.record_workflow_started, self.check_spend_budget, self.record_first_step]

    def queued_steps(self) -> Sequence[Callable[..., Any]]:
        """What runs on the control queue."""
        return [self.record_workflow_outcome]

    @activity.defn
    async def record_workflow_started(self, run: RunKey, lane: Lane) -> Marked:
        """Append the start marker, once.

        Raises DuplicateRunError where another run serves the execution, or where it was
        cancelled before any run did.
        """
        entered = {"worker_entry": timestamp(utc_now())}
        spec = self._spec()

        def work(conn: Connection) -> dict[str, str]:
            execution = self._claim(conn, run)
            startup = {**(execution.startup if execution else {}), **entered}
            startup["claim"] = timestamp(utc_now())
            lifecycle.record_started(
                conn,
                self._library.log,
                run.ref,
                workflow=spec.name,
                group_id=run.execution_id or None,
                summary=spec.summary(execution.inputs) if execution else {},
                startup=startup,
            )
            failpoints.reach("marker.before_commit")
            return startup

        startup = await self._library.database.write(work)
        failpoints.reach("marker.after_commit")
        for stage in ("worker_entry", "claim", "ready"):
            self._observer.observe_stage(stage, lane, startup)
        return Marked({**startup, "ready": timestamp(utc_now())})

    @activity.defn
    async def record_first_step(self, run: RunKey, lane: Lane, startup: dict[str, str]) -> None:
        """Append that the first business step is a child workflow, about to start (ADM-5)."""
        self.observe("first_step", lane, startup)
        await self.first_step_entered(run, startup, timestamp(utc_now()))

    async def first_step_entered(
        self, run: RunKey, startup: Mapping[str, str], entered_at: str
    ) -> None:
        """Append the entry of the first business step, once; from now on the run is running."""
        stages = {**startup, "first_step": entered_at}

        def work(conn: Connection) -> None:
            lifecycle.record_first_step(
                conn, self._library.log, run.ref, startup=stages, entered_at=entered_at
            )

        await self._library.database.write(work)

    def observe(self, stage: str, lane: Lane, startup: Mapping[str, str]) -> None:
        """Pass a start-up stage on to whoever keeps the histogram."""
        self._observer.observe_stage(stage, lane, startup)

    @activity.defn
    async def check_spend_budget(self, run: RunKey) -> None:
        """Let a run that may spend pass. Raises BudgetExceededError, before any paid call."""
        await self._spend_check(self._library, run)

    @activity.defn
    async def record_workflow_outcome(self, run: RunKey, outcome: Outcome) -> RunStatus:
        """Append the terminal event; returns the one that stands (ENV-6)."""

        def work(conn: Connection) -> RunStatus:
            if outcome.cancel_seen:
                self._note_cancellation(conn, run)
            stored = lifecycle.record_outcome(
                conn,
                self._library.log,
                run.ref,
                outcome.status,
                code=outcome.code,
                retryable=outcome.retryable,
                result=outcome.result,
            )
            failpoints.reach("outcome.before_commit")
            return stored

        async with beating(_OUTCOME_BEAT, first_after=_OUTCOME_BEAT):
            stored = await self._library.database.write(work)
        failpoints.reach("finalize.after")
        return stored

    def _note_cancellation(self, conn: Connection, run: RunKey) -> None:
        lifecycle.record_cancellation(
            conn,
            self._library.log,
            run.ref,
            evidence="temporal_history",
            requester="unknown",
            source="workflow",
        )

    def _spec(self) -> WorkflowSpec:
        workflow_type = activity.info().workflow_type
        spec = self._catalogue.by_type(workflow_type or "")
        assert spec is not None, "a worker runs only workflows of its catalogue"
        return spec

    def _claim(self, conn: Connection, run: RunKey) -> Execution | None:
        if not run.execution_id:
            return None
        store.bind(conn, run.tenant_id, run.execution_id, run.run_id)
        return find_execution(conn, run.tenant_id, run.execution_id)
