"""What a host's robots.txt lets this program read (DIS-11, RFC 9309)."""

import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import anyio.to_thread
from protego import Protego

from jobsteward.kernel.errors import (
    ResponseTooLargeError,
    RobotsClosedError,
    SourceUnavailableError,
    UrlBlockedError,
    UrlInvalidError,
)
from jobsteward.net.answers import Fetched
from jobsteward.net.urls import WebUrl

AGENT = "jobsteward"
"""The name that a robots.txt may address."""
MAX_BYTES = 2 * 1024 * 1024
"""More is no robots.txt; of less, `READ_BYTES` count."""
READ_BYTES = 512 * 1024
LIFETIME = 24 * 3600.0
MAX_CRAWL_DELAY = 30.0

_KEPT_HOSTS = 512
_AGENT_LINE = re.compile(r"\s*user[- ]?agent\s*:?\s*(?P<name>[^#]*)", re.IGNORECASE)
_OTHER = "another-agent"

Read = Callable[[str], Awaitable[Fetched]]
"""Fetches a robots.txt by its URL, at the host's pace but without asking robots.txt."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one robots.txt for this program; without a file everything is allowed."""

    parsed: Protego | None = None

    def allow(self, url: str) -> bool:
        """Whether the URL may be read."""
        return self.parsed is None or self.parsed.can_fetch(url, AGENT)

    @property
    def crawl_delay(self) -> float | None:
        """Seconds that the host wants between two requests, at most `MAX_CRAWL_DELAY`."""
        delay = self.parsed.crawl_delay(AGENT) if self.parsed else None
        return None if delay is None else min(delay, MAX_CRAWL_DELAY)


def parse_rules(content: bytes) -> Rules:
    """The rules in a robots.txt; what is no rule in it is passed over, HTML included."""
    text = content[:READ_BYTES].decode("utf-8-sig", errors="replace")
    return Rules(Protego.parse("\n".join(_our_lines(text))))


def _our_lines(text: str) -> list[str]:
    """The lines, with all agents that are not us under one name.

    The parser's time grows with agents times rules, to minutes for a file made for it.
    """
    lines: list[str] = []
    for line in text.splitlines():
        match = _AGENT_LINE.match(line)
        kept = f"User-agent: {_known(match['name'])}" if match else line
        if not match or kept not in lines[-1:]:
            lines.append(kept)
    return lines


def _known(name: str) -> str:
    token = name.replace("*", "").partition("/")[0].strip().lower()
    if not token:
        return "*" if "*" in name else _OTHER
    return token if AGENT.startswith(token) else _OTHER


@dataclass(slots=True)
class _Entry:
    rules: Rules | None = None
    until: float = 0.0
    lock: anyio.Lock = field(default_factory=anyio.Lock)


class RobotsFiles:
    """The robots.txt files of the hosts asked lately, each read once a day."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def check(self, url: WebUrl) -> Rules:
        """The rules of the URL's host. Raises RobotsClosedError where they forbid the URL.

        A host that has no robots.txt (4xx) allows all. Where it cannot be read now (5xx, 429,
        no connection), nothing may be fetched: SourceUnavailableError or what the connection
        raised, worth another try later.
        """
        rules = await self._rules(url)
        if not rules.allow(str(url)):
            raise RobotsClosedError(
                "the host's robots.txt keeps programs away from this page; open it in a browser"
            )
        return rules

    async def _rules(self, url: WebUrl) -> Rules:
        site = f"{url.scheme}://{url.authority}"
        entry = self._entries.setdefault(site, _Entry())
        self._entries.move_to_end(site)
        if len(self._entries) > _KEPT_HOSTS:
            self._entries.popitem(last=False)
        async with entry.lock:
            if entry.rules is None or anyio.current_time() >= entry.until:
                entry.rules = await self._fetch(f"{site}/robots.txt")
                entry.until = anyio.current_time() + LIFETIME
        return entry.rules

    async def _fetch(self, address: str) -> Rules:
        try:
            answer = await self._read(address)
        except (UrlBlockedError, UrlInvalidError):
            return Rules()  # it redirects to where nothing is fetched: there is no such file
        except ResponseTooLargeError:
            raise RobotsClosedError(
                "the host's robots.txt is too large to read; open the page in a browser"
            ) from None
        if answer.status == 429 or answer.status >= 500:
            raise SourceUnavailableError("the host's robots.txt cannot be read; try again later")
        if answer.status != 200:
            return Rules()
        return await anyio.to_thread.run_sync(parse_rules, answer.body)
