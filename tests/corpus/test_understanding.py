"""Labelled tables reach their bars, and every real posting is read with exact spans.

Needs the corpus folder beside the checkout, or at JOBSTEWARD_CORPUS.
"""

import os
import random
from collections import Counter
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.discovery_quality import discovery_quality
from jobsteward.discover.model import Board, Posting
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.understand.evidence import Span
from jobsteward.discover.understand.reading import understand
from jobsteward.kernel.errors import SourceUnavailableError

CORPUS = Path(os.environ.get("JOBSTEWARD_CORPUS") or Path(__file__).parents[2] / "../shared/data")
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
PROVIDERS = ("ashby", "greenhouse", "lever")

if not (CORPUS / "E_labels").is_dir():
    pytest.skip("the labelled tables are absent; set JOBSTEWARD_CORPUS", allow_module_level=True)


def postings() -> list[Posting]:
    found: list[Posting] = []
    for provider in PROVIDERS:
        for path in sorted((CORPUS / "A_boards" / provider).glob("*.json")):
            try:
                board = SOURCES[provider].parse(Board(provider, "acme"), path.read_bytes())
            except SourceUnavailableError:
                continue  # a single posting's answer, not a list
            found += board.postings
    return found


def spans(value: Any) -> list[Span]:
    if isinstance(value, Span):
        return [value]
    if isinstance(value, tuple):
        return [span for entry in value for span in spans(entry)]
    if is_dataclass(value):
        return [span for part in fields(value) for span in spans(getattr(value, part.name))]
    return []


@pytest.mark.anyio
async def test_the_tables_reach_their_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    """quality.location, .remote, .pay, .title and their precisions."""
    monkeypatch.setenv("JOBSTEWARD_CORPUS", str(CORPUS))
    figures = (await discovery_quality()).figures
    for bar in ("location", "remote", "pay", "title"):
        assert figures[f"quality.{bar}"] >= 0.97
        assert figures[f"quality.{bar}_precision"] >= 0.99


def test_every_value_of_a_real_posting_stands_where_it_says() -> None:
    read = Counter[str]()
    for posting in postings():
        for span in spans(understand(posting, now=NOW)):
            name, _, at = span.field.partition(".")
            value = getattr(posting, name)
            text = value[int(at)] if at and name == "locations" else value
            if name != "pay":
                assert text[span.start : span.end] == span.text
            read[name] += 1
    assert {"title", "locations", "description"} <= set(read)


def test_damaged_texts_are_read_without_an_error() -> None:
    chance = random.Random(7)
    for posting in postings()[:40]:
        text = list(posting.description or "x")
        for _ in range(len(text) // 20):
            text[chance.randrange(len(text))] = chance.choice("$-,./\n 0123kKM\u2011\u0301€年")
        title, place = list(posting.title), list(" ".join(posting.locations) or "x")
        chance.shuffle(title)
        chance.shuffle(place)
        damaged = replace(
            posting,
            title="".join(title),
            locations=("".join(place),),
            description="".join(text),
        )
        understand(damaged, now=NOW)
