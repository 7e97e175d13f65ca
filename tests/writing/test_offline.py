"""The writer without a model: the person's own sentences, all of them true (MAT-2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsteward.profile.model import Position, Profile, Skill
from jobsteward.writing.claims import Target
from jobsteward.writing.gate import judge, refused
from jobsteward.writing.needs import named_needs
from jobsteward.writing.offline import OfflineWriter, compose
from jobsteward.writing.port import Brief, Limits, Need, claims_of
from tests.writing.people import PAST, PERSON, PRESENT, TODAY

TARGET = Target("Acme", "Platform Engineer")
NEEDS = (Need("You know Docker."), Need("Java is a plus.", must=False), Need("Kubernetes"))


def test_every_claim_passes_the_gate() -> None:
    draft = compose(Brief(PERSON, TARGET, NEEDS))
    assert refused(judge(claims_of(draft), PERSON, TODAY, TARGET)) == ()


def test_what_the_posting_asks_for_comes_first() -> None:
    draft = compose(Brief(PERSON, TARGET, NEEDS))
    past = next(one for one in draft.resume.positions if one.entry == PAST.entry_id)
    assert past.bullets[0].text == PAST.bullets[1]
    assert "Helped the operations team move to Docker." in {
        claim.text for paragraph in draft.letter for claim in paragraph
    }


def test_gaps_are_told_and_never_filled() -> None:
    """P055, P057: coverage cannot be raised by text."""
    draft = compose(Brief(PERSON, TARGET, NEEDS))
    assert draft.gaps == (Need("Kubernetes"),)
    assert not any("Kubernetes" in claim.text for claim in claims_of(draft))


def test_limits_drop_the_weakest_and_say_which() -> None:
    """J06: what was left out is listed."""
    draft = compose(Brief(PERSON, TARGET, NEEDS, Limits(bullets=2)))
    kept = [bullet.text for entry in draft.resume.positions for bullet in entry.bullets]
    assert set(kept) == {PAST.bullets[0], PAST.bullets[1]}
    assert {claim.text for claim in draft.resume.dropped} == {*PRESENT.bullets, PAST.bullets[2]}


def test_needs_are_met_before_the_rest_is_filled_up() -> None:
    many = tuple(f"Used Python for task {name}." for name in "abcdefgh")
    person = Profile(
        "Ann", positions=(Position("Acme Mills", "Dev", bullets=(*many, "Ran Kafka.")),)
    )
    brief = Brief(person, TARGET, (Need("Python"), Need("Kafka")), Limits(bullets=3))
    texts = {claim.text for claim in claims_of(compose(brief))}
    assert "Ran Kafka." in texts


@pytest.mark.anyio
async def test_the_same_brief_gives_the_same_draft() -> None:
    brief = Brief(PERSON, TARGET, NEEDS)
    assert await OfflineWriter().write(brief, TODAY) == compose(brief)


@pytest.mark.parametrize(
    "words", [("Bygget", "en"), ("Leitete das Lager und die Lieferung.", "de")]
)
def test_the_letter_is_in_the_persons_language(words: tuple[str, str]) -> None:
    text, language = words
    person = Profile("Ann", positions=(Position("Acme Mills", "Leitung", bullets=(text,)),))
    greeting = compose(Brief(person, TARGET)).letter[0][0].text
    assert greeting == {"en": "Dear Hiring Team,", "de": "Sehr geehrte Damen und Herren,"}[language]


def test_an_empty_profile_makes_an_empty_resume() -> None:
    draft = compose(Brief(Profile("Ann"), TARGET, NEEDS))
    assert draft.gaps == NEEDS
    assert refused(judge(claims_of(draft), Profile("Ann"), TODAY, TARGET)) == ()


def test_needs_named_in_a_posting() -> None:
    """Without a better reading, the sentences that name skills are the needs."""
    text = "We are a mill. You know Go.\nGoals matter. Rust is a plus."
    assert [need.text for need in named_needs(text)] == ["You know Go.", "Rust is a plus."]


_TEXT = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=60)


@settings(max_examples=60, deadline=None)
@given(st.lists(_TEXT, max_size=4), st.lists(_TEXT, max_size=4), _TEXT)
def test_own_sentences_pass_whatever_they_are(
    bullets: list[str], skills: list[str], need: str
) -> None:
    person = Profile(
        "Ann Mill",
        positions=(Position("Acme Mills", "Miller", bullets=tuple(bullets)),),
        skills=tuple(map(Skill, skills)),
    )
    draft = compose(Brief(person, TARGET, (Need(need),)))
    assert refused(judge(claims_of(draft), person, TODAY, TARGET)) == ()
