"""Whether two postings are one opening: merged, linked, or apart (DIS-8).

Only ids and URLs of the employer's own system prove that two postings are the same. What
merely looks alike is linked, never merged, and different ids of one system always stay apart.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from jobsteward.discover.companies import Aliases, company_core, same_company
from jobsteward.discover.identity import canonical_url
from jobsteward.discover.model import Posting, PostingKey
from jobsteward.discover.reach import overlap
from jobsteward.discover.understand.evidence import fold
from jobsteward.discover.understand.pay_text import read_pay
from jobsteward.discover.understand.places import read_places
from jobsteward.discover.understand.titles import names_in, read_title, spelled_out
from jobsteward.discover.url_keys import AGGREGATORS, opening_key, same_opening
from jobsteward.kernel.errors import UrlBlockedError, UrlInvalidError

Link = Literal["same", "possible_duplicate", "repost_of", "different"]
Because = Literal[
    "same_id", "same_url", "alike", "posted_again",
    "other_company", "other_title", "other_place", "other_type", "other_pay", "other_text",
    "other_id",
]  # fmt: skip

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_GENDERS = re.compile(r"\(?\b[mwfdxhn](?:\s?/\s?[mwfdxhn*])+\b\)?")
_NOISE = frozenset("remote hybrid onsite the a an of and for in at to all genders".split())  # noqa: SIM905
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
_SHINGLE = 4
_LIKE, _UNLIKE = 0.6, 0.3
_AGAIN = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two postings belong together, and what decided it."""

    link: Link
    because: Because


def compare(one: Posting, other: Posting, aliases: Aliases = ()) -> Comparison:
    """How two postings belong together; the order of the two makes no difference.

    ``same`` rests on an id or a URL of the employer's own system (P024). Alike in all that
    both state, they are a ``possible_duplicate``; in one system with other ids, posted a
    week or more apart, the later is a ``repost_of`` the earlier (P026).
    """
    keys, others = employer_keys(one), employer_keys(other)
    if one.key == other.key or any(same_opening(a, b) for a in keys for b in others):
        return Comparison("same", "same_id")
    unlike = _unlike(one, other, aliases)
    if unlike:
        return Comparison("different", unlike)
    apart = bool(keys and others) or one.key.provider == other.key.provider
    if not apart and _own_pages(one) & _own_pages(other):
        return Comparison("same", "same_url")
    return _linked(one, other)


def employer_keys(posting: Posting) -> set[PostingKey]:
    """The posting's ids in employers' own systems: its own, and those that its URLs name."""
    named = [posting.key, opening_key(posting.url), opening_key(posting.apply_url)]
    pages = AGGREGATORS | {"jobposting_page", "page", ""}
    return {key for key in named if key is not None and key.provider not in pages}


def block_key(posting: Posting) -> str:
    """What postings must share to be worth comparing: employer, and the title's words."""
    return f"{company_core(posting.company)}|{title_key(posting.title)}"


def title_key(title: str, places: tuple[str, ...] = ()) -> str:
    """A title's words, written out and sorted, without gender marks, places and workplaces.

    Ranks stay: "Associate Product Manager" is no "Product Manager" (P025).
    """
    named = names_in(title)[0]
    words = spelled_out(_GENDERS.sub(" ", fold(named))).split()
    spans = [place.span.text for place in read_places([], None, title).places]
    away = {word for text in (*places, *spans) for word in spelled_out(text).split()}
    left = [_NUMERALS.get(word, word) for word in words if word not in _NOISE | away]
    return " ".join(sorted(left or words))


def likeness(one: str, other: str) -> float:
    """The share of the shorter text's runs of four words that the longer one has, 0 to 1."""
    left, right = sorted((_runs(one), _runs(other)), key=len)
    return len(left & right) / len(left) if left else 0.0


def _unlike(one: Posting, other: Posting, aliases: Aliases) -> Because | None:
    """What two postings state differently; None where nothing keeps them apart."""
    if same_company(one.company, other.company, aliases) == "no":
        return "other_company"
    places = (*one.locations, *other.locations)
    if title_key(one.title, places) != title_key(other.title, places):
        return "other_title"
    where = [read_places(p.locations, None, p.title) for p in (one, other)]
    return "other_place" if overlap(*where) == "no" else _terms_apart(one, other)


def _terms_apart(one: Posting, other: Posting) -> Because | None:
    kinds = {read_title(p.title, p.employment_type).employment_type for p in (one, other)}
    if len(kinds - {None}) > 1:
        return "other_type"
    if _pay_apart(one, other):
        return "other_pay"
    if one.description and other.description:
        return "other_text" if likeness(one.description, other.description) < _UNLIKE else None
    return None


def _linked(one: Posting, other: Posting) -> Comparison:
    """The link between two postings that state nothing different."""
    one_list = (one.key.provider, one.key.board) == (other.key.provider, other.key.board)
    if not one_list:
        sure = same_company(one.company, other.company) == "yes"
        return Comparison("possible_duplicate" if sure or _like(one, other) else "different",
                          "alike" if sure or _like(one, other) else "other_company")  # fmt: skip
    if not _like(one, other):
        return Comparison("different", "other_id")
    days = [_day(posting) for posting in (one, other)]
    if days[0] and days[1] and abs(days[0] - days[1]) >= _AGAIN:
        return Comparison("repost_of", "posted_again")
    return Comparison("possible_duplicate", "alike")


def _like(one: Posting, other: Posting) -> bool:
    return likeness(one.description or "", other.description or "") >= _LIKE


def _pay_apart(one: Posting, other: Posting) -> bool:
    """Whether both state pay in one currency and period, and the ranges do not meet."""
    left, right = (read_pay(posting.pay, posting.description) for posting in (one, other))
    comparable = [
        (a, b)
        for a in left
        for b in right
        if (a.currency, a.period) == (b.currency, b.period) and a.period != "unknown"
    ]
    return bool(comparable) and not any(
        (a.minimum or 0) <= (b.maximum or float("inf"))
        and (b.minimum or 0) <= (a.maximum or float("inf"))
        for a, b in comparable
    )


def _own_pages(posting: Posting) -> set[str]:
    """URLs of the posting that lead to more than a site's front page or list of jobs."""
    pages: set[str] = set()
    for url in (posting.url, posting.apply_url):
        try:
            page = canonical_url(url)
        except (UrlInvalidError, UrlBlockedError):
            continue
        last = page.rstrip("/").rpartition("/")[2]
        if page.count("/") > 3 and last.casefold() not in _LISTS:
            pages.add(page)
    return pages


_LISTS = frozenset({"careers", "career", "jobs", "apply", "positions", "openings", "join-us"})


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", fold(text))
    size = min(_SHINGLE, len(words))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)} if size else set()


def _day(posting: Posting) -> date | None:
    found = _DAY.match(posting.posted_at or "")
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None
