"""Providers whose one answer holds the whole list with its texts; employers are invented."""

from typing import Any

from jobsteward.discover.model import Board
from tests.discover.boards.shapes import Row, Shape, fields, under

_UUID = "1f0c9a52-0000-4000-8000-00000000000"


def greenhouse_item(**changes: Any) -> Row:
    return {
        "id": 4000001,
        "internal_job_id": 77,
        "title": "Staff Engineer, Pricing Platform",
        "absolute_url": "https://job-boards.greenhouse.io/acme/jobs/4000001?gh_src=feed",
        "company_name": "Acme Robotics ",
        "location": {"name": "Berlin, Germany | Remote, Germany"},
        "metadata": [{"id": 1, "name": "Location Type", "value": "Hybrid"}],
        "departments": [{"id": 2, "name": "Engineering"}],
        "offices": [{"id": 3, "name": "Berlin", "location": "Berlin, Germany"}],
        "content": "&lt;h2&gt;About&lt;/h2&gt;&lt;p&gt;Build arms &amp;amp; legs.&lt;/p&gt;",
        "first_published": "2026-05-11T17:58:31-04:00",
        "updated_at": "2026-07-14T18:35:00-04:00",
    } | changes


def lever_item(**changes: Any) -> Row:
    return {
        "id": f"{_UUID}1",
        "text": "Data Analyst",
        "hostedUrl": f"https://jobs.lever.co/acme/{_UUID}1",
        "applyUrl": f"https://jobs.lever.co/acme/{_UUID}1/apply",
        "workplaceType": "remote",
        "categories": {
            "commitment": "Full-time",
            "department": "Data",
            "location": "Lisbon",
            "allLocations": ["Lisbon", "Porto"],
        },
        "createdAt": 1782753306506,
        "description": "<p>Opening words.</p>",
        "lists": [{"text": "What you'll do", "content": "<li>Ask</li><li>Answer</li>"}],
        "additional": "<p>Closing words.</p>",
        "salaryRange": {
            "min": 50000,
            "max": 70000,
            "currency": "EUR",
            "interval": "per-year-salary",
        },
    } | changes


def ashby_item(**changes: Any) -> Row:
    return {
        "id": "2e0c9a52-0000-4000-8000-000000000002",
        "title": " Security  Engineer",
        "department": "Engineering",
        "employmentType": "FullTime",
        "location": "New York",
        "secondaryLocations": [{"location": "Remote (Canada)"}, {"location": "New York"}],
        "publishedAt": "2026-04-07T17:12:35.753+00:00",
        "isListed": True,
        "isRemote": True,
        "workplaceType": "Hybrid",
        "jobUrl": "https://jobs.ashbyhq.com/acme/2e0c9a52-0000-4000-8000-000000000002",
        "applyUrl": "https://jobs.ashbyhq.com/acme/2e0c9a52-0000-4000-8000-000000000002/application",
        "descriptionHtml": "<p>Guard the <strong>gates</strong>.</p>",
        "descriptionPlain": "Guard the gates.",
    } | changes


def workable_item(**changes: Any) -> Row:
    return {
        "title": "Lighthouse Keeper",
        "shortcode": "A1B2C3D4E5",
        "code": "",
        "employment_type": "Full-time",
        "telecommuting": False,
        "department": "Coast",
        "url": "https://apply.workable.com/j/A1B2C3D4E5",
        "shortlink": "https://apply.workable.com/j/A1B2C3D4E5",
        "application_url": "https://apply.workable.com/j/A1B2C3D4E5/apply",
        "published_on": "2026-06-22",
        "created_at": "2026-03-06",
        "country": "Ireland",
        "city": "Cobh",
        "state": "County Cork",
        "locations": [
            {"country": "Ireland", "city": "Cobh", "region": "County Cork", "hidden": False},
            {"country": "Ireland", "city": "Kinsale", "region": None, "hidden": True},
        ],
        "description": "<p>Keep the <strong>light</strong>.</p>",
    } | changes


def recruitee_item(**changes: Any) -> Row:
    return {
        "id": 2684001,
        "slug": "harbour-pilot",
        "title": "Harbour Pilot (f/m/d)",
        "description": "<p>Bring ships in.</p>",
        "requirements": "<ul><li>A steady hand</li></ul>",
        "careers_url": "https://acme.recruitee.com/o/harbour-pilot",
        "careers_apply_url": "https://acme.recruitee.com/o/harbour-pilot/c/new",
        "company_name": "Acme Pilots",
        "department": "Port",
        "location": "Rotterdam, Zuid-Holland, Netherlands",
        "locations": [
            {
                "name": "Port",
                "city": "Rotterdam",
                "state": "Zuid-Holland",
                "country": "Netherlands",
            },
            {"name": "Anywhere", "city": None, "state": None, "country": None},
        ],
        "remote": False,
        "hybrid": True,
        "on_site": False,
        "employment_type_code": "fulltime_permanent",
        "status": "published",
        "published_at": "2026-07-22 14:20:52 UTC",
        "updated_at": "2026-07-23 08:00:00 UTC",
        "salary": {"min": "60000", "max": "75000.50", "period": "year", "currency": "EUR"},
    } | changes


