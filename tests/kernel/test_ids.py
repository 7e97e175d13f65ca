"""Ids that nobody can guess and derived ids that nobody can make collide (WID-1)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from jobsteward.kernel.ids import id_part, new_execution_id, new_token_id

_PARTS = st.text(alphabet=st.sampled_from("aB0-_.~%/ é日\x00"), max_size=6) | st.text(max_size=20)


@given(st.lists(_PARTS, min_size=1, max_size=4), st.lists(_PARTS, min_size=1, max_size=4))
def test_joined_parts_never_collide(left: list[str], right: list[str]) -> None:
    """WID-1: two different lists of parts never give one workflow id."""
    joined = ["-".join(map(id_part, parts)) for parts in (left, right)]
    assert (joined[0] == joined[1]) == (left == right)


@given(_PARTS)
def test_a_part_holds_no_separator(text: str) -> None:
    """WID-1: a part is letters, digits, ``_``, ``.`` and percent escapes."""
    assert re.fullmatch(r"([A-Za-z0-9_.]|%[0-9A-F]{2})*", id_part(text))


def test_a_tenant_cannot_pose_as_another() -> None:
    """WID-1: ``a`` with key ``b-c`` and ``a-b`` with key ``c`` are two ids."""
    assert f"apply-{id_part('a')}-{id_part('b-c')}" != f"apply-{id_part('a-b')}-{id_part('c')}"


def test_receipts_are_random_and_recognised() -> None:
    """ADM-2: 128 bits; the form tells a receipt from a run id."""
    receipts = {new_execution_id() for _ in range(1000)}
    assert len(receipts) == 1000
    assert all(re.fullmatch(r"exe_[0-9a-f]{32}", receipt) for receipt in receipts)


def test_token_ids_are_random() -> None:
    """A token's public id says nothing about its secret."""
    assert len({new_token_id() for _ in range(1000)}) == 1000
