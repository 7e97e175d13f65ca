"""Dates as exactly as they are written."""

import pytest

from jobsteward.writing.dates import read_dates


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("March 2020", "2020-03"),
        ("03/2020", "2020-03"),
        ("2020-03-09", "2020-03-09"),
        ("septembre 2019", "2019-09"),
        ("seit Oktober 2020", "2020-10"),
        ("in 2018", "2018"),
    ],
)
def test_every_way_to_write_a_date(text: str, date: str) -> None:
    assert [dated.date.text for dated in read_dates(text)] == [date]


@pytest.mark.parametrize("text", ["2,000 users", "$2000", "2000%", "2000+ users", "R2020b"])
def test_amounts_are_no_dates(text: str) -> None:
    assert read_dates(text) == ()


def test_since_is_kept() -> None:
    assert [dated.since for dated in read_dates("since 2019, in 2020")] == [True, False]
