"""Answers of boards in the shapes of the three providers, with invented employers."""

from typing import Any

from jobsteward.discover.model import Board, Posting, PostingKey


def greenhouse_item(**changes: Any) -> dict[str, Any]:
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


def lever_item(**changes: Any) -> dict[str, Any]:
    return {
        "id": "1f0c9a52-0000-4000-8000-000000000001",
        "text": "Data Analyst",
        "hostedUrl": "https://jobs.lever.co/acme/1f0c9a52-0000-4000-8000-000000000001",
        "applyUrl": "https://jobs.lever.co/acme/1f0c9a52-0000-4000-8000-000000000001/apply",
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


def ashby_item(**changes: Any) -> dict[str, Any]:
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


ITEMS = {"greenhouse": greenhouse_item, "lever": lever_item, "ashby": ashby_item}
BOARDS = {name: Board(name, "acme") for name in ITEMS}


def answer(provider: str, items: list[Any]) -> Any:
    """A list answer of that provider."""
    return items if provider == "lever" else {"jobs": items}


def posting(number: int, **changes: Any) -> Posting:
    """An invented posting; equal numbers are the same job."""
    fields: dict[str, Any] = {
        "key": PostingKey("lever", "acme", f"p{number}"),
        "url": f"https://jobs.lever.co/acme/p{number}",
        "apply_url": f"https://jobs.lever.co/acme/p{number}/apply",
        "title": f"Engineer {number}",
        "company": "Acme",
        "locations": ("Berlin",),
        "description": f"Text {number}",
    }
    return Posting(**fields | changes)
