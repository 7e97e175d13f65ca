"""Reading one search unit: admit, look closer, store, acknowledge, batch by batch (DIS-6)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from jobsteward.discover import checkpoint
from jobsteward.discover.leads import twins
from jobsteward.discover.model import Posting, SourceOutcome
from jobsteward.discover.pages import Fetching, Position
from jobsteward.discover.plan import Search
from jobsteward.discover.preferences import Preferences
from jobsteward.discover.service import Batch, discover_board, read_posting
from jobsteward.discover.source import Detailed, Request
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.unit_batches import (
    acknowledge,
    acknowledged,
    counts,
    request_reset,
    store_batch,
)
from jobsteward.discover.units import Lease
from jobsteward.kernel import failpoints
from jobsteward.kernel.errors import JobstewardError, RequestChangedError, StaleLeaseError
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog

Admit = Callable[[Preferences, Posting], str | None]
"""Why a posting is refused, as a code; None admits it."""

_CURSOR_GONE = frozenset({400, 404, 410, 422})


def admit_all(_wanted: Preferences, _posting: Posting) -> str | None:
    """Every posting is kept."""
    return None


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
        admit: Admit = admit_all,
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
        verdicts = [(item, self._admit(self._search.wanted, item)) for item in postings]
        refused = {item.key.job_id: reason for item, reason in verdicts if reason}
        admitted = await self._closer([item for item, reason in verdicts if not reason])
        failpoints.reach("unit.admitted")
        log, lease, limit = self._log, self._lease, self._search.limit
        stored = await self._database.write(
            lambda conn: store_batch(conn, log, lease, admitted, refused, limit)
        )
        _unless_stale(stored)
        assert stored is not None
        self._enough = self._enough or stored.limited
        failpoints.reach("unit.stored")

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
