"""Numbers with their units, in the notations of several countries (MAT-4)."""

import pytest

from jobsteward.profile.numbers import read_quantities, read_rates


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,200 GB", 1.2e12, "bytes"),
        ("1.2 TB", 1.2e12, "bytes"),
        ("0.42 s", 0.42, "time"),
        ("420 ms", 0.42, "time"),
        ("90 minutes", 5400, "time"),
        ("two years", 24, "months"),
        ("$1.4M", 1.4e6, "USD"),
        ("£48 million", 4.8e7, "GBP"),
        ("250k euros", 2.5e5, "EUR"),
        ("4,2 %", 4.2, "percent"),
        ("6 percentage points", 6, "points"),
        ("30 Prozent", 30, "percent"),
        ("1 500 products", 1500, ""),
        ("120.000 users", 120000, ""),
        ("thirty-six rangers", 36, ""),
        ("70k scooters", 70000, ""),
        ("a dozen mills", 12, ""),
    ],
)
def test_one_amount_in_any_notation(text: str, value: float, unit: str) -> None:
    (quantity,) = read_quantities(text)
    assert value in quantity.values and quantity.unit == unit


def test_a_unit_belongs_to_both_ends_of_a_range() -> None:
    low, high = read_quantities("from 4,2 auf 1,9 Prozent")
    assert (low.unit, high.unit) == ("percent", "percent")
    ten, six = read_quantities("from ten to six hours")
    assert (ten.values, six.values) == ((36000,), (21600,))


def test_the_sides_of_a_change_are_told_apart() -> None:
    assert [one.side for one in read_quantities("cut from 420 ms to 60 ms")] == ["from", "to"]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("up to 18%", "most"),
        ("over 90 bugs", "least"),
        ("about 5", "about"),
        ("50+ users", "least"),
    ],
)
def test_bounds(text: str, bound: str) -> None:
    assert read_quantities(text)[0].bound == bound


@pytest.mark.parametrize("text", ["in 2019", "p99", "S/4HANA", "C1", "since 2022", "one mill"])
def test_what_is_no_amount(text: str) -> None:
    assert read_quantities(text) == ()


@pytest.mark.parametrize("text", ["every week", "weekly", "a week", "per week", "pro Woche"])
def test_rates_in_any_words(text: str) -> None:
    assert [rate.period for rate in read_rates(text)] == ["week"]
