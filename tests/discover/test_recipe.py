"""The source in docs/add-a-source.md is one that works, on the answer shown there."""

import re
import types
from pathlib import Path

from jobsteward.discover.model import Board, Broken, Pay
from jobsteward.discover.source import Closed, Detailed, Paged, Source
from jobsteward.net.urls import check_url

PAGE = (Path(__file__).parents[2] / "docs" / "add-a-source.md").read_text()
BOARD = Board("quaybird", "harbour")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1
    return str(found[0])


def recipe() -> Source:
    module = types.ModuleType("quaybird")
    exec(compile(block("python"), "docs/add-a-source.md", "exec"), module.__dict__)
    source: Source = module.__dict__["Quaybird"]()
    return source


def test_dis4_the_recipe_reads_its_answer() -> None:
    parsed = recipe().parse(BOARD, block("json").encode())
    (found,) = parsed.postings
    assert (found.title, found.locations, found.remote) == (
        "Crane Operator",
        ("Gdynia, Poland",),
        "no",
    )
    assert found.pay == (Pay(52000, 61000, "PLN", "year"),)
    assert (found.description, found.posted_at) == (
        "Lift **carefully**.",
        "2026-09-01T06:00:00.000000Z",
    )
    assert (parsed.broken, parsed.advertised) == ((Broken(1, "no_title"),), 2)


def test_the_recipe_recognises_its_urls_and_ends_its_list() -> None:
    source = recipe()
    recognised = source.recognise(check_url("https://jobs.quaybird.example/harbour/q-17"))
    assert recognised is not None
    assert (recognised.board, recognised.posting_id) == (BOARD, "q-17")
    assert isinstance(source, Paged)
    assert not isinstance(source, Detailed) and not isinstance(source, Closed)
    first = source.list_requests(BOARD)[0]
    assert source.next_request(BOARD, first, source.parse(BOARD, block("json").encode())) is None


def test_every_file_that_the_recipe_points_to_exists() -> None:
    sources = Path(__file__).parents[2] / "src/jobsteward/discover/sources"
    named = re.findall(r"\| `(\w+\.py)` \|$", PAGE, re.MULTILINE)
    assert len(named) >= 6
    assert all((sources / name).is_file() for name in named)
