"""Ashby boards, by their public posting API, with compensation."""

from urllib.parse import quote

from jobsteward.discover.identity import web_url
from jobsteward.discover.model import (
    Board,
    ParsedBoard,
    Pay,
    PayPeriod,
    Posting,
    PostingKey,
    Remote,
)
from jobsteward.discover.payload import (
    Item,
    distinct,
    identifier,
    load,
    member,
    members,
    moment,
    needed,
    pay_range,
    read_each,
)
from jobsteward.discover.source import Recognised, Request, board_token, segments
from jobsteward.discover.text import markdown, one_line, paragraphs
from jobsteward.discover.workplace import remote_from
from jobsteward.net.urls import WebUrl

_API_HOST = "api.ashbyhq.com"
_PERIODS: dict[str, PayPeriod] = {
    "1 YEAR": "year",
    "1 MONTH": "month",
    "1 WEEK": "week",
    "1 DAY": "day",
    "1 HOUR": "hour",
}


class Ashby:
    """Boards at ashbyhq.com."""

    name = "ashby"
    hosts: tuple[str, ...] = ("jobs.ashbyhq.com", _API_HOST)
    example = "https://jobs.ashbyhq.com/COMPANY"

    def recognise(self, url: WebUrl) -> Recognised | None:
        """Board pages, postings with or without ``/application``, and the API."""
        if url.host not in self.hosts:
            return None
        parts = segments(url)
        if url.host == _API_HOST:
            parts = parts[2:]
        token = board_token(parts, 0)
        if token is None:
            return None
        return Recognised(Board(self.name, token), parts[1] if len(parts) > 1 else None)

    def list_requests(self, board: Board) -> tuple[Request, ...]:
        """The whole list, pay included; the API gives it in one answer."""
        token = quote(board.token, safe="")
        path = f"/posting-api/job-board/{token}?includeCompensation=true"
        return (Request(f"https://{_API_HOST}{path}"),)

    def parse(self, board: Board, payload: bytes) -> ParsedBoard:
        """Postings of ``jobs`` that are listed; Ashby advertises no total."""
        answer = load(payload)
        jobs = answer.get("jobs") if isinstance(answer, dict) else None
        return read_each(jobs, lambda item: _posting(board, item))


def _posting(board: Board, item: Item) -> Posting | None:
    if item.get("isListed") is False:
        return None
    posting_id = identifier(item.get("id"))
    page = f"https://jobs.ashbyhq.com/{quote(board.token)}/{quote(posting_id)}"
    url = web_url(item.get("jobUrl"), page)
    secondary = [place.get("location") for place in members(item, "secondaryLocations")]
    locations = distinct([one_line(text) for text in (item.get("location"), *secondary)])
    workplace = one_line(item.get("workplaceType"))
    return Posting(
        key=PostingKey(board.provider, board.key, posting_id),
        url=url,
        apply_url=web_url(item.get("applyUrl"), page + "/application"),
        title=needed(one_line(item.get("title")), "no_title"),
        company=board.token,
        locations=locations,
        remote=_remote(workplace, item.get("isRemote"), locations),
        workplace=workplace,
        employment_type=one_line(item.get("employmentType")),
        department=one_line(item.get("department")) or one_line(item.get("team")),
        pay=_pay(member(item, "compensation")),
        description=markdown(item.get("descriptionHtml"))
        or paragraphs(item.get("descriptionPlain")),
        posted_at=moment(item.get("publishedAt")),
        updated_at=moment(item.get("updatedAt")),
    )


def _remote(workplace: str | None, flag: object, locations: tuple[str, ...]) -> Remote:
    # Hybrid postings carry the flag as well, so it counts only where no workplace is named;
    # there a false one may be a mere default and says nothing.
    if workplace is None and flag is True:
        return "yes"
    return remote_from(workplace, locations)


def _pay(compensation: Item) -> tuple[Pay, ...]:
    """Every salary of every tier, each once; equity and commission are no pay (P021)."""
    components = [
        component
        for tier in members(compensation, "compensationTiers")
        for component in members(tier, "components")
    ] or members(compensation, "summaryComponents")
    ranges = [_salary(part) for part in components if part.get("compensationType") == "Salary"]
    return tuple(dict.fromkeys(pay for pay in ranges if pay))


def _salary(component: Item) -> Pay | None:
    interval = component.get("interval")
    period = _PERIODS.get(interval, "unknown") if isinstance(interval, str) else "unknown"
    return pay_range(
        component.get("minValue"), component.get("maxValue"), component.get("currencyCode"), period
    )
