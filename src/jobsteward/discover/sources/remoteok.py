"""RemoteOK, by its public API; its terms ask to link to the posting there, which ours do."""

import re
from typing import Literal
from urllib.parse import quote

from jobsteward.discover.feeds import feed_board, feed_key
from jobsteward.discover.identity import web_url
from jobsteward.discover.markup_text import first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting, Remote
from jobsteward.discover.payload import Item, identifier, load, needed, pay_range, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_SITE = "https://remoteok.com"
_SLUG_ID = re.compile(r"(?:^|-)(\d{4,12})$|^(\d{4,12})-")
# UTF-8 read as Latin-1 on its way into the feed: two to four letters where one was meant.
_MANGLED = re.compile("[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_EVERYWHERE = frozenset({"worldwide", "anywhere", "global", "remote"})


class RemoteOk:
    """The list at remoteok.com, which needs no key and comes in one answer."""

    name = "remoteok"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("remoteok.com", "www.remoteok.com", "remoteok.io")
    example = "https://remoteok.com/remote-jobs"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Any page of the site; a posting's page names its id."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        found = _SLUG_ID.search(parts[-1]) if parts else None
        return Recognised(feed_board(self.name), found and (found.group(1) or found.group(2)))

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The newest postings; the API has no older ones."""
        return (Request(f"{_SITE}/api"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of the answer, a bare list that begins with a legal notice."""
        return read_each(load(payload), _posting)


def _posting(item: Item) -> Posting | None:
    if "legal" in item and "id" not in item:
        return None
    posting_id = identifier(item.get("id"))
    url = web_url(item.get("url"), f"{_SITE}/remote-jobs/{quote(posting_id)}")
    place = (first_words(item.get("location")) or "").strip(" ,")
    locations = (place,) if place else ()
    pay = pay_range(item.get("salary_min"), item.get("salary_max"), "USD", "year")
    return Posting(
        key=feed_key(RemoteOk.name, posting_id),
        url=url,
        apply_url=web_url(item.get("apply_url"), url),
        title=needed(first_words(_mended(item.get("position"))), "no_title"),
        company=first_words(_mended(item.get("company"))) or "",
        locations=locations,
        remote=_remote(locations),
        pay=(pay,) if pay else (),
        description=text_block(_mended(item.get("description"))),
        posted_at=stated_moment(item.get("date")) or stated_moment(item.get("epoch")),
    )


def _remote(locations: tuple[str, ...]) -> Remote:
    # The site is for remote jobs, but its feed holds local ones as well: those name a town.
    if not locations or locations[0].lower() in _EVERYWHERE:
        return "yes"
    return remote_from(None, locations)


def _mended(value: object) -> object:
    if not isinstance(value, str):
        return value
    return _MANGLED.sub(_as_meant, value)


def _as_meant(match: re.Match[str]) -> str:
    return match.group().encode("latin-1").decode("utf-8", "replace")
