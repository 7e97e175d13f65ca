"""Kill -9 at each step of DIS-6: no posting is lost, none is stored or counted twice."""

import os
from pathlib import Path

import pytest

from jobsteward.settings import Settings
from tests.chaos.discovery_rounds import PLACES, run_rounds

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

whole = pytest.mark.skipif(
    "JOBSTEWARD_PROVE" not in os.environ, reason="takes a quarter of an hour: make prove"
)


@pytest.mark.timeout(300)
async def test_a_few_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    """chaos.discovery."""
    found = await run_rounds(tmp_path / "home", kills=3, seed=7)
    assert found.violations == []


@whole
@pytest.mark.timeout(3600)
async def test_a_hundred_kills_lose_and_double_nothing(tmp_path: Path, settings: Settings) -> None:
    """chaos.discovery, on the database that ``--store`` names."""
    found = await run_rounds(tmp_path / "rounds", 100, seed=1, database_url=settings.database_url)
    assert found.violations == []
    assert set(found.kills) == set(PLACES)
