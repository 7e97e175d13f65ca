"""Kill -9 at every failpoint and of every process, under load: the invariants hold."""

import os
import sys
from pathlib import Path

import pytest

from jobsteward.settings import Settings
from tests.chaos.storm import FULL, REST_WITHIN, SLICE, Goals, storm

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds its victims in /proc"),
]

whole = pytest.mark.skipif(
    "JOBSTEWARD_PROVE" not in os.environ, reason="takes a quarter of an hour: make prove"
)


@pytest.mark.timeout(500)
async def test_a_minute_of_kills_breaks_nothing(tmp_path: Path) -> None:
    """chaos.*, F01, F03, F09, F12: I1-I6, I11-I13 hold, and all ends within 30 s."""
    await _hold(tmp_path / "home", SLICE, None)


@whole
@pytest.mark.timeout(3600)
async def test_a_whole_storm_breaks_nothing(tmp_path: Path, settings: Settings) -> None:
    """The same at full length, on the database that ``--store`` names."""
    await _hold(tmp_path / "storm", FULL, settings.database_url)


async def _hold(home: Path, goals: Goals, database_url: str | None) -> None:
    stormed = await storm(home, goals, seed=1, database_url=database_url)
    print(stormed)
    assert stormed.reached(goals), f"not a storm: {stormed}"
    assert stormed.violations == [], str(stormed)
    assert stormed.open_at_rest == 0, str(stormed)
    assert stormed.rest <= REST_WITHIN
