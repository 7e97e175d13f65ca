"""What a search unit stores: batches with their receipts, then their acknowledgement (DIS-6).

Two commits a batch. The first stores jobs, memberships, events and one receipt for each
posting; the second acknowledges them, which moves the checkpoint. A stop in between means
that the batch is read again, and then changes nothing that stands.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Index,
    Integer,
    String,
    Table,
    func,
    select,
)

from jobsteward.discover.model import DiscoveryExecutionRef, Posting, SavedPostings
from jobsteward.discover.store import save_postings
from jobsteward.discover.tables import JOBS
from jobsteward.discover.units import Lease, held, move
from jobsteward.kernel import failpoints
from jobsteward.kernel.events import NewEvent
from jobsteward.store.engine import METADATA, insert_or_ignore, lock
from jobsteward.store.event_log import EventLog

Effect = Literal["discovered", "updated", "unchanged", "refused"]

DISCOVERY_RECEIPTS = Table(
    "discovery_receipts",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("workflow_id", String, primary_key=True),
    Column("run_id", String, primary_key=True),
    Column("unit_id", String, primary_key=True),
    Column("job_id", String, primary_key=True),
    Column("effect", String, nullable=False),
    Column("reason", String),
    Column("revision", Integer, nullable=False),
    CheckConstraint(
        "effect IN ('discovered', 'updated', 'unchanged', 'refused')", name="receipt_effect"
    ),
    Index("discovery_receipts_effect", "tenant_id", "workflow_id", "run_id", "effect"),
)
"""One row for each posting that a unit took. ``job_id`` is a hash of the posting's identity;
a refused posting leaves its decision beside it and nothing else. A receipt is acknowledged once
its unit's ``revision`` has reached its own."""

CURSOR_RESET = "DiscoveryCursorReset"
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class Stored:
    """What a batch came to. ``limited`` says that new jobs were left out: the run has enough."""

    saved: SavedPostings
    limited: bool = False


def acknowledged(conn: Connection, lease: Lease) -> set[str]:
    """Job ids that this unit need not take again."""
    columns = DISCOVERY_RECEIPTS.c
    return set(
        conn.scalars(
            select(columns.job_id).where(*_of_unit(lease), columns.revision <= lease.revision)
        )
    )


def store_batch(
    conn: Connection,
    log: EventLog,
    lease: Lease,
    admitted: Sequence[Posting],
    refused: Mapping[str, str],
    limit: int | None = None,
) -> Stored | None:
    """Store the admitted postings and a receipt for each posting of the batch.

    ``refused`` maps the job ids of the others to the reason's code. With ``limit``, jobs that
    would be new beyond that many in the whole run are left out, without a receipt. None,
    with nothing stored, where the lease is stale.
    """
    row = held(conn, lease)
    if row is None:
        return None
    lock(conn, f"jobs:{lease.ref.tenant_id}")
    before = _versions(conn, lease.ref, [posting.key.job_id for posting in admitted])
    chosen = _within(conn, lease.ref, admitted, before, limit)
    saved = save_postings(conn, log, lease.ref, chosen)
    after = _versions(conn, lease.ref, [posting.key.job_id for posting in chosen])
    effects = {job_id: _effect(before.get(job_id), version) for job_id, version in after.items()}
    _add_receipts(conn, lease, row.revision + 1, effects, refused)
    failpoints.reach("unit.before_commit")
    return Stored(saved, limited=len(chosen) < len(admitted))


def acknowledge(conn: Connection, lease: Lease, then: Mapping[str, Any] | None) -> bool:
    """Acknowledge what was stored since the last time; False where the lease is stale.

    ``then`` is the written position where reading goes on, None while within a page. A reset
    that waits for this acknowledgement clears the checkpoint.
    """
    row = held(conn, lease)
    if row is None:
        return False
    revision = row.revision + 1
    values: dict[str, Any] = {"revision": revision}
    if row.reset_revision is not None and row.reset_revision <= revision:
        values |= {"checkpoint": None, "reset_revision": None}
    elif then is not None:
        values["checkpoint"] = dict(then)
    move(conn, lease, values)
    return True


