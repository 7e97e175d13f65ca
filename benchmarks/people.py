"""The invented people of the gate's labelled set, and what is claimed about them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobsteward.profile.model import (
    Credential,
    Language,
    PartialDate,
    Period,
    Position,
    Profile,
    Skill,
    Study,
)
from jobsteward.writing.claims import Claim, Target

DATA = Path(__file__).parent / "data"
TODAY = PartialDate(2026, 11, 30)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A claim with its label: whether it is true, and which kind of truth or invention."""

    id: str
    person: str
    half: str
    claim: Claim
    true: bool
    kind: str


def people() -> dict[str, tuple[Profile, Target, str]]:
    """Each person's profile, the job that their letter is for, and their half of the set."""
    raw = json.loads((DATA / "gate_people.json").read_text("utf-8"))
    return {
        key: (_profile(one), Target(**one.get("target", {})), one["half"])
        for key, one in raw.items()
    }


def labelled_claims() -> list[Labelled]:
    """All claims of the set, in the order of the file."""
    known = people()
    lines = (DATA / "gate_claims.jsonl").read_text("utf-8").splitlines()
    return [_labelled(json.loads(line), known) for line in lines]


def _labelled(row: dict[str, Any], known: dict[str, tuple[Profile, Target, str]]) -> Labelled:
    profile, _, half = known[row["person"]]
    entry = profile.positions[row["entry"]].entry_id if "entry" in row else ""
    claim = Claim(row["text"], row["place"], entry)
    half = row.get("half", half)
    return Labelled(row["id"], row["person"], half, claim, row["label"] == "true", row["kind"])


def _profile(raw: dict[str, Any]) -> Profile:
    return Profile(
        name=raw["name"],
        headline=raw["headline"],
        summary=tuple(raw["summary"]),
        positions=tuple(
            Position(
                one["employer"],
                one["title"],
                _period(one),
                one.get("location", ""),
                tuple(one["bullets"]),
            )
            for one in raw["positions"]
        ),
        studies=tuple(
            Study(
                one["institution"], one["degree"], one["area"], _period(one), one.get("score", "")
            )
            for one in raw["studies"]
        ),
        credentials=tuple(
            Credential(one["name"], one.get("issuer", ""), _date(one.get("date")))
            for one in raw.get("credentials", [])
        ),
        skills=tuple(Skill(*([one] if isinstance(one, str) else one)) for one in raw["skills"]),
        languages=tuple(Language(*one) for one in raw["languages"]),
        awards=tuple(raw.get("awards", [])),
    )


def _period(raw: dict[str, Any]) -> Period:
    return Period(_date(raw.get("start")), _date(raw.get("end")), raw.get("current", False))


def _date(text: str | None) -> PartialDate | None:
    return PartialDate.parse(text) if text else None