def breezy_item(**changes: Any) -> Row:
    place = {
        "country": {"name": "Portugal", "id": "PT"},
        "state": {"id": "11", "name": "Lisboa"},
        "city": "Lisbon",
        "name": "Lisbon, PT",
        "is_remote": True,
    }
    return {
        "id": "9f8e7d6c5b4a",
        "friendly_id": "9f8e7d6c5b4a-tram-driver",
        "name": "Tram Driver",
        "url": "https://acme.breezy.hr/p/9f8e7d6c5b4a-tram-driver",
        "published_date": "2026-08-12T13:18:43.218Z",
        "type": {"id": "fullTime", "name": "Full-Time"},
        "location": place,
        "department": "Line 28",
        "salary": "€30,000 - €36,000 / year",
        "company": {"name": "Acme Trams", "friendly_id": "acme"},
        "description": "<p>Ring the bell.</p>",
    } | changes


def pinpoint_item(**changes: Any) -> Row:
    return {
        "id": "770001",
        "title": "Clock Maker",
        "url": "https://acme.pinpointhq.com/en/postings/770001",
        "path": "/en/postings/770001",
        "description": "<p>Make clocks.</p>",
        "key_responsibilities_header": "What you will do",
        "key_responsibilities": "<ul><li>Wind them.</li></ul>",
        "skills_knowledge_expertise_header": None,
        "skills_knowledge_expertise": "<p>Patience.</p>",
        "benefits_header": "Benefits",
        "benefits": "",
        "workplace_type": "onsite",
        "employment_type_text": "Full Time",
        "compensation": "£30,000 - £40,000 / year",
        "compensation_minimum": 30000.0,
        "compensation_maximum": 40000.0,
        "compensation_currency": "GBP",
        "compensation_frequency": "year",
        "compensation_visible": True,
        "job": {"id": "1", "department": {"id": "2", "name": "Workshop"}},
        "location": {"id": "3", "name": "England", "city": "Bath"},
    } | changes


def personio_item(**changes: Any) -> Row:
    texts = [
        {"name": "Your tasks", "value": "<p>Bake &amp; sell.</p>"},
        {"name": "Your profile", "value": "<ul><li>Early hours</li></ul>"},
    ]
    return {
        "id": "4103",
        "subcompany": "Acme Brot GmbH",
        "office": "Kassel",
        "additionalOffices": {"office": ["Remote, Germany", "Kassel"]},
        "department": "Bakery",
        "name": "Baker (m/f/d)",
        "jobDescriptions": {"jobDescription": texts},
        "employmentType": "permanent",
        "schedule": "full-time",
        "salaryInformation": {
            "min": "30000.00",
            "max": "36000.00",
            "currencyCode": "EUR",
            "type": "yearly",
        },
        "createdAt": "2026-08-15T08:00:00+0200",
    } | changes


def teamtailor_item(**changes: Any) -> Row:
    return {
        "title": "Ferry Captain",
        "description": "<p>Cross the <b>sound</b>.</p>",
        "pubDate": "Mon, 07 Sep 2026 10:30:00 +0200",
        "link": "https://acme.teamtailor.com/jobs/5012345-ferry-captain",
        "remoteStatus": "hybrid",
        "guid": f"{_UUID}5",
        "tt:locations": {
            "tt:location": [
                {"tt:name": "Pier", "tt:city": "Helsingborg", "tt:country": "Sweden"},
                {"tt:name": "Helsingør", "tt:city": "", "tt:country": ""},
            ]
        },
        "tt:department": "Crossing",
    } | changes


def _titled(posting_id: str | None, title: str | None) -> Row:
    row = {"link": "", "guid": posting_id, "title": title}
    return {name: value for name, value in row.items() if value is not None}


_TEAMTAILOR_ROOT = 'rss version="2.0" xmlns:tt="https://teamtailor.com/locations"'

SHAPES = {
    "greenhouse": Shape(
        Board("greenhouse", "acme"), greenhouse_item, fields("id", "title"), under("jobs")
    ),
    "lever": Shape(Board("lever", "acme"), lever_item, fields("id", "text"), list),
    "ashby": Shape(Board("ashby", "acme"), ashby_item, fields("id", "title"), under("jobs")),
    "workable": Shape(
        Board("workable", "acme"), workable_item, fields("shortcode", "title"), under("jobs")
    ),
    "recruitee": Shape(
        Board("recruitee", "acme"), recruitee_item, fields("id", "title"), under("offers")
    ),
    "breezy": Shape(Board("breezy", "acme"), breezy_item, fields("id", "name"), list),
    "pinpoint": Shape(
        Board("pinpoint", "acme"), pinpoint_item, fields("id", "title"), under("data")
    ),
    "personio": Shape(
        Board("personio", "acme"),
        personio_item,
        fields("id", "name"),
        under("position"),
        root="workzag-jobs",
    ),
    "teamtailor": Shape(
        Board("teamtailor", "acme"),
        teamtailor_item,
        _titled,
        lambda rows: {"channel": {"title": "Acme Ferries", "item": rows}},
        root=_TEAMTAILOR_ROOT,
    ),
}
