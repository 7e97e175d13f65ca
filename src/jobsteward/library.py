"""What a process opens to work on an app directory: settings, database and event log."""

import hashlib
from dataclasses import dataclass
from typing import Self

from jobsteward.discover.pipeline_state import StageProjection
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.runs.views import RunProjection
from jobsteward.settings import Settings
from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog
from jobsteward.store.projector import Projection, Projector
from jobsteward.store.schema import prepare_database

PROJECTIONS: tuple[Projection, ...] = (RunProjection(), StageProjection())
"""Every read model that is folded from the log."""


@dataclass(frozen=True, slots=True)
class Library:
    """The open store of one process. ``runtime`` is what activities' inputs must name (ACT-4)."""

    settings: Settings
    database: Database
    log: EventLog
    runtime: str

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.database.close()


async def open_library(settings: Settings) -> Library:
    """The library over the settings' database, created or migrated if need be.

    Raises ConfigurationError, with the remedy, where the directory or database will not do.
    """
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings.artefacts.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"{settings.home} cannot be written ({error.strerror});"
            " give it to the user running this"
        ) from None
    database = await prepare_database(settings.store_url, settings.home)
    return Library(
        settings, database, EventLog(Projector(PROJECTIONS)), _runtime(settings, database)
    )


def _runtime(settings: Settings, database: Database) -> str:
    # On a cluster every host has its own directory; there the database alone identifies.
    if database.dialect == "postgresql":
        return database.identity
    home = hashlib.sha256(str(settings.home).encode()).hexdigest()[:12]
    return f"{database.identity}.{home}"
