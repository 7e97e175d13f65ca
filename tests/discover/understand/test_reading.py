"""A whole posting is read at once, every value with its source, fast on any text."""

import time
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from jobsteward.discover.model import Pay, Posting, PostingKey
from jobsteward.discover.understand.evidence import Span
from jobsteward.discover.understand.reading import understand

NOW = datetime(2026, 4, 21, 16, 30, tzinfo=UTC)
POSTING = Posting(
    key=PostingKey("lever", "bridgeworks", "1"),
    url="https://jobs.acme.example/1",
    apply_url="https://jobs.acme.example/1/apply",
    title="Senior Structural Engineer (m/f/d)",
    company="Bridgeworks",
    locations=("Remote - Germany",),
    description=(
        "You will design bridges with our team. Requirements: at least 5 years of experience.\n"
        "Salary: 70.000 € - 85.000 € per year."
    ),
    posted_at="2026-04-20T10:00:00Z",
)


def spans(value: Any) -> list[Span]:
    if isinstance(value, Span):
        return [value]
    if isinstance(value, tuple):
        return [span for entry in value for span in spans(entry)]
    if is_dataclass(value):
        return [span for part in fields(value) for span in spans(getattr(value, part.name))]
    return []


def field_text(posting: Posting, field: str) -> str:
    name, _, at = field.partition(".")
    value = getattr(posting, name)
    return str(value[int(at)] if at else value)


def test_a_posting_is_understood_with_sources() -> None:
    read = understand(POSTING, now=NOW)
    assert (read.title.function, read.title.seniority) == ("engineering", "senior")
    assert read.remote.value == "yes"
    assert read.remote.scope.countries == read.places.countries == ("DE",)
    assert [(p.minimum, p.maximum, p.currency) for p in read.pay] == [(70000, 85000, "EUR")]
    assert read.posted is not None
    assert read.posted.day == "2026-04-20"
    assert (read.requirements.years, read.language.language, read.flags) == (5, "en", ())
    found = spans(read)
    assert {span.field for span in found} >= {"title", "locations.0", "description", "posted_at"}
    for span in found:
        assert field_text(POSTING, span.field)[span.start : span.end] == span.text


def test_structured_pay_is_named_by_its_field() -> None:
    posting = replace(POSTING, pay=(Pay(1.0, 2.0, "EUR", "hour"),))
    assert [pay.span.field for pay in understand(posting, now=NOW).pay] == ["pay.0"]


def test_a_posting_that_says_nothing_stays_unknown() -> None:
    read = understand(
        replace(POSTING, title="Xyzzy", locations=(), description=None, posted_at=None), now=NOW
    )
    assert (read.title.function, read.remote.value, read.pay, read.posted) == (
        None, "unknown", (), None,
    )  # fmt: skip
    assert not read.places.known


@pytest.mark.parametrize(
    "piece",
    ["a ", "1,000 ", "$1 - ", "not a ", "5 years of ", "based in ", "London, ", "is not currently ",
     "between $100k and ", "3 days in the ", "<", "\n", "1", "remote "],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (60_000 // len(piece))
    began = time.process_time()
    understand(
        replace(POSTING, title=text[:500], locations=(text[:500],), description=text), now=NOW
    )
    assert time.process_time() - began < 5
