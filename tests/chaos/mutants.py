"""Bugs put in on purpose, one function each: the checker has to catch every one (FAULTS).

Each takes pytest's monkeypatch and the running application, and spoils the product in this
process alone.
"""

import itertools
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import pytest
from sqlalchemy import Connection, insert

from jobsteward.kernel.events import Event, NewEvent
from jobsteward.runs import lifecycle, store, views
from jobsteward.runs.model import EVENT_OF_STATUS, CancelOutcome, Execution, RunRef, RunStatus
from jobsteward.runs.tables import EXECUTIONS
from jobsteward.store import event_log
from jobsteward.store.engine import SqliteDatabase
from jobsteward_server import admission
from jobsteward_server.http import runs
from tests.support.api import Api

Mutant = Callable[[pytest.MonkeyPatch, Api], Any]


async def unique_constraint_off(patch: pytest.MonkeyPatch, api: Api) -> None:
    """Neither the look-up in the transaction nor the index holds a key to one execution."""
    patch.setattr(store, "_same_request", lambda _conn, _request: None)
    await api.services.library.database.write(
        lambda conn: conn.exec_driver_sql("DROP INDEX workflow_executions_key")
    )


async def replace_instead_of_insert(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """A repeated key deletes the execution that stood for it."""
    patch.setattr(store, "_same_request", lambda _conn, _request: None)
    replacing = insert(EXECUTIONS).prefix_with("OR REPLACE")
    patch.setattr(store, "_INSERT", replacing)


async def fingerprint_off(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """All arguments look alike."""
    patch.setattr(admission, "_fingerprint", lambda _body: "same")


async def acknowledge_before_commit(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """The answer leaves first, and now and then the process dies before the commit."""
    commit = SqliteDatabase.write
    turn = itertools.count(1)

    async def write(database: SqliteDatabase, work: Callable[[Connection], Any]) -> Any:
        if "AdmissionDesk.admit" not in work.__qualname__ or next(turn) % 10:
            return await commit(database, work)
        answers: list[Any] = []

        def dies(conn: Connection) -> None:
            answers.append(work(conn))
            raise _Died

        try:
            await commit(database, dies)
        except _Died:
            return answers[0]

    patch.setattr(SqliteDatabase, "write", write)


class _Died(Exception):
    """Stands for the death of the process."""


async def terminal_check_off(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """Whoever comes last writes its end as well."""

    def record(
        conn: Connection,
        log: event_log.EventLog,
        ref: RunRef,
        status: RunStatus,
        *,
        source: str = "workflow",
        **_how: Any,
    ) -> RunStatus:
        key = f"terminal-{secrets.token_hex(4)}"
        event = lifecycle.run_event(ref, EVENT_OF_STATUS[status], key, {"source": source})
        log.append(conn, event)
        return status

    patch.setattr(lifecycle, "record_outcome", record)


async def cancel_unchecked(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """A cancel ends whatever it names, ended or not."""

    def request_cancel(
        conn: Connection, log: event_log.EventLog, execution: Execution, **_how: Any
    ) -> CancelOutcome:
        store.close(conn, log, execution, RunStatus.CANCELED, None)
        return CancelOutcome.CANCEL_REQUESTED

    patch.setattr(store, "request_cancel", request_cancel)


async def check_then_act(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """A cancel trusts what was read well before its transaction began."""
    checked, read = store.request_cancel, runs._mine

    async def mine(*args: Any) -> Execution:
        found = await read(*args)
        await anyio.sleep(0.03)
        return found

    patch.setattr(runs, "_mine", mine)

    def request_cancel(
        conn: Connection, log: event_log.EventLog, execution: Execution, **how: Any
    ) -> CancelOutcome:
        with pytest.MonkeyPatch.context() as stale:
            stale.setattr(store, "find_execution", lambda *_: execution)
            return checked(conn, log, execution, **how)

    patch.setattr(store, "request_cancel", request_cancel)


async def tenant_check_off(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """A receipt opens the run to whoever holds it."""

    def find(conn: Connection, _tenant: str, any_id: str) -> Execution | None:
        row = conn.execute(
            views.EXECUTIONS_WITH_RUNS.where(EXECUTIONS.c.execution_id == any_id)
        ).first()
        return views.execution_of(row) if row else None

    patch.setattr(runs, "find_execution", find)


async def sequence_off(patch: pytest.MonkeyPatch, _api: Api) -> None:
    """Every event leaves a number out."""
    stored = event_log._insert

    def skipping(
        conn: Connection, events: Sequence[NewEvent], last: dict[tuple[str, str], int]
    ) -> list[Event]:
        return stored(conn, events, {entity: seq + 1 for entity, seq in last.items()})

    patch.setattr(event_log, "_insert", skipping)


MUTANTS: Mapping[str, tuple[Mutant, frozenset[str]]] = {
    "unique constraint off": (unique_constraint_off, frozenset({"I2"})),
    "REPLACE instead of insert": (replace_instead_of_insert, frozenset({"I1", "I6"})),
    "fingerprint off": (fingerprint_off, frozenset({"I3"})),
    "acknowledge before commit": (acknowledge_before_commit, frozenset({"I1"})),
    "terminal check off": (terminal_check_off, frozenset({"I4", "I5"})),
    "cancel unchecked": (cancel_unchecked, frozenset({"I5"})),
    "check-then-act": (check_then_act, frozenset({"I5"})),
    "tenant check off": (tenant_check_off, frozenset({"I11"})),
    "sequence off": (sequence_off, frozenset({"I13"})),
}
"""What is spoilt → how, and which invariants the checker must then name."""
