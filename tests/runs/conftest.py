"""The runs room over a fresh database of each kind."""

import pytest

from jobsteward.store.engine import Database
from jobsteward.store.event_log import EventLog
from tests.support.admissions import Desk


@pytest.fixture
def desk(database: Database, log: EventLog) -> Desk:
    """Admission, dispatch, outcomes and cancellation as single steps."""
    return Desk(database, log)
