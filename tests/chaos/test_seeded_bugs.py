"""The checker is silent on the product and catches every bug that is put in on purpose."""

import time

import pytest

from jobsteward.settings import Settings
from tests.chaos.mutants import MUTANTS
from tests.chaos.rehearsal import rehearse
from tests.support.api import open_api
from tests.support.probe import PROBE

pytestmark = pytest.mark.anyio

ROUND = 1.5
CAUGHT_WITHIN = 30.0


@pytest.fixture
def sqlite_settings(home: object, sqlite_url: str, request: pytest.FixtureRequest) -> Settings:
    """The mutants spoil the product on SQLite; the checker is the same on both databases."""
    return Settings(home=request.getfixturevalue("home"), port=0)


async def test_the_product_breaks_nothing(sqlite_settings: Settings) -> None:
    """I1-I6, I11, I13 over a storm that did reach what it is meant to reach."""
    async with open_api(sqlite_settings, PROBE) as api:
        rehearsed = await rehearse(api, seconds=2 * ROUND)
    history = rehearsed.history
    assert rehearsed.violations == []
    assert len(history.accepted) > 60
    assert len(history.refused) > 5
    assert {cancel.outcome for cancel in history.cancels} >= {"cancel_requested"}
    assert {told.status for told in history.told} & {"succeeded", "canceled"}
    assert {tenant for tenant, _ in history.shown} == {"local", "harbour"}


@pytest.mark.parametrize("name", MUTANTS)
async def test_a_seeded_bug_is_caught(
    name: str, sqlite_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS: the checker itself is proved on seeded bugs, each caught by its own invariant."""
    spoil, expected = MUTANTS[name]
    deadline = time.monotonic() + CAUGHT_WITHIN
    seed = 0
    async with open_api(sqlite_settings, PROBE) as api:
        await spoil(monkeypatch, api)
        while True:
            seed += 1
            rehearsed = await rehearse(api, ROUND, seed)
            found = {violation.invariant for violation in rehearsed.violations}
            if found & expected:
                return
            assert time.monotonic() < deadline, f"{name} was not caught; found {found}"
