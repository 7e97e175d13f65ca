"""Reading one board: fetch, parse off the event loop, hand over in batches, say how it went."""

from collections.abc import Awaitable, Callable, Sequence

import anyio.to_thread

from jobsteward.discover.model import Board, ParsedBoard, Posting, SourceOutcome
from jobsteward.discover.source import Source
from jobsteward.kernel.errors import SourceUnavailableError, TransientNetworkError
from jobsteward.net import Fetched, Outbound

BATCH = 200
BOARD_BYTES = 64 * 1024 * 1024
"""Cap of a list answer: boards of over 2,000 postings with their texts pass 40 MB."""
BOARD_DEADLINE = 120.0

_REFUSALS = frozenset({401, 403, 429, 999})
_NOT_THERE = frozenset({404, 410})

OnBatch = Callable[[list[Posting]], Awaitable[None]]


async def discover_board(
    outbound: Outbound,
    source: Source,
    board: Board,
    on_batch: OnBatch,
    cancelled: Callable[[], bool] = lambda: False,
) -> SourceOutcome:
    """How the board was read, after ``on_batch`` took its postings in batches of up to 200.

    A refusal (401, 403, 429, 999) is ``blocked``, never ``empty`` (P044); a board that is
    not there is ``error`` with code board_not_found; unreadable or missing postings make
    it ``partial``. Between batches ``cancelled`` is asked, and a yes ends it ``partial``
    with code canceled. Raises SourceUnavailableError (5xx, an answer that is no list) and
    TransientNetworkError, both worth a retry, and what `Outbound.fetch` refuses.
    """
    name = f"{board.provider}/{board.key}"
    if cancelled():
        return SourceOutcome(name, "partial", code="canceled")
    answer = await _fetch_list(outbound, source.list_urls(board))
    if answer.status in _REFUSALS:
        return SourceOutcome(name, "blocked", answer.status, code="blocked")
    if answer.status in _NOT_THERE:
        return SourceOutcome(name, "error", answer.status, code="board_not_found")
    if answer.status != 200:
        raise SourceUnavailableError("the board did not give its list; try again later")
    parsed = await anyio.to_thread.run_sync(source.parse, board, answer.body)
    handed = await _hand_over(parsed.postings, on_batch, cancelled)
    return _outcome(name, parsed, handed)


async def _fetch_list(outbound: Outbound, urls: Sequence[str]) -> Fetched:
    *others, last = urls
    for url in others:
        try:
            answer = await _fetch(outbound, url)
        except TransientNetworkError:
            continue  # a host of the provider that is not there; the next one decides
        if answer.status not in _NOT_THERE:
            return answer
    return await _fetch(outbound, last)


async def _fetch(outbound: Outbound, url: str) -> Fetched:
    return await outbound.fetch(
        url, accept="application/json", max_bytes=BOARD_BYTES, deadline=BOARD_DEADLINE
    )


async def _hand_over(
    postings: Sequence[Posting], on_batch: OnBatch, cancelled: Callable[[], bool]
) -> int:
    for start in range(0, len(postings), BATCH):
        if cancelled():
            return start
        await on_batch(list(postings[start : start + BATCH]))
    return len(postings)


def _outcome(name: str, parsed: ParsedBoard, handed: int) -> SourceOutcome:
    found, broken = len(parsed.postings), len(parsed.broken)
    total = parsed.advertised
    code = None
    if handed < found:
        code = "canceled"
    elif broken:
        code = "broken_postings"
    elif total is not None and found < total:
        code = "fewer_than_advertised"
    if code:
        return SourceOutcome(name, "partial", 200, handed, broken, total, code)
    return SourceOutcome(name, "ok" if found else "empty", 200, found, broken, total)
