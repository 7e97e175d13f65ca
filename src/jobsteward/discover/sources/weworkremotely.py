"""We Work Remotely, by the RSS feeds that it publishes, whole or by category."""

import re
from typing import Literal
from urllib.parse import quote

from jobsteward.discover.feed_xml import read_xml, several
from jobsteward.discover.feeds import feed_board, feed_key, searched
from jobsteward.discover.identity import web_url
from jobsteward.discover.markup_text import first_words, text_block
from jobsteward.discover.model import Board, ParsedBoard, Posting
from jobsteward.discover.payload import Item, distinct, identifier, needed, read_each
from jobsteward.discover.source import Recognised, Request, segments
from jobsteward.discover.stated import stated_moment
from jobsteward.net.urls import WebUrl

_SITE = "https://weworkremotely.com"
_CATEGORY = re.compile(r"[a-z0-9-]{1,80}")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")


class WeWorkRemotely:
    """The feed at weworkremotely.com; a token other than ``all`` is a category of it."""

    name = "weworkremotely"
    aggregator: Literal[True] = True
    hosts: tuple[str, ...] = ("weworkremotely.com", "www.weworkremotely.com")
    example = f"{_SITE}/categories/CATEGORY"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Any page of the site; a category page keeps it, a posting's page names its id."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        if len(parts) == 2 and parts[0] == "categories":
            category = parts[1].removesuffix(".rss").lower()
            if _CATEGORY.fullmatch(category):
                return Recognised(feed_board(self.name, category))
        named = len(parts) == 2 and parts[0] == "remote-jobs"
        return Recognised(feed_board(self.name), parts[1] if named else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole feed, with the texts."""
        category, _ = searched(board)
        path = f"categories/{category}" if category else "remote-jobs"
        return (Request(f"{_SITE}/{path}.rss", accept="application/rss+xml, application/xml"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Every ``item`` of the feed, also where the feed as a whole is broken."""
        return read_each(read_xml(payload, "rss", "item"), _posting)


def _posting(item: Item) -> Posting | None:
    if not item:
        return None
    links = [first_words(several(item.get(name))) for name in ("link", "guid")]
    page = next((url for link in links if (url := web_url(link, ""))), "")
    named = page or links[1] or ""
    posting_id = identifier(named.rpartition("/")[2][-100:])
    url = page or f"{_SITE}/remote-jobs/{quote(posting_id)}"
    company, colon, title = needed(first_words(item.get("title")), "no_title").partition(": ")
    return Posting(
        key=feed_key(WeWorkRemotely.name, posting_id),
        url=url,
        apply_url=url,
        title=title.strip() if colon and title.strip() else company,
        company=company.strip() if colon else "",
        locations=_locations(item),
        remote="yes",  # the site lists nothing else
        employment_type=first_words(item.get("type")),
        department=first_words(several(item.get("category"))),
        description=text_block(item.get("description")),
        posted_at=stated_moment(item.get("pubDate")),
    )


def _locations(item: Item) -> tuple[str, ...]:
    """The region that may apply; where that is not everywhere, the state and the country too."""
    region = first_words(item.get("region"))
    if region and region.lower().startswith("anywhere"):
        return (region,)
    parts = [first_words(several(item.get(name))) for name in ("state", "country")]
    plain = [_FLAG.sub("", part).strip() for part in parts if part]
    return distinct([region, ", ".join(plain)])
