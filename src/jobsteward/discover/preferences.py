"""What a person looks for: one set of preferences a tenant, read by every later step (DIS-5)."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import JSON, Column, Connection, String, Table, select

from jobsteward.discover.model import Remote
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.store.engine import METADATA, upsert

SEARCH_PREFERENCES = Table(
    "search_preferences",
    METADATA,
    Column("tenant_id", String, primary_key=True),
    Column("wanted", JSON, nullable=False),
    Column("changed_at", String, nullable=False),
)


@dataclass(frozen=True, slots=True)
class LeastPay:
    """The least pay that is worth a look. ``currency`` is an ISO 4217 code."""

    amount: float
    currency: str
    period: str = "year"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What to look for; whatever is empty does not narrow the search.

    ``remote`` lists the kinds that will do; a posting that does not say which it is stays in
    (P011). ``exclusions`` are words that rule a posting out, as `admit_words.excluded_by`
    reads them. ``boards`` are URLs of boards to read where a run names none.
    """

    titles: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    remote: tuple[Remote, ...] = ()
    least_pay: LeastPay | None = None
    exclusions: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()

    def narrowed(
        self,
        *,
        titles: tuple[str, ...] = (),
        places: tuple[str, ...] = (),
        remote: tuple[Remote, ...] = (),
        boards: tuple[str, ...] = (),
    ) -> "Preferences":
        """These preferences with what one run asks for in their place, where it asks."""
        return replace(
            self,
            titles=titles or self.titles,
            places=places or self.places,
            remote=remote or self.remote,
            boards=boards or self.boards,
        )


def read_preferences(conn: Connection, tenant_id: str) -> Preferences:
    """The tenant's preferences, empty ones where none were ever saved."""
    stored = conn.scalar(
        select(SEARCH_PREFERENCES.c.wanted).where(SEARCH_PREFERENCES.c.tenant_id == tenant_id)
    )
    return from_json(stored) if stored else Preferences()


def save_preferences(conn: Connection, tenant_id: str, wanted: Preferences) -> None:
    """Put these preferences in the place of the tenant's earlier ones.

    A run that was planned before keeps the ones it was planned with.
    """
    row = {
        "tenant_id": tenant_id,
        "wanted": asdict(wanted),
        "changed_at": timestamp(utc_now()),
    }
    upsert(conn, SEARCH_PREFERENCES, [row])


def from_json(stored: dict[str, Any]) -> Preferences:
    """The preferences that ``dataclasses.asdict`` gave."""
    pay = stored["least_pay"]
    return Preferences(
        titles=tuple(stored["titles"]),
        places=tuple(stored["places"]),
        remote=tuple(stored["remote"]),
        least_pay=LeastPay(**pay) if pay else None,
        exclusions=tuple(stored["exclusions"]),
        boards=tuple(stored["boards"]),
    )
