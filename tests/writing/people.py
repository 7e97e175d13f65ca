"""An invented person for the tests of writers and gate."""

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

TODAY = PartialDate(2026, 11, 30)
PRESENT = Position(
    "Copper Kettle",
    "Software Engineer",
    Period(PartialDate(2021, 5), current=True),
    "Oslo",
    (
        "Wrote the order service in Python and PostgreSQL; it takes 900 orders a minute.",
        "Mentor three interns.",
        "Cut the build time from 40 min to 12 min.",
    ),
)
PAST = Position(
    "Tin Whistle AB",
    "Junior Developer",
    Period(PartialDate(2018), PartialDate(2021, 4)),
    "",
    (
        "Maintained a billing tool in Java.",
        "Helped the operations team move to Docker.",
        "Did not work on the mobile app.",
    ),
)
PERSON = Profile(
    "Runa Dahl",
    "Software Engineer",
    positions=(PRESENT, PAST),
    studies=(
        Study("Fjord University", "BSc", "Physics", Period(PartialDate(2014), PartialDate(2017))),
    ),
    credentials=(Credential("Scrum Basics", "Acme Academy", PartialDate(2020)),),
    skills=(Skill("Python"), Skill("PostgreSQL"), Skill("Scalability"), Skill("Zero-trust")),
    languages=(Language("Norwegian", "native"),),
)
