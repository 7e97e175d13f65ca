"""Every bullet, skill, date, employer and number is a fact (MAT-1)."""

from dataclasses import replace

from jobsteward.profile.facts import facts_of
from jobsteward.profile.model import (
    Contact,
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

POSITION = Position(
    "Acme Mills",
    "Miller",
    Period(PartialDate(2020, 3), current=True),
    "Bergen",
    ("Grind 40 tons of rye a day.", "Keep the wheel turning."),
    ("Milling",),
)
PROFILE = Profile(
    "Ada Miller",
    "Miller",
    Contact("ada@mill.example", "+47 123", "Bergen", ("https://mill.example",)),
    ("Miller for 6 years.",),
    (POSITION,),
    (Study("Mill School", "Diploma", "Milling", Period(PartialDate(2015), PartialDate(2017))),),
    (Project("Windmill", bullets=("Drew the sails.",)),),
    (Credential("Master Miller", "Guild", PartialDate(2019)),),
    (Skill("Rye", "expert"),),
    (Language("Norwegian", "native"),),
    ("Mill of the Year, 2021",),
    ("On Rye",),
)


def test_nothing_of_the_profile_is_left_out() -> None:
    stated = {(fact.kind, fact.text) for fact in facts_of(PROFILE)}
    assert {
        ("name", "Ada Miller"),
        ("headline", "Miller"),
        ("email", "ada@mill.example"),
        ("employer", "Acme Mills"),
        ("title", "Miller"),
        ("start", "2020-03"),
        ("end", "present"),
        ("bullet", "Keep the wheel turning."),
        ("number", "40"),
        ("institution", "Mill School"),
        ("degree", "Diploma Milling"),
        ("end", "2017"),
        ("project", "Windmill"),
        ("credential", "Master Miller"),
        ("start", "2019"),
        ("skill", "Rye"),
        ("skill", "Milling"),
        ("language", "Norwegian"),
        ("award", "Mill of the Year, 2021"),
        ("publication", "On Rye"),
    } <= stated


def test_a_number_names_the_sentence_that_holds_it() -> None:
    facts = facts_of(PROFILE)
    number = next(fact for fact in facts if fact.kind == "number" and fact.text == "40")
    holding = next(fact for fact in facts if fact.id == number.within)
    assert holding.text == "Grind 40 tons of rye a day." and holding.entry == POSITION.entry_id


def test_an_edit_changes_no_other_id() -> None:
    edited = replace(POSITION, bullets=("Grind 50 tons of rye a day.", *POSITION.bullets[1:]))
    before = {fact.id for fact in facts_of(PROFILE)}
    after = {fact.id for fact in facts_of(replace(PROFILE, positions=(edited,)))}
    assert len(before - after) == len(after - before) == 2  # the bullet and its number


def test_ids_do_not_repeat() -> None:
    twice = replace(PROFILE, skills=(Skill("Rye"), Skill("Rye")))
    ids = [fact.id for fact in facts_of(twice)]
    assert len(ids) == len(set(ids))
