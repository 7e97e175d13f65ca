"""Reading one board: fetch page by page, hand over in batches, say how it went."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio.to_thread

from jobsteward.discover.model import Board, Posting, SourceOutcome
from jobsteward.discover.pages import (
    NOT_THERE,
    REFUSALS,
    Fetching,
    Page,
    Position,
    Tally,
    fetch,
    later_page,
)
from jobsteward.discover.source import Closed, Detailed, Request, Source
from jobsteward.kernel.errors import (
    HostClosedError,
    NotFoundError,
    SourceUnavailableError,
    TransientNetworkError,
)
from jobsteward.net import Fetched

BATCH = 200


@dataclass(frozen=True, slots=True)
class Batch:
    """Postings to take together. Once they are taken, reading may go on ``then``: None within
    a page, which has to be read again as a whole."""

    postings: tuple[Posting, ...]
    then: Position | None = None


OnBatch = Callable[[Batch], Awaitable[None]]
_START = Position()


async def discover_board(
    outbound: Fetching,
    source: Source,
    board: Board,
    on_batch: OnBatch,
    cancelled: Callable[[], bool] = lambda: False,
    begin: Position = _START,
) -> SourceOutcome:
    """How the board was read, after ``on_batch`` took its postings in batches of up to 200.

    Each page ends with a batch that says where reading goes on; given as ``begin`` another
    time, that is where it does. The outcome counts the earlier pages too.

    A refusal (401, 403, 429, 999) is ``blocked``, never ``empty`` (P044), and so is a board
    that its provider closes to programs or whose host is left alone for now (robots.txt, a
    pause after refusals, the cap of a day): of these nothing is fetched. A board that is not
    there is ``error`` with code board_not_found. Unreadable or missing postings make it
    ``partial``; so does a later page that fails, and it costs no earlier one (P038).
    Between batches and pages ``cancelled`` is asked; a yes ends it ``partial`` with code
    canceled. Raises SourceUnavailableError (5xx, an answer that is no list) and
    TransientNetworkError, both worth a retry, and what `Outbound.fetch` refuses.
    """
    name = f"{board.provider}/{board.key}"
    if isinstance(source, Closed):
        return SourceOutcome(name, "blocked", code=f"closed_by_{source.closed}")
    if cancelled():
        return SourceOutcome(name, "partial", code="canceled")
    tally = Tally.at(begin)
    page: Page | None
    if begin.following is not None:
        page = await later_page(outbound, source, board, begin.following, tally)
    elif begin.ended:
        page = None
    else:
        try:
            request, answer = await _first_answer(outbound, source.list_requests(board))
        except HostClosedError as error:
            return SourceOutcome(name, "blocked", code=error.code)
        if failed := _failed(name, answer):
            return failed
        page = await tally.take(source, board, request, answer.body)
    handed = begin.found
    while page is not None:
        handed += await _hand_over(page, tally, on_batch, cancelled)
        if page.following is None:
            break
        if cancelled():
            tally.code = "canceled"
            break
        page = await later_page(outbound, source, board, page.following, tally)
    return _outcome(name, tally, handed)


def _failed(name: str, answer: Fetched) -> SourceOutcome | None:
    if answer.status in REFUSALS:
        return SourceOutcome(name, "blocked", answer.status, code="blocked")
    if answer.status in NOT_THERE:
        return SourceOutcome(name, "error", answer.status, code="board_not_found")
    if answer.status != 200:
        raise SourceUnavailableError("the board did not give its list; try again later")
    return None


async def read_posting(
    outbound: Fetching, source: Source, board: Board, posting: Posting
) -> Posting:
    """The posting with all that its own answer adds, where its source is `Detailed`.

    Where the list held everything, or the source is closed, the posting as it is. Raises
    NotFoundError where it is gone, SourceUnavailableError where it cannot be read now, and
    what `Outbound.fetch` raises; the posting as listed stays good after each (DIS-9).
    """
    if not isinstance(source, Detailed) or isinstance(source, Closed):
        return posting
    answer = await fetch(outbound, source.detail_request(board, posting))
    if answer.status in NOT_THERE:
        raise NotFoundError("the posting is no longer there; open its page to make sure")
    if answer.status != 200:
        raise SourceUnavailableError("the posting could not be read; try again later")
    return await anyio.to_thread.run_sync(source.parse_detail, board, posting, answer.body)


async def _first_answer(outbound: Fetching, requests: Sequence[Request]) -> tuple[Request, Fetched]:
    *others, last = requests
    for request in others:
        try:
            answer = await fetch(outbound, request)
        except TransientNetworkError:
            continue  # a host of the provider that is not there; the next one decides
        if answer.status not in NOT_THERE:
            return request, answer
    return last, await fetch(outbound, last)


async def _hand_over(
    page: Page, tally: Tally, on_batch: OnBatch, cancelled: Callable[[], bool]
) -> int:
    size = len(page.postings)
    # An empty page in mid-list still moves the place where reading goes on.
    for start in range(0, size or (1 if page.following else 0), BATCH):
        if cancelled():
            return start
        then = tally.position(page.following) if start + BATCH >= size else None
        await on_batch(Batch(page.postings[start : start + BATCH], then))
    return size


def _outcome(name: str, tally: Tally, handed: int) -> SourceOutcome:
    found, broken, total = tally.found, tally.broken, tally.advertised
    code = tally.code
    if handed < found:
        code = "canceled"
    elif code is None and broken:
        code = "broken_postings"
    elif code is None and total is not None and found < total:
        code = "fewer_than_advertised"
    status = tally.http_status
    if code:
        return SourceOutcome(name, "partial", status, handed, broken, total, code)
    return SourceOutcome(name, "ok" if found else "empty", status, found, broken, total)
