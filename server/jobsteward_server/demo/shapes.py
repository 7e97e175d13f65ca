"""Openings in the answers' shapes of Greenhouse, Lever and Ashby, member for member."""

import json
from collections.abc import Callable
from html import escape
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from jobsteward_server.demo.companies import Company, Opening

Json = dict[str, Any]
Shape = Callable[[Company], bytes]


def greenhouse(company: Company) -> bytes:
    """The answer of ``/v1/boards/TOKEN/jobs?content=true``."""
    jobs = [_greenhouse_job(company, opening) for opening in company.openings]
    return json.dumps({"jobs": jobs, "meta": {"total": len(jobs)}}).encode()


def _greenhouse_job(company: Company, opening: Opening) -> Json:
    moment = opening.posted_at.isoformat()
    number = 7_000_000_000 + opening.number
    return {
        "absolute_url": f"https://job-boards.greenhouse.io/{company.token}/jobs/{number}",
        "data_compliance": [{"type": "gdpr", "requires_consent": False, "retention_period": None}],
        "internal_job_id": number - 4_000_000_000,
        "location": {"name": " | ".join(opening.places)},
        "metadata": [
            {
                "id": 5_000_001,
                "name": "Location Type",
                "value": opening.workplace,
                "value_type": "single_select",
            }
        ],
        "id": number,
        "updated_at": moment,
        "requisition_id": f"R-{opening.number}",
        "title": opening.title,
        "company_name": company.name,
        "first_published": moment,
        "language": "en",
        "application_deadline": None,
        "content": escape(opening.text),
        "departments": [
            {"id": 6_000_001, "name": opening.department, "child_ids": [], "parent_id": None}
        ],
        "offices": [
            {"id": 6_100_001 + at, "name": place, "location": place, "child_ids": []}
            for at, place in enumerate(opening.places)
        ],
        **_greenhouse_pay(opening),
    }


def _greenhouse_pay(opening: Opening) -> Json:
    if opening.pay is None:
        return {}
    low, high, currency = opening.pay
    entry = {
        "min_cents": low * 100,
        "max_cents": high * 100,
        "currency_type": currency,
        "title": "Pay range",
        "blurb": "",
    }
    return {"pay_input_ranges": [entry]}


def lever(company: Company, host: str = "jobs.lever.co") -> bytes:
    """The answer of ``/v0/postings/TOKEN?mode=json``; ``host`` is where its pages are."""
    return json.dumps(
        [_lever_posting(company, opening, host) for opening in company.openings]
    ).encode()


def lever_eu(company: Company) -> bytes:
    """The same, of the European hosts."""
    return lever(company, "jobs.eu.lever.co")


def _lever_posting(company: Company, opening: Opening, host: str) -> Json:
    posting_id = _uuid(company, opening)
    page = f"https://{host}/{company.token}/{posting_id}"
    posting = {
        "additional": "<div>Tell us what you would change first.</div>",
        "additionalPlain": "Tell us what you would change first.",
        "categories": {
            "commitment": opening.employment,
            "department": opening.department,
            "location": opening.places[0],
            "team": opening.department,
            "allLocations": list(opening.places),
        },
        "createdAt": int(opening.posted_at.timestamp() * 1000),
        "description": f"<div>{opening.text}</div>",
        "descriptionPlain": opening.title,
        "id": posting_id,
        "lists": [{"text": "What we offer", "content": "<li>Time to do it well</li>"}],
        "text": opening.title,
        "country": None,
        "workplaceType": opening.workplace.replace("-", "").lower(),
        "hostedUrl": page,
        "applyUrl": f"{page}/apply",
    }
    if opening.pay:
        low, high, currency = opening.pay
        posting["salaryRange"] = {
            "min": low,
            "max": high,
            "currency": currency,
            "interval": "per-year-salary",
        }
    return posting


def ashby(company: Company) -> bytes:
    """The answer of ``/posting-api/job-board/TOKEN?includeCompensation=true``."""
    jobs = [_ashby_job(company, opening) for opening in company.openings]
    return json.dumps({"jobs": jobs, "apiVersion": "1"}).encode()


def _ashby_job(company: Company, opening: Opening) -> Json:
    posting_id = _uuid(company, opening)
    page = f"https://jobs.ashbyhq.com/{company.token}/{posting_id}"
    first, *others = opening.places
    return {
        "id": posting_id,
        "title": opening.title,
        "department": opening.department,
        "team": opening.department,
        "employmentType": opening.employment.replace("-", "").title(),
        "location": first,
        "secondaryLocations": [{"location": place, "address": {}} for place in others],
        "shouldDisplayCompensationOnJobPostings": opening.pay is not None,
        "publishedAt": opening.posted_at.isoformat(timespec="milliseconds"),
        "isListed": True,
        "isRemote": opening.workplace == "Remote",
        "workplaceType": opening.workplace.replace("-s", "S"),
        "address": {"postalAddress": {"addressLocality": first}},
        "jobUrl": page,
        "applyUrl": f"{page}/application",
        "descriptionHtml": opening.text,
        "descriptionPlain": opening.title,
        "compensation": _ashby_pay(opening),
    }


def _ashby_pay(opening: Opening) -> Json:
    components = []
    if opening.pay:
        low, high, currency = opening.pay
        components = [
            {
                "compensationType": "Salary",
                "interval": "1 YEAR",
                "currencyCode": currency,
                "minValue": low,
                "maxValue": high,
            }
        ]
    tiers = [{"title": None, "components": components}] if components else []
    return {"compensationTiers": tiers, "summaryComponents": components}


def _uuid(company: Company, opening: Opening) -> str:
    return str(uuid5(NAMESPACE_URL, f"https://{company.token}.example/{opening.number}"))
