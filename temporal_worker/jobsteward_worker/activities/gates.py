"""Opening a gate, and reading the decision that a person stored for it (ADM-9)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from temporalio import activity

from jobsteward.library import Library
from jobsteward.runs import gates
from jobsteward.runs.model import RunStatus
from jobsteward_worker.run_key import RunKey


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided. Answers stay in the database, under the gate's id (TOP-2a)."""

    gate_id: str
    verdict: str


class Gates:
    """Control steps of runs that wait for a person; a waiting run holds no slot (ADM-5a)."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def steps(self) -> Sequence[Callable[..., Any]]:
        """The steps to register on the control queue."""
        return [self.open_gate, self.take_decision]

    @activity.defn
    async def open_gate(self, run: RunKey, gate_id: str, kind: RunStatus) -> None:
        """Show the run as waiting for this gate's decision, once."""

        def work(conn: Connection) -> None:
            gates.open_gate(conn, self._library.log, run.ref, gate_id, kind)

        await self._library.database.write(work)

    @activity.defn
    async def take_decision(self, run: RunKey, gate_id: str) -> Decision | None:
        """The stored decision, after which the gate is closed; None while there is none."""
        gate = await self._library.database.write(
            lambda conn: gates.close_gate(conn, self._library.log, run.ref, gate_id)
        )
        return Decision(gate_id, gate.decision) if gate.decision else None
