"""Requirements: must or nice with their spans, and years that are really asked for."""

import pytest

from jobsteward.discover.understand.requirements import read_requirements

POSTING = """We build bridges for small towns and have done so for 20 years.

## What you'll do

- Design footbridges
- Talk to mayors

## Requirements

- 5+ years of experience in structural design
- Fluent English; French is a plus

## Nice to have

- Experience with timber
"""


def test_headings_and_words_split_must_from_nice() -> None:
    read = read_requirements(POSTING)
    assert [item.text for item in read.must] == [
        "5+ years of experience in structural design",
        "Fluent English;",
    ]
    assert [item.text for item in read.nice] == ["French is a plus", "Experience with timber"]
    for item in read.items:
        assert POSTING[item.span.start : item.span.end] == item.text
    assert read.years == 5


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Minimum of 3 years' experience", 3),
        ("At least two years of professional experience", 2),
        ("We require 3-5 years of experience in design, ideally in rail.", 3),
        ("A minimum of five (5) years of progressive experience", 5),
        ("Mindestens 3 Jahre Berufserfahrung", 3),
        ("3 ans d'expérience minimum", 3),
        ("実務経験3年以上が必要です。", 3),
        ("Typically requires 6+ years of experience.", 6),
        ("Preferred: 10 years of experience in rail. Required: 4 years of experience.", 4),
        ("We have been growing for 20 years", None),
        ("Founded in 2009, we have enjoyed 15 years of steady growth", None),
        ("This role requires a four-year bachelor's degree", None),
        ("Must be at least 18 years of age", None),
        ("vesting over 4 years", None),
        ("2 years of experience in sales is a plus", None),
        ("No experience necessary", None),
        ("", None),
    ],
)
def test_years_of_experience(text: str, years: float | None) -> None:
    assert read_requirements(text).years == years
