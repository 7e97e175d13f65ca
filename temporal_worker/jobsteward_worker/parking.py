"""What a workflow inherits to wait for a person: a wake signal, and the wait itself (ADM-9)."""

from datetime import timedelta

from temporalio import workflow

from jobsteward.runs.model import RunStatus
from jobsteward_worker.activities.gates import Decision, Gates
from jobsteward_worker.failures import retry_policy
from jobsteward_worker.run_key import RunKey
from jobsteward_worker.spec import CONTROL_QUEUE

LOOK_AGAIN = timedelta(hours=1)
"""How long a lost wake signal can go unnoticed even if nobody repeats it."""
_STEP_TIMEOUT = timedelta(seconds=30)
_ATTEMPTS = 5


class Parking:
    """Base of workflows that wait for decisions.

    The signal carries nothing and decides nothing: it only makes the run look into the
    database, where one decision at most stands for each gate.
    """

    def __init__(self) -> None:
        self._wakes = 0

    @workflow.signal
    def wake(self) -> None:
        """Look for a decision now."""
        self._wakes += 1

    async def decided(self, run: RunKey, kind: RunStatus) -> Decision:
        """Open a gate of its own id, wait without a slot, and return what was decided."""
        gate_id = f"gate_{workflow.uuid4().hex}"
        await _open(run, gate_id, kind)
        while True:
            seen = self._wakes
            decision = await _take(run, gate_id)
            if decision is not None:
                return decision
            await self._woken(seen)

    async def _woken(self, seen: int) -> None:
        try:
            await workflow.wait_condition(lambda: self._wakes > seen, timeout=LOOK_AGAIN)
        except TimeoutError:
            return


async def _open(run: RunKey, gate_id: str, kind: RunStatus) -> None:
    await workflow.execute_activity_method(
        Gates.open_gate,
        args=[run, gate_id, kind],
        task_queue=CONTROL_QUEUE,
        start_to_close_timeout=_STEP_TIMEOUT,
        retry_policy=retry_policy(_ATTEMPTS),
    )


async def _take(run: RunKey, gate_id: str) -> Decision | None:
    return await workflow.execute_activity_method(
        Gates.take_decision,
        args=[run, gate_id],
        task_queue=CONTROL_QUEUE,
        start_to_close_timeout=_STEP_TIMEOUT,
        retry_policy=retry_policy(_ATTEMPTS),
    )
