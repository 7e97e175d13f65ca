"""LinkedIn jobs that a person hands over: alert mails and saved pages. Nothing is fetched.

What LinkedIn shows is a hint at a job, not its identity (P024): where a saved page links
to the employer's own form, ``apply_url`` leads there.
"""

import re
from collections.abc import Iterable
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from urllib.parse import parse_qs, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from jobsteward.discover.feeds import feed_key
from jobsteward.discover.identity import web_url
from jobsteward.discover.jsonld import page_text
from jobsteward.discover.markup_text import first_words, text_block
from jobsteward.discover.model import Posting
from jobsteward.discover.payload import distinct
from jobsteward.discover.stated import stated_moment
from jobsteward.discover.workplace import remote_from

PROVIDER = "linkedin"

_JOB_LINK = re.compile(
    r"https?://(?:[a-z]{2,3}\.)?linkedin\.com/(?:comm/)?jobs/view/(?:[^\s/?\"'<>]*?-)?(\d{6,14})\b"
)
_URN = re.compile(r"urn:li:(?:fs_normalized_)?jobPosting:(\d{6,14})")
_RULE = re.compile(r"^\s*[-=_*\u2013\u2014]{5,}\s*$", re.MULTILINE)
_MARK = re.compile(r"\((remote|hybrid|on-?site)\)", re.IGNORECASE)
_LINE_JOINS = re.compile("\\s+[\u00b7\u2022]\\s+")
_MAIL_BYTES = 10 * 1024 * 1024
_MOST = 500

_TITLES = ".topcard__title, .top-card-layout__title, .job-details-jobs-unified-top-card__job-title"
_COMPANIES = (
    ".topcard__org-name-link, .topcard__flavor:first-child,"
    " .job-details-jobs-unified-top-card__company-name"
)
_PLACES = (
    ".topcard__flavor--bullet:not(.topcard__flavor--metadata),"
    " .job-details-jobs-unified-top-card__bullet"
)
_TEXTS = ".show-more-less-html__markup, .description__text, .jobs-description__content"
_CARDS = "li.result-card, li.job-result-card, .base-search-card, .job-search-card"
_CARD_TITLES = ".result-card__title, .base-search-card__title, h3"
_CARD_COMPANIES = ".result-card__subtitle, .base-search-card__subtitle, h4"
_CARD_PLACES = ".job-result-card__location, .job-search-card__location"


def read_saved_page(page: bytes | str) -> tuple[Posting, ...]:
    """The postings of a saved job page (one) or search page (several); () where it is neither.

    A search page's postings have no text. Never raises on any input.
    """
    text = page if isinstance(page, str) else page_text(page)
    tree = LexborHTMLParser(text.encode("utf-8", "replace").decode("utf-8"))
    title = _text(tree.css_first(_TITLES))
    if title is not None:
        found = _job_page(tree, title)
        return (found,) if found else ()
    cards = [_card(card) for card in tree.css(_CARDS)[:_MOST]]
    return _once(card for card in cards if card)


def read_alert_mail(message: bytes) -> tuple[Posting, ...]:
    """The postings that an alert mail names, from its plain text, else from its HTML.

    () where the mail names none or passes 10 MB. Never raises on any input.
    """
    if len(message) > _MAIL_BYTES:
        return ()
    mail = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(message)
    plain, html = _part(mail, "plain"), _part(mail, "html")
    return _once(_blocks(plain)) or _once(_anchors(html))


def _job_page(tree: LexborHTMLParser, title: str) -> Posting | None:
    posting_id = _page_id(tree)
    if posting_id is None:
        return None
    place = _text(tree.css_first(_PLACES))
    apply_link = tree.css_first("a[href*='externalApply']")
    text = tree.css_first(_TEXTS)
    return _posting(
        posting_id,
        title,
        _text(tree.css_first(_COMPANIES)),
        place,
        description=text_block(text.html) if text else None,
        apply_url=_outside(_link(apply_link)),
    )


def _page_id(tree: LexborHTMLParser) -> str | None:
    for selector in ("link[rel=canonical]", "a[href*='/jobs/view/']", "a[href*='externalApply/']"):
        for node in tree.css(selector)[:50]:
            found = _JOB_LINK.search(_link(node)) or re.search(r"externalApply/(\d+)", _link(node))
            if found:
                return found.group(1)
    found = _URN.search(tree.html or "")
    return found.group(1) if found else None


