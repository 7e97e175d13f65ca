"""From a pasted URL to the board behind it, or to a reason and what to paste instead."""

from collections.abc import Collection
from urllib.parse import parse_qs

from jobsteward.discover.model import Board
from jobsteward.discover.source import Closed, Recognised, Source, belongs
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.sources.jobposting_page import JobPostingPage
from jobsteward.kernel.errors import UnsupportedBoardError
from jobsteward.net.urls import WebUrl, check_url

_ID_PARAMETERS = {"gh_jid": "greenhouse", "ashby_jid": "ashby", "lever_jid": "lever"}
_EXAMPLES = 3
PAGE = "page:"
"""Before a URL: read the postings that the page itself declares, whatever its host."""
_OTHER_PROVIDERS = {
    "icims.com": "iCIMS",
    "taleo.net": "Taleo",
    "successfactors.com": "SuccessFactors",
    "successfactors.eu": "SuccessFactors",
    "oraclecloud.com": "Oracle",
    "jobvite.com": "Jobvite",
    "applytojob.com": "JazzHR",
    "eightfold.ai": "Eightfold",
    "paylocity.com": "Paylocity",
    "linkedin.com": "LinkedIn",
    "indeed.com": "Indeed",
}


def resolve_board(
    text: str, known: Collection[tuple[Board, str]] = ()
) -> tuple[Source, Recognised]:
    """The source and board of a board, posting, embed or API URL.

    ``known`` are (board, posting id) pairs that are already stored: a company's own page
    with ``?gh_jid=`` or ``?ashby_jid=`` is resolved through them (P043). Raises
    UrlInvalidError, UrlBlockedError, and UnsupportedBoardError, which says what was
    recognised and what to paste instead.
    """
    text = text.strip()
    if text[: len(PAGE)].lower() == PAGE:
        page = JobPostingPage()
        return SOURCES[page.name], page.recognise(check_url(text[len(PAGE) :].strip()))
    url = check_url(text)
    for source in SOURCES.values():
        if not source.hosts:
            continue
        found = source.recognise(url)
        if found is not None:
            return source, found
        if belongs(url.host, source.hosts):
            raise UnsupportedBoardError(
                f"this is a {source.name} page that names no company's board;"
                f" paste one like {source.example}"
            )
    return _by_posting_id(url, known)


def _by_posting_id(url: WebUrl, known: Collection[tuple[Board, str]]) -> tuple[Source, Recognised]:
    for parameter, values in parse_qs(url.query).items():
        source = SOURCES.get(_ID_PARAMETERS.get(parameter, ""))
        if source is None:
            continue
        for board, posting_id in known:
            if board.provider == source.name and posting_id == values[0]:
                return source, Recognised(board, posting_id)
        raise UnsupportedBoardError(
            f"this company page shows a {source.name} posting, but not which board it is on;"
            f" paste the board's own URL, like {source.example}"
        )
    raise UnsupportedBoardError(_unsupported(url.host))


def _unsupported(host: str) -> str:
    readable = [source for source in SOURCES.values() if not isinstance(source, Closed)]
    examples = ", ".join(source.example for source in readable[:_EXAMPLES])
    names = ", ".join(source.name for source in readable[_EXAMPLES:])
    examples += f" (or of {names})" if names else ""
    for suffix, provider in _OTHER_PROVIDERS.items():
        if host == suffix or host.endswith("." + suffix):
            return f"{provider} boards cannot be read yet; boards like these can: {examples}"
    return f"no job board was recognised in this URL; paste one like these: {examples}"
