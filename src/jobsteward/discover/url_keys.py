"""Which opening a URL names: the provider's own id, also of providers that are not read here."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, unquote

from jobsteward.discover.model import PostingKey
from jobsteward.discover.resolve import resolve_board
from jobsteward.kernel.errors import InvalidInputError, UrlBlockedError
from jobsteward.net.urls import WebUrl, check_url

AGGREGATORS = frozenset(
    {
        "adzuna", "arbeitnow", "glassdoor", "hackernews", "himalayas", "indeed", "linkedin",
        "remoteok", "remotive", "weworkremotely",
    }
)  # fmt: skip
"""Providers that repeat other sites' postings: their ids and URLs are hints only (P024)."""

_WITHOUT_BOARD = {"gh_jid": "greenhouse", "ashby_jid": "ashby", "lever_jid": "lever"}
_BREAKS = re.compile(r"[\t\r\n]")


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A posting's id in the path, or in a parameter of the query where ``parameter`` is set.

    The board is the host, or what the host's pattern captures.
    """

    provider: str
    host: re.Pattern[str]
    path: re.Pattern[str]
    parameter: str = ""


def _pattern(provider: str, host: str, path: str, parameter: str = "") -> _Pattern:
    return _Pattern(provider, re.compile(host), re.compile(path), parameter)


_ANY_CAREERS = r"(?:careers?|jobs?|apply|explore|work)[.-].+|.+\.(?:careers|jobs)(?:\..+)?"
_PATTERNS = (
    _pattern("amazon", r"(?:www\.)?amazon\.jobs", r"/jobs/(\d+)(?:/|$)"),
    _pattern("oraclehcm", r".+\.oraclecloud\.com", r"/sites/[^/]+/(?:requisitions/)?job/(\d+)"),
    _pattern("google", r"(?:www|careers)\.google\.com", r"/jobs/results/(\d+)"),
    _pattern("apple", r"jobs\.apple\.com", r"/details/(\d+(?:-\d+)?)"),
    _pattern("goldman", r"higher\.gs\.com", r"/roles/(\d+)"),
    _pattern("icims", r"(?:careers?|jobs?)?[.-]?([^.]+(?:-[^.]+)*)\.icims\.com", r"/jobs/(\d+)"),
    _pattern("taleo", r"(.+)\.taleo\.net", r"/jobdetail\.ftl", "job"),
    _pattern("jobvite", r"jobs\.jobvite\.com", r"/job/(\w+)"),
    _pattern("jazzhr", r"([^.]+)\.applytojob\.com", r"/apply/(?:jobs/details/)?(\w{6,})"),
    _pattern("paylocity", r"recruiting\.paylocity\.com", r"/jobs/details/(\d+)"),
    _pattern("linkedin", r"(?:[a-z]+\.)?linkedin\.com", r"/jobs/view/(?:[^/]*-)?(\d{6,})"),
    _pattern("indeed", r"(?:[a-z]+\.)?indeed\.[a-z.]+", r"/(?:viewjob|rc/clk|m/viewjob)", "jk"),
    _pattern("eightfold", rf".+\.eightfold\.ai|{_ANY_CAREERS}", r"^/careers/?(?:job)?/?$", "pid"),
    _pattern(
        "eightfold", rf".+\.eightfold\.ai|{_ANY_CAREERS}", r"^/careers/job/(\d{6,})(?:[/-]|$)"
    ),
    _pattern("radancy", _ANY_CAREERS, r"/job/[^/]+/[^/]+/\d+/(\d+)/?$"),
    _pattern("successfactors", _ANY_CAREERS, r"^/job/[^/]+/(\d{6,})/?$"),
)  # fmt: skip


def opening_key(text: str) -> PostingKey | None:
    """The opening that a URL names by its provider's own id; None where it names none.

    A company's page with ``?gh_jid=`` tells the id but no board: the board is "". For a
    provider that is not read here, the board is the host or the customer's part of it.
    """
    try:
        cleaned = _BREAKS.sub("", text).strip()
        url = check_url(cleaned)
    except (InvalidInputError, UrlBlockedError):
        return None
    try:
        found = resolve_board(cleaned)[1]
    except (InvalidInputError, UrlBlockedError):
        return _elsewhere(url)
    if not found.posting_id:
        return None
    if found.board.provider == "workday" and not re.search(r"\d", found.posting_id):
        return None  # the end of a title, not a requisition
    return PostingKey(found.board.provider, found.board.key, found.posting_id)


def same_opening(one: PostingKey, other: PostingKey) -> bool:
    """Whether two keys are one opening's; a key without a board fits any board of its provider."""
    boards_fit = one.board == other.board or not (one.board and other.board)
    same_id = one.posting_id.casefold() == other.posting_id.casefold()
    return one.provider == other.provider and same_id and boards_fit


def _elsewhere(url: WebUrl) -> PostingKey | None:
    query = parse_qs(url.query)
    for parameter, provider in _WITHOUT_BOARD.items():
        if parameter in query:
            return PostingKey(provider, "", query[parameter][0])
    path = unquote(url.path)
    for pattern in _PATTERNS:
        host = pattern.host.fullmatch(url.host)
        found = host and pattern.path.search(path)
        if not host or not found:
            continue
        posting_id = query.get(pattern.parameter, [""])[0] if pattern.parameter else found[1]
        if posting_id:
            board = next((part for part in host.groups() if part), url.host)
            return PostingKey(pattern.provider, board, posting_id)
    return None
