"""Feeds that list the jobs of many employers; all of them are invented."""

from typing import Any

from jobsteward.discover.model import Board
from tests.discover.boards.shapes import Row, Shape, fields, under

_THREAD = 40000001


def remoteok_item(**changes: Any) -> Row:
    return {
        "slug": "remote-kiln-engineer-acme-clay-700001",
        "id": "700001",
        "epoch": 1785739048,
        "date": "2026-08-03T06:37:28+00:00",
        "company": "Acme Clay &amp; Glass",
        "position": "Kiln Engineer",
        "tags": ["clay"],
        "description": "<b>Fire</b> pots \xe2\x80\x94 gently.",
        "location": "Worldwide, ",
        "apply_url": "https://remoteOK.com/remote-jobs/remote-kiln-engineer-acme-clay-700001",
        "salary_min": 60000,
        "salary_max": 90000,
        "url": "https://remoteOK.com/remote-jobs/remote-kiln-engineer-acme-clay-700001",
    } | changes


def remotive_item(**changes: Any) -> Row:
    return {
        "id": 800001,
        "url": "https://remotive.com/remote-jobs/design/glass-designer-800001",
        "title": "Glass Designer",
        "company_name": "Acme Glass",
        "category": "Design",
        "tags": ["glass"],
        "job_type": "full_time",
        "publication_date": "2026-07-12T06:35:18",
        "candidate_required_location": "Europe, Canada",
        "salary": "$50k - $60k",
        "description": "<p>Draw <strong>vases</strong>.</p>",
    } | changes


def arbeitnow_item(**changes: Any) -> Row:
    return {
        "slug": "potter-faenza-123",
        "company_name": "Acme Clay GmbH",
        "title": "Potter (m/w/d)",
        "description": "<p>Throw pots.</p>",
        "remote": False,
        "url": "https://www.arbeitnow.com/jobs/companies/acme-clay/potter-faenza-123",
        "tags": ["Craft"],
        "job_types": ["full_time", "permanent"],
        "location": "Faenza",
        "created_at": 1784764800,
    } | changes


def himalayas_item(**changes: Any) -> Row:
    return {
        "title": "Enamel Chemist",
        "excerpt": "Mix enamel.",
        "companyName": "Acme Enamel",
        "employmentType": "Full Time",
        "minSalary": 50000,
        "maxSalary": 70000,
        "currency": "EUR",
        "locationRestrictions": [{"name": "Portugal", "alpha2": "PT"}, "Spain"],
        "timezoneRestrictions": [0, "1"],
        "categories": ["Chemist"],
        "parentCategories": ["Science"],
        "description": "<p>Mix enamel.</p>",
        "pubDate": 1784764800,
        "applicationLink": "https://himalayas.app/companies/acme/jobs/enamel-chemist?apply=1",
        "guid": "https://himalayas.app/companies/acme/jobs/enamel-chemist",
    } | changes


def weworkremotely_item(**changes: Any) -> Row:
    return {
        "title": "Acme Looms: Weaver, Linen",
        "region": "Europe Only",
        "country": "\U0001f1eb\U0001f1ee Finland",
        "state": "Uusimaa",
        "category": "Craft",
        "type": "Full-Time",
        "description": "<p>Weave &amp; mend.</p>",
        "pubDate": "Thu, 16 Jul 2026 14:57:15 +0000",
        "guid": "https://weworkremotely.com/remote-jobs/acme-looms-weaver-linen",
        "link": "https://weworkremotely.com/remote-jobs/acme-looms-weaver-linen",
    } | changes


def _weworkremotely_row(posting_id: str | None, title: str | None) -> Row:
    page = posting_id and f"https://weworkremotely.com/remote-jobs/{posting_id}"
    return {name: value for name, value in (("title", title), ("link", page)) if value is not None}


def hackernews_item(**changes: Any) -> Row:
    return {
        "objectID": "40000002",
        "story_id": _THREAD,
        "parent_id": _THREAD,
        "comment_text": (
            "Acme Dyes (YC W19) | Senior Backend Engineer | Oslo, Norway | Remote (EU) | Full-time"
            " | $90k-$110k | <a href='https:&#x2F;&#x2F;dyes.example&#x2F;jobs'>"
            "https:&#x2F;&#x2F;dyes.example&#x2F;jobs</a><p>We dye &amp; we weave."
        ),
        "created_at": "2026-07-10T14:10:34Z",
    } | changes


