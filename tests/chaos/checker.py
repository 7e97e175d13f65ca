"""The checker: which invariants of a quiet system its history breaks (FAULTS I1-I6, I11-I13).

Pure: it reads what `tests.chaos.history` holds and nothing else. Every invariant is one
function that names what breaks it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from jobsteward.runs import model
from jobsteward.runs.model import TERMINAL, TERMINAL_EVENTS, CancelOutcome, RunStatus
from tests.chaos.history import EventRow, ExecutionRow, History, Stored, TemporalRun

STATE_EVENTS = frozenset(
    {
        model.STARTED,
        model.FIRST_STEP,
        model.PARKED,
        model.RESUMED,
        model.STUCK,
        model.UNSTUCK,
        *TERMINAL_EVENTS,
    }
)
"""Events that move a run. A confirmed start and a seen cancel request are audit: both may
be learned after the end."""
TWIN_WINDOW = 5.0
"""Equal calls without a key that lie within these seconds, answers included, are one call
(ADM-3a promises ten)."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken invariant, and by what."""

    invariant: str
    what: str

    def __str__(self) -> str:
        return f"{self.invariant}: {self.what}"


def violations(history: History, stored: Stored) -> list[Violation]:
    """Everything that breaks an invariant; empty for a correct system that has come to rest."""
    return [
        Violation(name, what)
        for name, broken in INVARIANTS.items()
        for check in broken
        for what in check(history, stored)
    ]


Check = Callable[[History, Stored], Iterator[str]]


def acknowledged_exist(history: History, stored: Stored) -> Iterator[str]:
    """I1."""
    rows = _by_id(stored)
    for one in history.accepted:
        row = rows.get(one.execution_id)
        if row is None:
            yield f"{one.execution_id} was acknowledged and is not stored"
        elif (row.tenant, row.key) != (one.tenant, one.key):
            yield f"{one.execution_id} is stored for another tenant or key"
    for refusal in history.refused:
        if refusal.named not in rows:
            yield f"a refusal named {refusal.named}, which is not stored"


def one_execution_a_key(history: History, stored: Stored) -> Iterator[str]:
    """I2."""
    owners: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for one in history.accepted:
        if one.key is not None:
            owners[one.tenant, one.key].add(one.execution_id)
    for row in stored.executions:
        if row.key is not None:
            owners[row.tenant, row.key].add(row.execution_id)
    for (_, key), ids in owners.items():
        if len(ids) > 1:
            yield f"key {key} stands for {len(ids)} executions"


def one_execution_for_twins(history: History, _stored: Stored) -> Iterator[str]:
    """I2 without a key: equal calls within seconds (ADM-3a)."""
    groups: defaultdict[tuple[str, str], list[tuple[float, float, str]]] = defaultdict(list)
    for one in history.accepted:
        if one.key is None:
            groups[one.tenant, one.arguments].append((one.asked, one.answered, one.execution_id))
    for (_, arguments), calls in groups.items():
        first = min(asked for asked, _, _ in calls)
        close = {made for _, answered, made in calls if answered - first < TWIN_WINDOW}
        if len(close) > 1:
            yield f"equal calls without a key made {len(close)} executions: {arguments}"


def one_fingerprint_a_key(history: History, _stored: Stored) -> Iterator[str]:
    """I3."""
    arguments: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for one in history.accepted:
        if one.key is not None:
            arguments[one.tenant, one.key].add(one.arguments)
    for (_, key), different in arguments.items():
        if len(different) > 1:
            yield f"key {key} was accepted with {len(different)} different arguments"


def one_end(_history: History, stored: Stored) -> Iterator[str]:
    """I4: each run ended once, each execution ended."""
    ends = Counter(
        (event.tenant, event.ref) for event in stored.events if _is_end(event) and _is_run(event)
    )
    for run in stored.runs:
        count = ends[run.tenant, run.run_id]
        if count != 1:
            yield f"run {run.run_id} ({run.status}) has {count} terminal events"
    for row in stored.executions:
        if row.state not in {"finished", "closed"}:
            yield f"{row.execution_id} is still {row.state}"


def one_truth(_history: History, stored: Stored) -> Iterator[str]:
    """I4: Temporal tells the same end; a failure in a returned value is `failed` here (REC-4)."""
    temporal = {run.run_id: run.status for run in stored.temporal}
    for run in stored.runs:
        theirs = temporal.get(run.run_id)
        returned = (theirs, run.status) == (RunStatus.SUCCEEDED, RunStatus.FAILED)
        if theirs != run.status and not returned:
            yield f"run {run.run_id} is {run.status} here and {theirs} in Temporal"


