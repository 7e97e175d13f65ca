"""The gate's figures on its labelled set (gate.false_pass, gate.false_block)."""

from collections import Counter

import pytest

from benchmarks.gate import HALVES, gate, verdicts

KINDS = {
    "skill", "number", "date", "title", "employer", "degree", "seniority", "scope", "tense",
    "merged", "negation", "unit", "other_language", "certificate", "posting",
}  # fmt: skip


def test_the_set_has_every_kind_of_invention_and_as_many_truths() -> None:
    rows = [row for row, _ in verdicts()]
    assert len(rows) >= 400 and len({row.id for row in rows}) == len(rows)
    assert {row.kind for row in rows if not row.true} >= KINDS
    assert 0.4 <= sum(row.true for row in rows) / len(rows) <= 0.6
    assert Counter(row.half for row in rows).keys() == set(HALVES)


@pytest.mark.anyio
async def test_the_bars_are_kept() -> None:
    figures = (await gate()).figures
    assert figures["gate.false_pass"] <= 0.5
    assert figures["gate.false_block"] <= 2.0
