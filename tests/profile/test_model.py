"""A profile's dates and ids: as exact as stated, stable under edits elsewhere (MAT-1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsteward.profile.model import Fact, PartialDate, Period, Position, Study

TODAY = PartialDate(2026, 11, 30)


@pytest.mark.parametrize("text", ["2021", "2021-04", "2021-04-30"])
def test_a_date_keeps_its_precision(text: str) -> None:
    assert PartialDate.parse(text).text == text


def test_precision_is_named() -> None:
    dates = PartialDate(2021), PartialDate(2021, 4), PartialDate(2021, 4, 30)
    assert [date.precision for date in dates] == ["year", "month", "day"]


@pytest.mark.parametrize("text", ["", "21/04", "2021-13", "2021-00-05", "2021-04-05-06", "today"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="date"):
        PartialDate.parse(text)


@given(st.integers(1, 9999), st.integers(0, 12), st.integers(0, 31))
def test_dates_round_trip(year: int, month: int, day: int) -> None:
    date = PartialDate(year, month, day if month else 0)
    assert PartialDate.parse(date.text) == date


def test_dates_agree_as_far_as_both_are_stated() -> None:
    assert PartialDate(2021).agrees_with(PartialDate(2021, 4))
    assert not PartialDate(2021, 5).agrees_with(PartialDate(2021, 4))


@pytest.mark.parametrize(
    ("period", "doubts"),
    [
        (Period(PartialDate(2021), PartialDate(2021, 4)), ()),
        (Period(PartialDate(2022), PartialDate(2021)), ("end_before_start",)),
        (Period(PartialDate(2027), None, current=True), ("in_the_future",)),
        (Period(PartialDate(1899), PartialDate(1901)), ("too_long_ago",)),
        (Period(), ()),
    ],
)
def test_implausible_dates_are_flagged(period: Period, doubts: tuple[str, ...]) -> None:
    assert period.doubts(TODAY) == doubts


def test_bare_years_count_for_the_least_that_they_can_mean() -> None:
    first, after = Period(PartialDate(2018), PartialDate(2020)).months(TODAY) or (0, 0)
    assert after - first == 14
    assert Period(PartialDate(2018)).months(TODAY) is None


def test_a_fact_has_the_same_id_wherever_it_stands() -> None:
    one, other = (
        Fact("bullet", "Built a mill.", "entry_1"),
        Fact("bullet", "Built a  mill. ", "entry_1"),
    )
    assert one.id == other.id and one.id.startswith("fact_")
    assert one.id != Fact("bullet", "Built a mill.", "entry_2").id
    assert one.id != Fact("summary", "Built a mill.", "entry_1").id


def test_an_entry_keeps_its_id_when_it_ends() -> None:
    going = Position("Acme Mills", "Miller", Period(PartialDate(2020), current=True))
    ended = Position("ACME  Mills", "Miller", Period(PartialDate(2020), PartialDate(2024)))
    again = Position("Acme Mills", "Miller", Period(PartialDate(2025), current=True))
    assert going.entry_id == ended.entry_id != again.entry_id


def test_entries_of_different_kinds_never_share_an_id() -> None:
    assert Position("Acme", "").entry_id != Study("Acme").entry_id