def _hackernews_row(posting_id: str | None, title: str | None) -> Row:
    return {
        "objectID": posting_id,
        "story_id": _THREAD,
        "parent_id": _THREAD,
        "comment_text": f"acme | {title}",
    }


def adzuna_item(**changes: Any) -> Row:
    return {
        "id": "9000001",
        "title": "Tile Setter",
        "company": {"display_name": "Acme Tiles"},
        "location": {"display_name": "Leith, Edinburgh", "area": ["UK", "Scotland", "Edinburgh"]},
        "category": {"tag": "trade", "label": "Trade Jobs"},
        "contract_time": "full_time",
        "contract_type": "permanent",
        "salary_min": 30000,
        "salary_max": 34000.5,
        "salary_is_predicted": "0",
        "description": "Set tiles in \u2026",
        "redirect_url": "https://www.adzuna.co.uk/details/9000001?utm_medium=api",
        "created": "2026-07-15T08:33:45Z",
    } | changes


def usajobs_item(**changes: Any) -> Row:
    return {
        "MatchedObjectId": "600001",
        "MatchedObjectDescriptor": {
            "PositionID": "LIGHT-1",
            "PositionTitle": "Lighthouse Keeper",
            "OrganizationName": "Bureau of Lights",
            "DepartmentName": "Department of Coasts",
            "PositionURI": "https://www.usajobs.gov:443/job/600001",
            "ApplyURI": ["https://www.usajobs.gov:443/job/600001?PostingChannelID=x"],
            "PositionLocationDisplay": "Multiple Locations",
            "PositionLocation": [{"LocationName": "Portland, Maine"}, {"LocationName": "Guam"}],
            "PositionSchedule": [{"Name": "Full-time", "Code": "1"}],
            "PositionRemuneration": [
                {"MinimumRange": "25.5", "MaximumRange": "31.0", "RateIntervalCode": "PH"}
            ],
            "QualificationSummary": "Calm at night.",
            "PublicationStartDate": "2026-07-06T00:00:00.0000",
            "UserArea": {
                "Details": {
                    "JobSummary": "Keep the light.",
                    "MajorDuties": ["Trim the wick", "Log ships"],
                    "RemoteIndicator": False,
                }
            },
        },
    } | changes


def _usajobs_row(posting_id: str | None, title: str | None) -> Row:
    return {"MatchedObjectId": posting_id, "MatchedObjectDescriptor": {"PositionTitle": title}}


def _results(rows: list[Any]) -> Row:
    return {"SearchResult": {"SearchResultItems": rows}}


SHAPES = {
    "remoteok": Shape(
        Board("remoteok", "all"), remoteok_item, fields("id", "position"), list, remote="yes"
    ),
    "remotive": Shape(
        Board("remotive", "all"),
        remotive_item,
        fields("id", "title"),
        under("jobs"),
        remote="yes",
    ),
    "arbeitnow": Shape(
        Board("arbeitnow", "all"), arbeitnow_item, fields("slug", "title"), under("data")
    ),
    "himalayas": Shape(
        Board("himalayas", "all"),
        himalayas_item,
        fields("guid", "title"),
        under("jobs"),
        remote="yes",
    ),
    "weworkremotely": Shape(
        Board("weworkremotely", "all"),
        weworkremotely_item,
        _weworkremotely_row,
        lambda rows: {"channel": {"item": rows}},
        root="rss",
        remote="yes",
    ),
    "hackernews": Shape(
        Board("hackernews", "all"), hackernews_item, _hackernews_row, under("hits")
    ),
    "adzuna": Shape(
        Board("adzuna", "all", "gb"), adzuna_item, fields("id", "title"), under("results")
    ),
    "usajobs": Shape(Board("usajobs", "all"), usajobs_item, _usajobs_row, _results),
}
FEEDS = frozenset(SHAPES)
