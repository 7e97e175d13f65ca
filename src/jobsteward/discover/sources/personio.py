"""Personio career sites, by the XML feed that they publish for job boards."""

from urllib.parse import quote

from jobsteward.discover.feed_xml import read_xml, several
from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting, PostingKey
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    member,
    needed,
    pay_period,
    pay_range,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, segments, subdomain
from jobsteward.discover.stated import figure, stated_moment
from jobsteward.discover.text import one_line, sections
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_DE, _COM = ".jobs.personio.de", ".jobs.personio.com"


class Personio:
    """Sites at COMPANY.jobs.personio.de and .com, which are two doors to the same jobs.

    A token ends in ``@com`` where the site was given under that name; the other one is
    asked where the given one has nothing (P042).
    """

    name = "personio"
    hosts: tuple[str, ...] = (_DE, _COM)
    example = f"https://COMPANY{_DE}"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Site pages, postings and the feed."""
        token = subdomain(url, self.hosts)
        if token is None:
            return None
        parts = segments(url)
        posting_id = parts[1] if len(parts) > 1 and parts[0] == "job" else None
        reading = "@com" if url.host.endswith(_COM) else ""
        return Recognised(Board(self.name, token + reading), posting_id)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole feed with every posting's text."""
        company, _, reading = board.token.partition("@")
        suffixes = (_COM, _DE) if reading == "com" else (_DE, _COM)
        return tuple(
            Request(f"https://{quote(company)}{suffix}/xml", accept="application/xml, text/xml")
            for suffix in suffixes
        )

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Every ``position`` of the feed; it advertises no total."""
        positions = read_xml(payload, "workzag-jobs", "position")
        return read_each(positions, lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting:
    posting_id = identifier(item.get("id"))
    company, _, reading = board.token.partition("@")
    suffix = _COM if reading == "com" else _DE
    url = f"https://{quote(company)}{suffix}/job/{quote(posting_id)}"
    others = member(item, "additionalOffices")
    offices = [item.get("office"), *several(others.get("office"))]
    locations = distinct([one_line(office) for office in offices])
    kinds = distinct([one_line(item.get(name)) for name in ("employmentType", "schedule")])
    texts = several(member(item, "jobDescriptions").get("jobDescription"))
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=f"{url}#apply",
        title=needed(one_line(item.get("name")), "no_title"),
        company=one_line(item.get("subcompany")) or company,
        locations=locations,
        remote=remote_from(None, locations),
        employment_type=", ".join(kinds) or None,
        department=one_line(item.get("department")),
        pay=_pay(member(item, "salaryInformation")),
        description=sections(
            (text.get("name"), text.get("value")) for text in texts if isinstance(text, dict)
        ),
        posted_at=stated_moment(item.get("createdAt")),
    )


def _pay(salary: Item) -> tuple[Pay, ...]:
    pay = pay_range(
        figure(salary.get("min")),
        figure(salary.get("max")),
        salary.get("currencyCode"),
        pay_period(salary.get("type")),
    )
    return (pay,) if pay else ()
