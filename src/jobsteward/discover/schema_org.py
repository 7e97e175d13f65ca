"""What one schema.org JobPosting object says, whatever shape its author gave the fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jobsteward.discover.markup_pay import base_salary
from jobsteward.discover.markup_places import applicant_places, is_virtual, job_places
from jobsteward.discover.markup_text import every_words, field, first_words, text_block
from jobsteward.discover.model import Pay, Remote
from jobsteward.discover.payload import Item
from jobsteward.discover.stated import stated_moment
from jobsteward.discover.workplace import remote_from

_SECTIONS = (
    ("responsibilities", "Responsibilities"),
    ("qualifications", "Qualifications"),
    ("skills", "Skills"),
    ("experienceRequirements", "Experience"),
    ("educationRequirements", "Education"),
    ("eligibilityToWorkRequirement", "Eligibility to work"),
    ("securityClearanceRequirement", "Security clearance"),
    ("physicalRequirement", "Physical requirements"),
    ("specialCommitments", "Special commitments"),
    ("workHours", "Working hours"),
    ("jobBenefits", "Benefits"),
    ("benefits", "Benefits"),
    ("incentiveCompensation", "Incentives"),
    ("incentives", "Incentives"),
    ("employerOverview", "About the employer"),
)


@dataclass(frozen=True, slots=True)
class JobMarkup:
    """A posting as a page declares it, cleaned but not interpreted; None where it is silent.

    ``url`` may be relative to the page, and may lead to the employer's front page.
    ``locations`` are one line a place; where the job is remote, each place that applicants
    may live in follows as "Remote, PLACE". ``description`` is Markdown, with the fields
    that the page keeps apart (responsibilities, skills, benefits …) as sections behind it,
    unless it says them already. ``posted_at`` and ``valid_through`` are as in
    `stated_moment`; a far ``valid_through`` says nothing about freshness.
    """

    title: str
    company: str | None = None
    company_url: str | None = None
    identifier: str | None = None
    url: str | None = None
    locations: tuple[str, ...] = ()
    applicant_places: tuple[str, ...] = ()
    remote: Remote = "unknown"
    workplace: str | None = None
    employment_type: str | None = None
    department: str | None = None
    industry: str | None = None
    pay: tuple[Pay, ...] = ()
    description: str | None = None
    posted_at: str | None = None
    valid_through: str | None = None
    direct_apply: bool | None = None


def read_markup(node: Item) -> JobMarkup | None:
    """The posting that the object describes; None where it has no title."""
    title = first_words(field(node, "title")) or first_words(field(node, "name"))
    if title is None:
        return None
    employer = field(node, "hiringOrganization")
    applicants = applicant_places(field(node, "applicantLocationRequirements"))
    remote, workplace, locations = _where(node, applicants)
    return JobMarkup(
        title=title,
        company=first_words(employer) or first_words(_part(employer, "legalName")),
        company_url=first_words(_part(employer, "url")) or first_words(_part(employer, "sameAs")),
        identifier=_identifier(field(node, "identifier")),
        url=first_words(field(node, "url")),
        locations=locations,
        applicant_places=applicants,
        remote=remote,
        workplace=workplace,
        employment_type=_joined(field(node, "employmentType")),
        department=_department(node),
        industry=_joined(field(node, "industry")),
        pay=base_salary(node),
        description=_description(node),
        posted_at=_date(node, "datePosted") or _date(node, "datePublished"),
        valid_through=_date(node, "validThrough"),
        direct_apply=_truth(field(node, "directApply")),
    )


def _part(value: Any, name: str) -> Any:
    """The field of an object, or of the first object in a list."""
    first = value[0] if isinstance(value, list) and value else value
    return field(first, name) if isinstance(first, dict) else None


def _identifier(value: Any) -> str | None:
    return first_words(_part(value, "value")) or (
        None if isinstance(value, dict) else first_words(value)
    )


def _joined(value: Any) -> str | None:
    return ", ".join(dict.fromkeys(every_words(value)))[:500] or None


def _department(node: Item) -> str | None:
    stated = (
        field(node, "employmentUnit"),
        _part(field(node, "hiringOrganization"), "department"),
        field(node, "department"),
        field(node, "occupationalCategory"),
        field(node, "jobCategory"),
    )
    return next((found for value in stated if (found := _joined(value))), None)


def _where(node: Item, applicants: Sequence[str]) -> tuple[Remote, str | None, tuple[str, ...]]:
    stated = field(node, "jobLocation")
    places = job_places(stated)
    workplace = _joined(field(node, "jobLocationType"))
    if "telecommute" in (workplace or "").lower() or is_virtual(stated):
        scopes = [f"Remote, {place}" for place in applicants if place not in places]
        return "yes", workplace, (*places, *scopes)
    return remote_from(workplace, places), workplace, places


def _description(node: Item) -> str | None:
    text = text_block(field(node, "description")) or ""
    said = _bare(text)
    for name, heading in _SECTIONS:
        section = text_block(field(node, name))
        if section and _bare(section) not in said:
            text += f"\n\n## {heading}\n\n{section}"
            said += _bare(section)
    return text.strip() or None


def _bare(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _date(node: Item, name: str) -> str | None:
    value = field(node, name)
    first = value[0] if isinstance(value, list) and value else value
    first = field(first, "@value") if isinstance(first, dict) else first
    return stated_moment(first)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get((first_words(value) or "").lower())
