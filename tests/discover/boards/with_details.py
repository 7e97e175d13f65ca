"""Providers whose lists leave out the texts, with the answer for a single posting."""

from typing import Any

from jobsteward.discover.model import Board
from tests.discover.boards.shapes import Row, Shape, fields, under

_UUID = "3d0c9a52-0000-4000-8000-000000000003"


def workday_item(**changes: Any) -> Row:
    return {
        "title": "Bridge Inspector",
        "externalPath": "/job/Oslo/Bridge-Inspector_R-1042-1",
        "locationsText": "Oslo",
        "timeType": "Full time",
        "postedOn": "Posted 30+ Days Ago",
        "bulletFields": ["R-1042"],
    } | changes


def workday_row(posting_id: str | None, title: str | None) -> Row:
    path = {} if posting_id is None else {"externalPath": f"/job/Oslo/Any_{posting_id}"}
    return path | ({} if title is None else {"title": title})


WORKDAY_DETAIL: Row = {
    "jobPostingInfo": {
        "id": "0ce19f3061551000bf0457bfc3270000",
        "title": "Bridge Inspector",
        "jobDescription": "<p>Walk every <b>bridge</b>.</p>",
        "location": "Oslo",
        "additionalLocations": ["Bergen", "Oslo"],
        "remoteType": "Hybrid",
        "postedOn": "Posted 30+ Days Ago",
        "startDate": "2026-07-07",
        "timeType": "Full time",
        "jobReqId": "R-1042",
        "externalUrl": "https://acme.wd3.myworkdayjobs.com/Careers/job/Oslo/Bridge-Inspector_R-1042-1",
    },
    "hiringOrganization": {"name": "Acme Bridges AS", "url": ""},
}


def smartrecruiters_item(**changes: Any) -> Row:
    return {
        "id": "744000100000001",
        "name": "Weaver",
        "refNumber": "REF1",
        "company": {"identifier": "acme", "name": "Acme Looms"},
        "releasedDate": "2026-06-30T17:49:03.000Z",
        "location": {
            "city": "Łódź",
            "country": "pl",
            "remote": False,
            "hybrid": True,
            "fullLocation": "Łódź, , Poland",
        },
        "department": {},
        "function": {"id": "production", "label": "Production"},
        "typeOfEmployment": {"id": "permanent", "label": "Full-time"},
    } | changes


SMARTRECRUITERS_DETAIL = smartrecruiters_item(
    postingUrl="https://jobs.smartrecruiters.com/acme/744000100000001-weaver",
    applyUrl="https://jobs.smartrecruiters.com/acme/744000100000001-weaver?oga=true",
    compensation={"min": 34, "max": 47, "currency": "PLN", "period": "HOURLY"},
    jobAd={
        "sections": {
            "companyDescription": {"title": "Company Description", "text": "<p>We weave.</p>"},
            "jobDescription": {"title": "Job Description", "text": "<p>You weave.</p>"},
            "qualifications": {"title": "Qualifications", "text": ""},
        }
    },
)


def bamboohr_item(**changes: Any) -> Row:
    return {
        "id": "86",
        "jobOpeningName": "Beekeeper",
        "departmentLabel": "Meadow ",
        "employmentStatusLabel": "Part Time",
        "location": {"city": "Graz", "state": "Steiermark"},
        "atsLocation": {"country": None, "state": None, "province": None, "city": None},
        "isRemote": None,
        "locationType": "0",
    } | changes


BAMBOOHR_DETAIL: Row = {
    "meta": {"jobOpeningStatus": "Open"},
    "result": {
        "jobOpening": {
            "jobOpeningShareUrl": "https://acme.bamboohr.com/careers/86",
            "jobOpeningName": "Beekeeper",
            "departmentLabel": "Meadow",
            "employmentStatusLabel": "Part Time",
            "location": {"city": None, "state": None, "addressCountry": None},
            "atsLocation": {"country": "Austria", "state": None, "city": "Graz"},
            "description": "<p>Mind the <strong>bees</strong>.</p>",
            "compensation": "$40,000 - $50,000",
            "datePosted": "2026-05-11",
            "locationType": "2",
        }
    },
}


def rippling_item(**changes: Any) -> Row:
    return {
        "uuid": _UUID,
        "name": "Night Librarian",
        "department": {"id": "Stacks", "label": "Stacks"},
        "url": f"https://ats.rippling.com/acme/jobs/{_UUID}",
        "workLocation": {"label": "Ghent, BE", "id": "Ghent, BE"},
    } | changes


RIPPLING_DETAIL: Row = {
    "uuid": _UUID,
    "name": "Night Librarian",
    "companyName": "Acme Libraries",
    "department": {"name": "Stacks"},
    "description": {"company": "<p>We lend.</p>", "role": "<p>You guard.</p>"},
    "workLocations": ["Ghent, BE", "Remote (Belgium)"],
    "employmentType": {"label": "SALARIED_FT", "id": "Salaried, full-time"},
    "createdOn": "2026-03-31T17:37:26.093000-07:00",
    "payRangeDetails": [
        {"rangeStart": 18, "rangeEnd": 25, "currency": "EUR", "frequency": "HOUR"},
    ],
}

SHAPES = {
    "workday": Shape(
        Board("workday", "acme/Careers@wd3"),
        workday_item,
        workday_row,
        under("jobPostings"),
        detail=WORKDAY_DETAIL,
    ),
    "smartrecruiters": Shape(
        Board("smartrecruiters", "acme"),
        smartrecruiters_item,
        fields("id", "name"),
        under("content"),
        detail=SMARTRECRUITERS_DETAIL,
    ),
    "bamboohr": Shape(
        Board("bamboohr", "acme"),
        bamboohr_item,
        fields("id", "jobOpeningName"),
        under("result"),
        detail=BAMBOOHR_DETAIL,
    ),
    "rippling": Shape(
        Board("rippling", "acme"),
        rippling_item,
        fields("uuid", "name"),
        list,
        detail=RIPPLING_DETAIL,
    ),
}
