"""Kill -9 at every failpoint and of every process, under load: the invariants hold."""

import sys
from pathlib import Path

import pytest

from tests.chaos.storm import REST_WITHIN, Goals, storm

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="finds its victims in /proc"),
]

SLICE = Goals(kills=25, at_each_failpoint=1, acknowledged=200, at_most=150)
"""What a storm of about a minute reaches."""


@pytest.mark.timeout(400)
async def test_a_minute_of_kills_breaks_nothing(tmp_path: Path) -> None:
    """chaos.*, F01, F03, F09, F12: I1-I6, I11-I13 hold, and all ends within 30 s."""
    stormed = await storm(tmp_path / "home", SLICE, seed=1)
    print(stormed)
    assert stormed.reached(SLICE), str(stormed)
    assert stormed.violations == [], str(stormed)
    assert stormed.open_at_rest == 0, str(stormed)
    assert stormed.rest <= REST_WITHIN
