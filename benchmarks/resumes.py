"""The corpus's résumés as profiles, for measuring writers: only what each file states."""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

from benchmarks.corpus import corpus
from jobsteward.profile.model import (
    Credential,
    Language,
    PartialDate,
    Period,
    Position,
    Profile,
    Project,
    Skill,
    Study,
)

_ROLE = re.compile(r"(?P<title>[^\u2014|]+) \u2014 (?P<employer>[^|]+) \| (?P<dates>.+)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 -- a table
_LONGEST_LINE = 900


def resumes() -> Iterator[tuple[str, Profile]]:
    """Every résumé of the corpus that can be read here, by the name of its file or row."""
    folder = corpus() / "D_resumes"
    for path in sorted((folder / "json").glob("jr_*.json")):
        yield path.stem, json_resume(json.loads(path.read_text("utf-8")))
    for path in sorted((folder / "labelled").glob("persona_*.cv.txt")):
        yield path.stem, persona(path.read_text("utf-8"))
    with (folder / "labelled" / "synthetic_resumes_25.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            yield f"synthetic_{row['ID']}", text_only(row["Resume"])
    pairs = json.loads((folder / "labelled" / "jd_resume_pairs_20.json").read_text("utf-8"))
    for number, pair in enumerate(pairs):
        yield f"pair_{number}", text_only(pair["resume"])
    for line in (folder / "labelled" / "ner_dotin.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield row["id"], text_only(row["text"])


def text_only(text: str) -> Profile:
    """A profile whose only entry holds every line of a text as one of the person's sentences."""
    lines = (line.strip(" \t-*\u2022:|") for line in text.splitlines())
    bullets = tuple(line for line in lines if 15 <= len(line) <= _LONGEST_LINE)
    return Profile("", positions=(Position("", "", bullets=bullets),))


def persona(text: str) -> Profile:
    """The plain layout of the invented people's résumés."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    positions: list[Position] = []
    skills: tuple[Skill, ...] = ()
    section = ""
    for line in lines[2:]:
        role = _ROLE.fullmatch(line)
        if line.isupper() and " " not in line.strip(":"):
            section = line
        elif role:
            positions.append(Position(role["employer"], role["title"], _dates(role["dates"])))
        elif line.startswith("- ") and positions:
            last = positions[-1]
            positions[-1] = Position(
                last.employer, last.title, last.period, bullets=(*last.bullets, line[2:])
            )
        elif section == "SKILLS":
            skills = tuple(Skill(name.strip()) for name in line.split(","))
    return Profile(lines[0], positions=tuple(positions), skills=skills)


def _dates(text: str) -> Period:
    start, _, end = text.partition("\u2013")
    if "present" in end.lower():
        return Period(_month(start), None, current=True)
    return Period(_month(start), _month(end))


def _month(text: str) -> PartialDate | None:
    name, _, year = text.strip().rpartition(" ")
    if not year.isdigit():
        return None
    month = _MONTHS.index(name[:3].lower()) + 1 if name[:3].lower() in _MONTHS else 0
    return PartialDate(int(year), month)


def json_resume(raw: dict[str, Any]) -> Profile:
    """The parts of a JSON Resume that a writer uses."""
    basics = raw.get("basics", {})
    return Profile(
        name=basics.get("name", ""),
        headline=basics.get("label", ""),
        summary=tuple(filter(None, [basics.get("summary", "")])),
        positions=tuple(_position(one) for one in raw.get("work", [])),
        studies=tuple(
            Study(
                one.get("institution", ""),
                one.get("studyType", ""),
                one.get("area", ""),
                _period(one),
                one.get("score", ""),
            )
            for one in raw.get("education", [])
        ),
        projects=tuple(
            Project(
                one.get("name", ""),
                "",
                _period(one),
                _sentences(one, "description"),
                tuple(one.get("keywords", [])),
            )
            for one in raw.get("projects", [])
        ),
        credentials=tuple(
            Credential(one.get("name", ""), one.get("issuer", ""))
            for one in raw.get("certificates", [])
        ),
        skills=tuple(
            Skill(name, group=one.get("name", ""))
            for one in raw.get("skills", [])
            for name in (one.get("keywords") or [one.get("name", "")])
        ),
        languages=tuple(
            Language(one.get("language", ""), one.get("fluency", ""))
            for one in raw.get("languages", [])
        ),
    )


def _position(raw: dict[str, Any]) -> Position:
    employer = raw.get("name") or raw.get("company") or ""
    bullets = _sentences(raw, "summary")
    return Position(employer, raw.get("position", ""), _period(raw), bullets=bullets)


def _sentences(raw: dict[str, Any], field: str) -> tuple[str, ...]:
    return tuple(filter(None, [raw.get(field, ""), *raw.get("highlights", [])]))


def _period(raw: dict[str, Any]) -> Period:
    start, end = _date(raw.get("startDate")), _date(raw.get("endDate"))
    return Period(start, end, current=bool(start and not end))


def _date(text: str | None) -> PartialDate | None:
    try:
        return PartialDate.parse(text or "")
    except ValueError:
        return None
