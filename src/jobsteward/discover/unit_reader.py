"""Reading one search unit: admit, look closer, store, acknowledge, batch by batch (DIS-6)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import anyio.to_thread
from sqlalchemy import Connection

from jobsteward.discover import checkpoint
from jobsteward.discover.admissions import record_decisions
from jobsteward.discover.admit import ADMITTED, Decision, admit, basis
from jobsteward.discover.leads import twins
from jobsteward.discover.model import Posting, SourceOutcome
from jobsteward.discover.pages import Fetching, Position
from jobsteward.discover.plan import Search
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.service import Batch, discover_board, read_posting
from jobsteward.discover.source import Detailed, Request
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.unit_batches import (
    Stored,
    acknowledge,
    acknowledged,
    counts,
    request_reset,
    store_batch,
)
from jobsteward.discover.units import Lease, held
from jobsteward.kernel import failpoints
from jobsteward.kernel.errors import JobstewardError, RequestChangedError, StaleLeaseError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog

Admit = Callable[[Preferences, Posting], Decision]
"""Whether a posting is let in, with the reason where it is not."""

_CURSOR_GONE = frozenset({400, 404, 410, 422})


def admit_all(_wanted: Preferences, _posting: Posting) -> Decision:
    """Every posting is kept."""
    return ADMITTED


class UnitReader:
    """Reads the unit of one lease from where its last acknowledgement left it.

    Every write checks the lease first. Raises StaleLeaseError, with nothing written, where
    somebody newer took the unit over or it was ended; RequestChangedError or CursorSchemaError
    where this code cannot go on with what another version began; and what `discover_board`
    raises.
    """

    def __init__(
        self,
        database: Database,
        log: EventLog,
        outbound: Fetching,
        lease: Lease,
        search: Search,
        admit: Admit = admit,
    ) -> None:
        self._database = database
        self._log = log
        self._outbound = outbound
        self._lease = lease
        self._search = search
        self._admit = admit
        self._board = lease.unit.board
        self._source = SOURCES[self._board.provider]
        self._done: set[str] = set()
        self._enough = False

    async def read(self) -> SourceOutcome:
        """How reading went, with the count of all postings that the unit took so far."""
        if checkpoint.request_digest(self._source, self._board) != self._lease.unit.request_digest:
            raise RequestChangedError("this search was planned otherwise; start a new discovery")
        begin = await self._begin()
        outcome = await self._read_from(begin)
        if begin.following and outcome.http_status in _CURSOR_GONE and not self._enough:
            await self._reset()
            outcome = await self._read_from(Position())
        if self._enough:
            outcome = replace(outcome, status="partial", code="limit_reached")
        ref, unit_id = self._lease.ref, self._lease.unit.unit_id
        taken = await self._database.read(lambda conn: counts(conn, ref, [unit_id]))
        return replace(outcome, found=taken.total())

    async def _begin(self) -> Position:
        lease = self._lease
        if lease.reset_waits:
            await self._acknowledge(None)
            return Position()
        if lease.epoch > 1:
            self._done = await self._database.read(lambda conn: acknowledged(conn, lease))
        return checkpoint.read(lease.checkpoint, self._first)

    async def _read_from(self, begin: Position) -> SourceOutcome:
        return await discover_board(
            self._outbound,
            self._source,
            self._board,
            self._take,
            cancelled=lambda: self._enough,
            begin=begin,
        )

    async def _reset(self) -> None:
        log, lease = self._log, self._lease
        recorded = await self._database.write(
            lambda conn: request_reset(conn, log, lease, "cursor_gone")
        )
        _unless_stale(recorded)
        failpoints.reach("unit.reset_recorded")
        await self._acknowledge(None)

    async def _take(self, batch: Batch) -> None:
        fresh = [item for item in batch.postings if item.key.job_id not in self._done]
        if fresh:
            await self._store(fresh)
        if fresh or batch.then:
            await self._acknowledge(batch.then)

    async def _store(self, postings: Sequence[Posting]) -> None:
        # Reading a posting takes milliseconds; a whole batch would hold up every other task.
        verdicts = await anyio.to_thread.run_sync(self._decide, postings)
        admitted = await self._closer([item for item, said in verdicts if said.admitted])
        failpoints.reach("unit.admitted")
        closer = {item.key.job_id: item for item in admitted}
        decided = [(closer.get(item.key.job_id, item), said) for item, said in verdicts]
        stored = await self._database.write(lambda conn: self._store_decided(conn, decided))
        _unless_stale(stored)
        assert stored is not None
        self._enough = self._enough or stored.limited
        failpoints.reach("unit.stored")

    def _decide(self, postings: Sequence[Posting]) -> list[tuple[Posting, Decision]]:
        return [(item, self._admit(self._search.wanted, item)) for item in postings]

    def _store_decided(
        self, conn: Connection, decided: Sequence[tuple[Posting, Decision]]
    ) -> Stored | None:
        """Store what stands as admitted; a person's own decision comes before the rules'."""
        log, lease, search = self._log, self._lease, self._search
        if held(conn, lease) is None:
            return None
        standing = record_decisions(conn, log, lease.ref, decided, basis(search.wanted))
        admitted = [item for item, _ in decided if standing[item.key.job_id].admitted]
        refused = {job_id: said.reason for job_id, said in standing.items() if said.reason}
        return store_batch(conn, log, lease, admitted, refused, search.limit)

    async def _acknowledge(self, then: Position | None) -> None:
        lease = self._lease
        place = checkpoint.written(then, self._first) if then else None
        _unless_stale(await self._database.write(lambda conn: acknowledge(conn, lease, place)))
        failpoints.reach("unit.acknowledged")

    async def _closer(self, postings: list[Posting]) -> list[Posting]:
        """The postings, with details where a look at the text can tell two leads apart."""
        sparse = [item for item in postings if item.description_missing]
        if not sparse or not isinstance(self._source, Detailed):
            return postings
        tenant = self._lease.ref.tenant_id
        doubtful = await self._database.read(lambda conn: twins(conn, tenant, sparse))
        return [
            await self._detailed(item) if item.key.job_id in doubtful else item for item in postings
        ]

    async def _detailed(self, posting: Posting) -> Posting:
        try:
            return await read_posting(self._outbound, self._source, self._board, posting)
        except JobstewardError:
            return posting  # the sparse lead is kept: better two jobs than a wrong merge

    @property
    def _first(self) -> Request:
        return next(iter(self._source.list_requests(self._board)), Request(""))


def _unless_stale(written: object) -> None:
    if not written:
        raise StaleLeaseError("somebody newer works on this unit; this attempt wrote nothing")
