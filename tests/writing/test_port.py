"""The key of preparation work (WID-2)."""

import pytest

from jobsteward.writing.port import preparation_key

GIVEN = ("acme", "job_1", "tailor", 3, "evt_9")


def test_the_key_is_a_sha256_and_the_same_again() -> None:
    key = preparation_key(*GIVEN)
    assert key == preparation_key(*GIVEN) and len(key) == 64


@pytest.mark.parametrize("place", range(5))
def test_changing_any_one_changes_the_key(place: int) -> None:
    changed: list[object] = list(GIVEN)
    changed[place] = 4 if place == 3 else f"{changed[place]}x"
    assert preparation_key(*changed) != preparation_key(*GIVEN)  # type: ignore[arg-type]


def test_no_two_pairs_run_together() -> None:
    one = preparation_key("ab", "c", "score", 1, "e")
    assert one != preparation_key("a", "bc", "score", 1, "e")