def nothing_after_the_end(_history: History, stored: Stored) -> Iterator[str]:
    """I5 in the log: of the run, and of the executions that follow it."""
    ended: dict[tuple[str, str], int] = {}
    for event in stored.events:
        entity = (event.tenant, event.ref)
        if _is_run(event) and entity in ended and event.type in STATE_EVENTS:
            yield f"{event.type} came after the end of run {event.ref}"
        if _is_run(event) and _is_end(event):
            ended.setdefault(entity, event.event_id)
    rows = _by_id(stored)
    closed: set[str] = set()
    for event in stored.events:
        if event.kind != "execution" or event.type == model.ACCEPTED:
            continue
        row = rows.get(event.ref)
        end = ended.get((event.tenant, row.run_id)) if row and row.run_id else None
        if event.ref in closed or (end is not None and event.event_id > end):
            yield f"{event.type} came after the end of {event.ref}"
        if event.type == model.CLOSED:
            closed.add(event.ref)


def ends_stay_told(history: History, _stored: Stored) -> Iterator[str]:
    """I5 for clients: what was told as an end is never told otherwise later."""
    first: dict[str, tuple[float, str]] = {}
    for told in sorted(history.told, key=lambda one: one.answered):
        if told.status in TERMINAL:
            first.setdefault(told.execution_id, (told.answered, told.status))
    for told in history.told:
        answered, status = first.get(told.execution_id, (told.asked, told.status))
        if told.asked > answered and told.status != status:
            yield f"{told.execution_id} was told as {status} and later as {told.status}"
    for cancel in history.cancels:
        answered, status = first.get(cancel.execution_id, (cancel.asked, ""))
        if cancel.asked > answered and cancel.outcome != CancelOutcome.ALREADY_TERMINAL:
            yield f"{cancel.execution_id} was told as {status}; a later cancel got {cancel.outcome}"


def no_orphans(_history: History, stored: Stored) -> Iterator[str]:
    """I6: no event and no Temporal run without its execution, no execution without its event."""
    rows = _by_id(stored)
    accepted = {event.ref for event in stored.events if event.type == model.ACCEPTED}
    runs = {(run.tenant, run.run_id): run for run in stored.runs}
    served = {(row.tenant, row.workflow_id) for row in stored.executions}
    for event in stored.events:
        if event.kind == "execution" and event.ref not in rows:
            yield f"{event.type} of {event.ref}, which is not stored"
        if _is_run(event):
            run = runs.get((event.tenant, event.ref))
            if run is None or (run.tenant, run.workflow_id) not in served:
                yield f"{event.type} of run {event.ref}, which serves nothing"
    for row in stored.executions:
        if row.execution_id not in accepted:
            yield f"{row.execution_id} has no accepted event"
    for temporal in stored.temporal:
        if temporal.execution_id not in rows:
            yield f"Temporal runs {temporal.workflow_id} for an execution that is not stored"


def tenants_apart(history: History, stored: Stored) -> Iterator[str]:
    """I11."""
    owners = {row.execution_id: row.tenant for row in stored.executions}
    owners |= {run.run_id: run.tenant for run in stored.runs}
    for tenant, any_id in sorted(history.shown):
        if owners.get(any_id, tenant) != tenant:
            yield f"an answer to {tenant} held {any_id} of {owners[any_id]}"


def one_first_run(_history: History, stored: Stored) -> Iterator[str]:
    """I12."""
    first: defaultdict[str, list[TemporalRun]] = defaultdict(list)
    for run in stored.temporal:
        first[run.execution_id].append(run)
    rows = _by_id(stored)
    for execution_id in sorted(stored.dispatched):
        found = first[execution_id]
        if len(found) != 1:
            yield f"{execution_id} was dispatched and has {len(found)} first runs"
        elif (row := rows.get(execution_id)) and row.run_id != found[0].run_id:
            yield f"{execution_id} follows another run than the one that serves it"


def gapless(_history: History, stored: Stored) -> Iterator[str]:
    """I13: from one, without a gap, in the log's own order."""
    last: Counter[tuple[str, str, str]] = Counter()
    for event in stored.events:
        entity = (event.tenant, event.kind, event.ref)
        if event.seq != last[entity] + 1:
            yield f"{event.kind} {event.ref}: {event.seq} follows {last[entity]}"
        last[entity] = event.seq


INVARIANTS: Mapping[str, Sequence[Check]] = {
    "I1": [acknowledged_exist],
    "I2": [one_execution_a_key, one_execution_for_twins],
    "I3": [one_fingerprint_a_key],
    "I4": [one_end, one_truth],
    "I5": [nothing_after_the_end, ends_stay_told],
    "I6": [no_orphans],
    "I11": [tenants_apart],
    "I12": [one_first_run],
    "I13": [gapless],
}


def _by_id(stored: Stored) -> dict[str, ExecutionRow]:
    return {row.execution_id: row for row in stored.executions}


def _is_run(event: EventRow) -> bool:
    return event.kind == "run"


def _is_end(event: EventRow) -> bool:
    return event.type in TERMINAL_EVENTS and event.code != model.RECONCILED_NOT_FOUND
