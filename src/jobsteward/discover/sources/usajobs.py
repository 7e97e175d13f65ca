"""USAJOBS, the jobs of the US federal government, by its API and a person's own key."""

from collections.abc import Iterator, Mapping
from urllib.parse import quote, urlencode

from jobsteward.discover.feeds import feed_board, feed_key, parameter, searched
from jobsteward.discover.identity import web_url
from jobsteward.discover.keys import Keys
from jobsteward.discover.markup_text import every_words, first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Pay, PayPeriod, Posting, Remote
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    members,
    needed,
    pay_range,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import figure, stated_moment
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_SITE = "https://www.usajobs.gov"
_PAGE = 500
_RATES: dict[str, PayPeriod] = {
    "PA": "year", "Per Year": "year", "PM": "month", "Per Month": "month", "PW": "week",
    "PD": "day", "Per Day": "day", "PH": "hour", "Per Hour": "hour", "BW": "unknown",
    "SY": "year", "School Year": "year",
}  # fmt: skip
_SECTIONS = (
    ("AgencyMarketingStatement", "Agency"),
    ("MajorDuties", "Duties"),
    ("Requirements", "Requirements"),
    ("KeyRequirements", "Key requirements"),
    ("Education", "Education"),
    ("Evaluations", "Evaluation"),
    ("Benefits", "Benefits"),
    ("RequiredDocuments", "Required documents"),
    ("HowToApply", "How to apply"),
)


class UsaJobs:
    """A search at usajobs.gov. The key and the address that it was given to go in headers."""

    name = "usajobs"
    settings: tuple[str, ...] = ("usajobs_key", "usajobs_email")
    key_page = "https://developer.usajobs.gov"
    hosts: tuple[str, ...] = ("www.usajobs.gov", "usajobs.gov")
    example = f"{_SITE}/search/results/?k=WORDS"

    def signed(self, url: str, keys: Keys) -> tuple[str, Mapping[str, str]]:
        """The key and the address that it was given to, as headers."""
        return url, {
            "Authorization-Key": keys["usajobs_key"],
            "User-Agent": keys["usajobs_email"],
        }

    def search(self, board: Board, query: str, place: str) -> Board:
        """The announcements for the words at the place."""
        words = query or searched(board)[0]
        return feed_board(self.name, words, place=place or searched(board)[1])

    def recognise(self, url: WebUrl) -> Recognised | None:
        """A search page with its words, an announcement's page with its number."""
        if url.host not in self.hosts:
            return None
        numbers = [part for part in segments(url) if part.isdigit()]
        words, place = parameter(url, "k", "keyword", "Keyword"), parameter(url, "l")
        board = feed_board(self.name, words, place=place)
        return Recognised(board, numbers[-1] if numbers else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The first 500."""
        return (_page(board, 1),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Announcements of ``SearchResultItems``; ``SearchResultCountAll`` is the total."""
        answer = load(payload)
        result = member(answer, "SearchResult") if isinstance(answer, dict) else {}
        return read_each(
            result.get("SearchResultItems"), _posting, result.get("SearchResultCountAll")
        )

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next page, while the total is not reached."""
        done = request.place * _PAGE >= (page.advertised or 0)
        return None if done else _page(board, request.place + 1)


def _page(board: Board, number: int) -> Request:
    words, place = searched(board)
    query = {
        "Fields": "Full",
        "ResultsPerPage": str(_PAGE),
        "Page": str(number),
        "Keyword": words,
        "LocationName": place,
    }
    stated = urlencode({name: value for name, value in query.items() if value})
    return Request(f"https://data.usajobs.gov/api/Search?{stated}", place=number)


def _posting(item: Item) -> Posting:
    told = member(item, "MatchedObjectDescriptor")
    details = member(member(told, "UserArea"), "Details")
    posting_id = identifier(item.get("MatchedObjectId") or told.get("PositionID"))
    url = web_url(told.get("PositionURI"), f"{_SITE}/job/{quote(posting_id)}")
    locations = _locations(told)
    return Posting(
        key=feed_key(UsaJobs.name, posting_id),
        url=url,
        apply_url=web_url(first_words(told.get("ApplyURI")), url),
        title=needed(first_words(told.get("PositionTitle")), "no_title"),
        company=first_words(told.get("OrganizationName")) or "",
        locations=locations,
        remote=_remote(details.get("RemoteIndicator"), locations),
        employment_type=", ".join(distinct(list(_kinds(told)))) or None,
        department=first_words(told.get("JobCategory")) or first_words(told.get("DepartmentName")),
        pay=_pay(told),
        description=_description(told, details),
        posted_at=stated_moment(told.get("PublicationStartDate")),
    )


def _locations(told: Item) -> tuple[str, ...]:
    named = [first_words(place.get("LocationName")) for place in members(told, "PositionLocation")]
    return distinct(named) or distinct([first_words(told.get("PositionLocationDisplay"))])


def _remote(flag: object, locations: tuple[str, ...]) -> Remote:
    # Every announcement answers this question itself, so a false one is an answer too.
    if isinstance(flag, bool):
        return "yes" if flag else "no"
    return remote_from(None, locations)


def _kinds(told: Item) -> Iterator[str]:
    for name in ("PositionSchedule", "PositionOfferingType"):
        yield from every_words(told.get(name))


def _pay(told: Item) -> tuple[Pay, ...]:
    ranges = [
        pay_range(
            figure(entry.get("MinimumRange")),
            figure(entry.get("MaximumRange")),
            "USD",
            _RATES.get(first_words(entry.get("RateIntervalCode")) or "", "unknown"),
        )
        for entry in members(told, "PositionRemuneration")
        if entry.get("RateIntervalCode") not in ("WC", "Without Compensation", "FB")
    ]
    return tuple(dict.fromkeys(pay for pay in ranges if pay))


def _description(told: Item, details: Item) -> str | None:
    parts = [text_block(details.get("JobSummary"))]
    stated = [(heading, text_block(details.get(name))) for name, heading in _SECTIONS]
    stated.insert(2, ("Qualifications", text_block(told.get("QualificationSummary"))))
    parts += [f"## {heading}\n\n{text}" for heading, text in stated if text]
    return "\n\n".join(part for part in parts if part) or None