def _card(card: LexborNode) -> Posting | None:
    named = _URN.search(card.attributes.get("data-entity-urn") or "")
    links = [_JOB_LINK.search(_link(node)) for node in card.css("a[href*='/jobs/view/']")]
    ids = [match.group(1) for match in (named, *links) if match]
    title = _text(card.css_first(_CARD_TITLES))
    if not ids or title is None:
        return None
    time = card.css_first("time")
    return _posting(
        ids[0],
        title,
        _text(card.css_first(_CARD_COMPANIES)),
        _text(card.css_first(_CARD_PLACES)),
        posted=time.attributes.get("datetime") if time else None,
    )


def _blocks(text: str) -> list[Posting]:
    """Blocks between rules: title, employer and place on a line each, then the link."""
    found = []
    for block in _RULE.split(text)[:_MOST]:
        link = _JOB_LINK.search(block)
        if link is None:
            continue
        before = block[: link.start()].rpartition("\n")[0]
        lines = [line for line in map(first_words, before.split("\n")) if line]
        # An introduction may stand before the first posting, apart by an empty line.
        last = re.split(r"\n\s*\n", before.strip())[-1]
        near = [line for line in map(first_words, last.split("\n")) if line]
        lines = near if len(near) >= 2 else lines
        if lines:
            found.append(_posting(link.group(1), *[*lines, None, None][:3]))
    return [posting for posting in found if posting]


def _anchors(html: str) -> list[Posting]:
    """Links to jobs by their text, with the words that follow in the same table cell."""
    tree = LexborHTMLParser(html.encode("utf-8", "replace").decode("utf-8"))
    found = []
    for link in tree.css("a[href*='/jobs/view/']")[:_MOST]:
        named, title = _JOB_LINK.search(_link(link)), _text(link)
        if named is None or title is None:
            continue
        company, place = _beside(link, title)
        found.append(_posting(named.group(1), title, company, place))
    return [posting for posting in found if posting]


def _beside(link: LexborNode, title: str) -> tuple[str | None, str | None]:
    holder: LexborNode | None = link
    for _ in range(5):
        holder = holder.parent if holder else None
        if holder is None or len(holder.css("a[href*='/jobs/view/']")) > 2:
            break
        words = [first_words(part) for part in holder.text(separator="\n").split("\n")]
        rest = [part for line in words if line and line != title for part in _split(line)]
        if rest:
            return rest[0], rest[1] if len(rest) > 1 else None
    return None, None


def _split(line: str) -> list[str]:
    return [part for part in _LINE_JOINS.split(line) if part]


def _posting(
    posting_id: str,
    title: str | None,
    company: str | None = None,
    place: str | None = None,
    *,
    description: str | None = None,
    posted: str | None = None,
    apply_url: str | None = None,
) -> Posting | None:
    if not title:
        return None
    url = f"https://www.linkedin.com/jobs/view/{posting_id}"
    if company and not place and len(_split(company)) > 1:
        company, place = _split(company)[:2]
    marked = _MARK.search(place or "")
    workplace = marked.group(1) if marked else None
    locations = distinct([first_words(_MARK.sub(" ", place or ""))])
    return Posting(
        key=feed_key(PROVIDER, posting_id),
        url=url,
        apply_url=apply_url or url,
        title=title,
        company=company or "",
        locations=locations,
        remote=remote_from(workplace, locations),
        workplace=workplace,
        description=description,
        posted_at=stated_moment(posted),
    )


def _once(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    found: dict[str, Posting] = {}
    for posting in postings:
        found.setdefault(posting.key.posting_id, posting)
    return tuple(found.values())


def _part(mail: EmailMessage, kind: str) -> str:
    try:
        part = mail.get_body((kind,))
        content = part.get_content() if part else ""
    except (LookupError, ValueError, AttributeError):  # a charset or a structure that is none
        return ""
    return content if isinstance(content, str) else ""


def _text(node: LexborNode | None) -> str | None:
    return first_words(node.text(separator=" ")) if node else None


def _link(node: LexborNode | None) -> str:
    return (node.attributes.get("href") or "") if node else ""


def _outside(link: str) -> str | None:
    """Where a link to the employer's own form leads."""
    stated = parse_qs(urlsplit(link).query).get("url") if link[:4] == "http" else None
    return web_url(stated[0], "") or None if stated else None