def request_reset(conn: Connection, log: EventLog, lease: Lease, code: str) -> bool:
    """Record that the list has to be begun again, and which acknowledgement that waits for.

    The checkpoint stays until then, so that a crash in between loses neither. False where
    the lease is stale.
    """
    row = held(conn, lease)
    if row is None:
        return False
    revision = row.revision + 1
    move(conn, lease, {"reset_revision": revision})
    log.append(
        conn,
        NewEvent(
            tenant_id=lease.ref.tenant_id,
            entity_kind="source",
            entity_ref=f"{lease.unit.board.provider}/{lease.unit.board.key}",
            event_type=CURSOR_RESET,
            idempotency_key=f"cursor-reset:{lease.ref.run_id}:{lease.unit.unit_id}:{revision}",
            payload={"unit": lease.unit.unit_id, "revision": revision, "code": code},
            workflow_id=lease.ref.workflow_id,
            run_id=lease.ref.run_id,
        ),
    )
    return True


def counts(
    conn: Connection, ref: DiscoveryExecutionRef, unit_ids: Sequence[str]
) -> Counter[Effect]:
    """How many postings the units took, by effect; what was read twice counts once."""
    columns = DISCOVERY_RECEIPTS.c
    rows = conn.execute(
        select(columns.effect, func.count())
        .where(*_of_run(ref), columns.unit_id.in_(unit_ids))
        .group_by(columns.effect)
    )
    return Counter({row[0]: row[1] for row in rows})


def _within(
    conn: Connection,
    ref: DiscoveryExecutionRef,
    admitted: Sequence[Posting],
    known: Mapping[str, int],
    limit: int | None,
) -> list[Posting]:
    """The postings without those that are new beyond the run's limit."""
    if limit is None:
        return list(admitted)
    columns = DISCOVERY_RECEIPTS.c
    statement = select(func.count(columns.job_id.distinct())).where(
        *_of_run(ref), columns.effect == "discovered"
    )
    room = limit - (conn.scalar(statement) or 0)
    chosen: list[Posting] = []
    for posting in admitted:
        if posting.key.job_id not in known:
            if room <= 0:
                continue
            room -= 1
        chosen.append(posting)
    return chosen


def _versions(conn: Connection, ref: DiscoveryExecutionRef, job_ids: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(job_ids), _CHUNK):
        part = job_ids[start : start + _CHUNK]
        statement = select(JOBS.c.job_id, JOBS.c.version).where(
            JOBS.c.tenant_id == ref.tenant_id, JOBS.c.job_id.in_(part)
        )
        found |= {row.job_id: row.version for row in conn.execute(statement)}
    return found


def _effect(before: int | None, after: int) -> Effect:
    if before is None:
        return "discovered"
    return "unchanged" if before == after else "updated"


def _add_receipts(
    conn: Connection,
    lease: Lease,
    revision: int,
    effects: Mapping[str, Effect],
    refused: Mapping[str, str],
) -> None:
    unit = asdict(lease.ref) | {"unit_id": lease.unit.unit_id, "revision": revision}
    rows = [
        unit | {"job_id": job_id, "effect": effect, "reason": None}
        for job_id, effect in effects.items()
    ]
    rows += [
        unit | {"job_id": job_id, "effect": "refused", "reason": reason}
        for job_id, reason in refused.items()
    ]
    insert_or_ignore(conn, DISCOVERY_RECEIPTS, rows)


def _of_run(ref: DiscoveryExecutionRef) -> tuple[Any, ...]:
    columns = DISCOVERY_RECEIPTS.c
    return (
        columns.tenant_id == ref.tenant_id,
        columns.workflow_id == ref.workflow_id,
        columns.run_id == ref.run_id,
    )


def _of_unit(lease: Lease) -> tuple[Any, ...]:
    return (*_of_run(lease.ref), DISCOVERY_RECEIPTS.c.unit_id == lease.unit.unit_id)
