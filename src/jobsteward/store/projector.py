"""Folding events into read models: each event costs the same, however long the log (DOM-4)."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from sqlalchemy import Connection

from jobsteward.kernel.events import Event


class Projection(Protocol):
    """A read model that is a pure function of the log.

    ``entity_kinds`` names what it listens to. ``fold`` must touch only the rows of the
    events it is given; ``clear`` empties it before a rebuild.
    """

    name: str
    entity_kinds: frozenset[str]

    def fold(self, conn: Connection, events: Sequence[Event]) -> None:
        """Apply the events, which come in log order."""

    def clear(self, conn: Connection) -> None:
        """Remove every row of this read model."""


class Projector:
    """Hands events to the projections that listen to their kind."""

    def __init__(self, projections: Iterable[Projection]) -> None:
        self.projections = tuple(projections)

    def fold(self, conn: Connection, events: Sequence[Event]) -> None:
        """Advance every listening projection by these events."""
        for projection in self.projections:
            heard = [event for event in events if event.entity_kind in projection.entity_kinds]
            if heard:
                projection.fold(conn, heard)

    def rebuild(self, conn: Connection, log: Iterable[Sequence[Event]]) -> None:
        """Clear all projections and fold the whole log again; rows come out equal."""
        for projection in self.projections:
            projection.clear(conn)
        for events in log:
            self.fold(conn, events)
