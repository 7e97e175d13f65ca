"""Draining: new starts are held back, so that every worker ends what it began (ENV-7)."""

from dataclasses import dataclass

from sqlalchemy import Column, Connection, String, Table, case, func, select

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs import outbox
from jobsteward.runs.model import NEEDS_PERSON
from jobsteward.runs.tables import RUN_PROJECTIONS
from jobsteward.store.engine import METADATA, insert_or_ignore

HOLDS = Table(
    "dispatch_holds",
    METADATA,
    Column("name", String, primary_key=True),
    Column("held_since", String, nullable=False),
)
_DRAIN = "drain"


@dataclass(frozen=True, slots=True)
class Drain:
    """How far draining has come. Requests accepted meanwhile are in ``waiting``; ``parked``
    runs wait for a person and keep no worker busy."""

    since: str | None
    running: int
    parked: int
    waiting: int

    @property
    def done(self) -> bool:
        """Whether no worker has anything left to finish."""
        return self.since is not None and self.running == 0


def hold_starts(conn: Connection) -> None:
    """Start nothing new until `release_starts`; accepting goes on."""
    row = {"name": _DRAIN, "held_since": timestamp(utc_now())}
    insert_or_ignore(conn, HOLDS, [row])


def release_starts(conn: Connection) -> None:
    """Start again what was accepted."""
    conn.execute(HOLDS.delete().where(HOLDS.c.name == _DRAIN))


def held_since(conn: Connection) -> str | None:
    """Since when starts are held back, None while they are not."""
    return conn.scalar(select(HOLDS.c.held_since).where(HOLDS.c.name == _DRAIN))


def progress(conn: Connection) -> Drain:
    """The drain as it stands, over all tenants: workers serve them all."""
    columns = RUN_PROJECTIONS.c
    parked = func.sum(case((columns.status.in_(NEEDS_PERSON), 1), else_=0))
    open_runs, parked_runs = conn.execute(
        select(func.count(), func.coalesce(parked, 0)).where(columns.ended_at.is_(None))
    ).one()
    waiting = outbox.backlog(conn).pending
    return Drain(held_since(conn), open_runs - parked_runs, int(parked_runs), waiting)
