"""What is remembered of hosts on the web, for every process and across restarts (DIS-11).

Hosts have no tenant: a host sees one program, whoever uses it.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Integer, String, Table, select

from jobsteward.kernel.clock import parse_timestamp, timestamp
from jobsteward.net import HostState
from jobsteward.store.engine import METADATA, Database, lock, upsert

T = TypeVar("T")

WEB_HOSTS = Table(
    "web_hosts",
    METADATA,
    Column("host", String, primary_key=True),
    Column("day", String, nullable=False),
    Column("asked", Integer, nullable=False),
    Column("paid_until", String),
    Column("resting_until", String),
    Column("cooling_until", String),
    Column("probing_until", String),
    Column("refusals", Integer, nullable=False),
    Column("strikes", Integer, nullable=False),
)


class StoredHostRecords:
    """The database as `HostRecords`: one short transaction for each request to a host."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def change(self, host: str, step: Callable[[HostState], tuple[T, HostState]]) -> T:
        """What ``step`` gives; its new state is stored. Raises StorageError."""

        def work(conn: Connection) -> T:
            lock(conn, f"host:{host}")
            before = host_state(conn, host)
            result, after = step(before)
            if after != before:
                upsert(conn, WEB_HOSTS, [_row(host, after)])
            return result

        return await self._database.write(work)


def host_state(conn: Connection, host: str) -> HostState:
    """What is remembered of the host; the empty state where it was never asked."""
    row = conn.execute(select(WEB_HOSTS).where(WEB_HOSTS.c.host == host)).mappings().first()
    if row is None:
        return HostState()
    return HostState(
        day=row["day"],
        asked=row["asked"],
        paid_until=_moment(row["paid_until"]),
        resting_until=_moment(row["resting_until"]),
        cooling_until=_moment(row["cooling_until"]),
        probing_until=_moment(row["probing_until"]),
        refusals=row["refusals"],
        strikes=row["strikes"],
    )


def _row(host: str, state: HostState) -> dict[str, Any]:
    return {
        "host": host,
        "day": state.day,
        "asked": state.asked,
        "paid_until": _text(state.paid_until),
        "resting_until": _text(state.resting_until),
        "cooling_until": _text(state.cooling_until),
        "probing_until": _text(state.probing_until),
        "refusals": state.refusals,
        "strikes": state.strikes,
    }


def _moment(text: str | None) -> datetime | None:
    return parse_timestamp(text) if text else None


def _text(moment: datetime | None) -> str | None:
    return timestamp(moment) if moment else None
