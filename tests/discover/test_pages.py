"""Lists of many pages: where they end, and what a failure in the middle costs (P038, P040)."""

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from jobsteward.discover.model import Board, Posting, SourceOutcome
from jobsteward.discover.service import Batch, discover_board, read_posting
from jobsteward.discover.source import Detailed
from jobsteward.discover.sources import SOURCES
from jobsteward.kernel.errors import (
    FetchTimeoutError,
    JobstewardError,
    NotFoundError,
    ResponseTooLargeError,
    SourceUnavailableError,
)
from jobsteward.net import Fetched, Outbound
from tests.discover.boards import BOARDS, SHAPES

pytestmark = pytest.mark.anyio

WORKDAY = BOARDS["workday"]
Answer = tuple[int, Any] | JobstewardError


class Scripted(Outbound):
    """Answers from a script instead of the network; remembers what was asked."""

    def __init__(self, answer: Callable[[int], Answer]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, Any]] = []

    async def fetch(self, url: str, *, body: bytes | None = None, **more: Any) -> Fetched:
        asked = json.loads(body) if body else None
        self.asked.append((url, asked))
        answer = self.answer(asked["offset"] if asked else 0)
        if isinstance(answer, JobstewardError):
            raise answer
        status, value = answer
        payload = value if isinstance(value, bytes) else json.dumps(value).encode()
        return Fetched(status, url, {}, payload)


def rows(start: int, stop: int) -> list[Any]:
    return [SHAPES["workday"].row(f"R-{number}", "Any") for number in range(start, stop)]


def site(size: int, total: int | None = None, limit: int = 10**9) -> Callable[[int], Answer]:
    """A site of that size; from ``limit`` on, it starts again. Later pages name no total."""

    def answer(offset: int) -> Answer:
        start = 0 if offset >= limit else offset
        page = rows(start, min(start + 20, size))
        named = (size if total is None else total) if offset == 0 else 0
        return 200, {"total": named, "jobPostings": page}

    return answer


def failing(whole: Callable[[int], Answer], at: int, failure: Answer) -> Callable[[int], Answer]:
    return lambda offset: failure if offset >= at else whole(offset)


async def discover(
    outbound: Scripted, board: Board = WORKDAY, stop_after: int | None = None
) -> tuple[SourceOutcome, list[str]]:
    ids: list[str] = []
    batches = 0

    async def take(batch: Batch) -> None:
        nonlocal batches
        batches += 1
        ids.extend(posting.key.posting_id for posting in batch.postings)

    def cancelled() -> bool:
        return stop_after is not None and batches >= stop_after

    with anyio.fail_after(30):
        source = SOURCES[board.provider]
        outcome = await discover_board(outbound, source, board, take, cancelled)
    assert len(ids) == len(set(ids)), "a posting was handed over twice"
    return outcome, ids


@pytest.mark.parametrize("size", [0, 1, 19, 20, 21, 40, 61])
async def test_every_page_is_read_once(size: int) -> None:
    outbound = Scripted(site(size))
    outcome, ids = await discover(outbound)
    assert ids == [f"R-{number}" for number in range(size)]
    assert (outcome.status, outcome.found) == ("ok" if size else "empty", size)
    assert outcome.advertised == size, "later pages say 0"
    assert len(outbound.asked) == max(1, -(-size // 20))


async def test_p038_a_list_that_starts_again_is_partial_and_keeps_its_pages() -> None:
    outbound = Scripted(site(2500, total=2000, limit=2000))
    outcome, ids = await discover(outbound)
    assert (outcome.status, outcome.code) == ("partial", "list_repeats")
    assert (len(ids), outcome.advertised, len(outbound.asked)) == (2000, 2000, 101)


async def test_p040_a_site_that_takes_offsets_past_its_ceiling_is_read_whole() -> None:
    outcome, ids = await discover(Scripted(site(2437, total=2000)))
    assert (outcome.status, len(ids)) == ("ok", 2437)


async def test_p040_a_list_that_ends_early_is_partial_with_both_numbers() -> None:
    outcome, _ = await discover(Scripted(site(47, total=60)))
    assert (outcome.status, outcome.code) == ("partial", "fewer_than_advertised")
    assert (outcome.found, outcome.advertised) == (47, 60)


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        ((429, b""), 429, "blocked"),
        ((403, b""), 403, "blocked"),
        ((503, b""), 503, "source_unavailable"),
        ((404, b""), 404, "source_unavailable"),
        ((302, b""), 302, "source_unavailable"),
        ((200, b"<html>wait</html>"), 200, "source_unavailable"),
        (FetchTimeoutError("slow"), 200, "fetch_timeout"),
        (ResponseTooLargeError("large"), 200, "response_too_large"),
    ],
)
async def test_p038_a_failing_page_costs_no_earlier_one(
    failure: Answer, status: int, code: str
) -> None:
    outcome, ids = await discover(Scripted(failing(site(100), 40, failure)))
    assert (outcome.status, outcome.http_status, outcome.code) == ("partial", status, code)
    assert (len(ids), outcome.found, outcome.advertised) == (40, 40, 100)


