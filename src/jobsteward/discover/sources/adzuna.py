"""Adzuna, job ads of nineteen countries, by its API and a person's own key."""

from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote, urlencode

from jobsteward.discover.feeds import feed_board, feed_key, parameter, searched
from jobsteward.discover.identity import web_url
from jobsteward.discover.keys import Keys
from jobsteward.discover.markup_text import every_words, first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    needed,
    pay_range,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import figure, stated_moment
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_PAGE = 50
_MOST_PAGES = 20
"""A free key may ask 250 times a day; a thousand of the newest ads cost twenty."""
_COUNTRIES = {
    "com": "us", "co.uk": "gb", "at": "at", "com.au": "au", "be": "be", "com.br": "br",
    "ca": "ca", "ch": "ch", "de": "de", "es": "es", "fr": "fr", "in": "in", "it": "it",
    "com.mx": "mx", "nl": "nl", "co.nz": "nz", "pl": "pl", "sg": "sg", "co.za": "za",
}  # fmt: skip
_CURRENCIES = {
    "us": "USD", "gb": "GBP", "at": "EUR", "au": "AUD", "be": "EUR", "br": "BRL", "ca": "CAD",
    "ch": "CHF", "de": "EUR", "es": "EUR", "fr": "EUR", "in": "INR", "it": "EUR", "mx": "MXN",
    "nl": "EUR", "nz": "NZD", "pl": "PLN", "sg": "SGD", "za": "ZAR",
}  # fmt: skip


class Adzuna:
    """A search at adzuna.com and its sister sites; a board's region is the country.

    Every ad is one of another site's, cut after some 500 characters. Pay that Adzuna
    itself predicted is left out: nobody stated it.
    """

    name = "adzuna"
    aggregator: Literal[True] = True
    settings: tuple[str, ...] = ("adzuna_app_id", "adzuna_app_key")
    key_page = "https://developer.adzuna.com"
    hosts: tuple[str, ...] = tuple(
        f"{www}adzuna.{end}" for end in _COUNTRIES for www in ("www.", "")
    )
    example = "https://www.adzuna.co.uk/search?q=WORDS"

    def signed(self, url: str, keys: Keys) -> tuple[str, Mapping[str, str]]:
        """The URL with the key behind it: the API takes it in no other place."""
        own = {"app_id": keys["adzuna_app_id"], "app_key": keys["adzuna_app_key"]}
        return f"{url}&{urlencode(own)}", {}

    def search(self, board: Board, query: str, place: str) -> Board:
        """The ads for the words near the place, in the board's country."""
        words = query or searched(board)[0]
        return feed_board(self.name, words, board.region, place or searched(board)[1])

    def recognise(self, url: WebUrl) -> Recognised | None:
        """A search page with its words, an ad's page with its id."""
        if url.host not in self.hosts:
            return None
        country = _COUNTRIES[url.host.removeprefix("www.").removeprefix("adzuna.")]
        words, place = parameter(url, "q", "what"), parameter(url, "w", "where")
        board = feed_board(self.name, words, country, place)
        numbers = [part for part in segments(url) if part.isdigit()]
        return Recognised(board, numbers[-1] if numbers else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The newest ads, fifty to a page."""
        return (_page(board, 1),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``results``; ``count`` is the search's total."""
        answer = load(payload)
        answer = answer if isinstance(answer, dict) else {}
        rows, total = answer.get("results"), answer.get("count")
        return read_each(rows, lambda item: _posting(board, item), total)

    def next_request(self, board: Board, request: Request, page: ParsedBoard) -> Request | None:
        """The next page, while the total is not reached, up to a thousand ads."""
        done = request.place * _PAGE >= (page.advertised or 0) or request.place >= _MOST_PAGES
        return None if done else _page(board, request.place + 1)


def _page(board: Board, number: int) -> Request:
    words, place = searched(board)
    query = {
        "results_per_page": str(_PAGE),
        "sort_by": "date",
        "content-type": "application/json",
        "what": words,
        "where": place,
    }
    stated = urlencode({name: value for name, value in query.items() if value})
    path = f"/v1/api/jobs/{board.region or 'us'}/search/{number}"
    return Request(f"https://api.adzuna.com{path}?{stated}", place=number)


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    url = web_url(item.get("redirect_url"), f"https://www.adzuna.com/details/{quote(posting_id)}")
    locations = _locations(member(item, "location"))
    kinds = [first_words(item.get(name)) for name in ("contract_time", "contract_type")]
    return Posting(
        key=feed_key(Adzuna.name, posting_id, board.region),
        url=url,
        apply_url=url,
        title=needed(first_words(item.get("title")), "no_title"),
        company=first_words(member(item, "company").get("display_name")) or "",
        locations=locations,
        remote=remote_from(None, locations),
        employment_type=", ".join(distinct(kinds)) or None,
        department=first_words(member(item, "category").get("label")),
        pay=_pay(board, item),
        description=text_block(item.get("description")),
        posted_at=stated_moment(item.get("created")),
    )


def _locations(place: Item) -> tuple[str, ...]:
    """The place as displayed, completed by the state and the country of its area."""
    area = every_words(place.get("area"))
    wide = reversed(area[:2]) if len(area) > 2 else reversed(area[:1])
    line = ", ".join(distinct([first_words(place.get("display_name")), *wide]))
    return (line,) if line else ()


def _pay(board: Board, item: Item) -> tuple[Pay, ...]:
    if str(item.get("salary_is_predicted", "0")) != "0":
        return ()
    low, high = figure(item.get("salary_min")), figure(item.get("salary_max"))
    pay = pay_range(low, high, _CURRENCIES.get(board.region or "us"), "year")
    return (pay,) if pay else ()