async def test_a_failing_first_page_is_the_boards_own_failure() -> None:
    outcome, _ = await discover(Scripted(lambda offset: (403, b"")))
    assert outcome.status == "blocked"
    with pytest.raises(SourceUnavailableError):
        await discover(Scripted(lambda offset: (503, b"")))


async def test_postings_that_moved_to_the_next_page_count_once() -> None:
    def shifting(offset: int) -> Answer:
        start = max(0, offset - 1)  # one was added at the top after the first page
        return 200, {"total": 50, "jobPostings": rows(start, min(start + 20, 50))}

    outcome, ids = await discover(Scripted(shifting))
    assert (outcome.status, len(ids)) == ("ok", 50)


async def test_an_endless_list_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobsteward.discover.pages.MOST_PAGES", 7)
    outcome, _ = await discover(
        Scripted(lambda offset: (200, {"jobPostings": rows(offset, offset + 20), "total": 2000}))
    )
    assert (outcome.code, outcome.found) == ("too_many_pages", 140)


async def test_pages_are_not_fetched_after_a_cancel() -> None:
    outbound = Scripted(site(100))
    outcome, ids = await discover(outbound, stop_after=2)
    assert (outcome.status, outcome.code, outcome.found) == ("partial", "canceled", 40)
    assert len(ids) == 40 and len(outbound.asked) == 2


@pytest.mark.parametrize(
    ("provider", "code"),
    [
        ("smartrecruiters", "closed_by_robots"),
        ("bamboohr", "closed_by_terms"),
        ("breezy", "closed_by_terms"),
    ],
)
async def test_dis11_a_closed_source_says_so_and_asks_nothing(provider: str, code: str) -> None:
    outbound = Scripted(lambda offset: (200, []))
    board = BOARDS[provider]
    outcome, _ = await discover(outbound, board)
    assert outcome == SourceOutcome(f"{provider}/acme", "blocked", code=code)
    if isinstance(SOURCES[provider], Detailed):
        listed = listed_posting(provider)
        assert await read_posting(outbound, SOURCES[provider], board, listed) is listed
    assert outbound.asked == []


def listed_posting(provider: str) -> Posting:
    shape = SHAPES[provider]
    return SOURCES[provider].parse(shape.board, shape.payload([shape.item()])).postings[0]


@pytest.mark.parametrize("provider", ["workday", "rippling"])
async def test_a_detail_is_read_from_the_postings_own_answer(provider: str) -> None:
    shape, source = SHAPES[provider], SOURCES[provider]
    outbound = Scripted(lambda offset: (200, shape.detail))
    listed = listed_posting(provider)
    found = await read_posting(outbound, source, shape.board, listed)
    assert found.description and found.key == listed.key
    assert len(outbound.asked) == 1


@pytest.mark.parametrize(
    ("status", "error"), [(404, NotFoundError), (410, NotFoundError), (403, SourceUnavailableError),
                          (500, SourceUnavailableError)]
)  # fmt: skip
async def test_dis9_a_failing_detail_is_an_error_not_an_empty_text(
    status: int, error: type[JobstewardError]
) -> None:
    outbound = Scripted(lambda offset: (status, b""))
    with pytest.raises(error):
        await read_posting(outbound, SOURCES["workday"], WORKDAY, listed_posting("workday"))


async def test_lists_that_hold_everything_need_no_detail() -> None:
    outbound = Scripted(lambda offset: (200, b""))
    listed = listed_posting("lever")
    assert await read_posting(outbound, SOURCES["lever"], BOARDS["lever"], listed) is listed
    assert outbound.asked == []
