"""The admission policy: whole words, tri-state answers, reasons with their spans (DIS-7)."""

from typing import Any

import pytest

from jobsteward.discover.admit import Decision, admit, basis, explained, unread_places
from jobsteward.discover.admit_words import contradictions
from jobsteward.discover.model import Pay
from jobsteward.discover.preferences import LeastPay, Preferences
from tests.discover.boards import posting


def decide(wanted: Preferences, **fields: Any) -> Decision:
    return admit(wanted, posting(1, **fields))


def reason(wanted: Preferences, **fields: Any) -> str | None:
    return decide(wanted, **fields).reason


def test_open_preferences_admit_everything_and_ask_nothing() -> None:
    assert admit(Preferences(boards=("https://acme.example",)), posting(1)) == Decision()


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("Software Engineer", "Senior Software Engineer (m/w/d)"),
        ("software engineer", "Software-Engineer, Backend"),
        ("Senior Engineer", "Sr. Eng"),
        ("Staff Engineer", "Staff Engineer, Pricing Platform"),
        ("Engineering Manager", "Engineering Manager, Accounts"),
        ("Engineer + Backend", "Backend Platform Engineer"),
        ("engin*", "Engineering Lead"),
    ],
)
def test_wanted_titles_stand_as_whole_words(wanted: str, title: str) -> None:
    """J01, P121: business words beside a wanted title never drop it."""
    decision = decide(Preferences(titles=(wanted,)), title=title)
    assert decision.admitted
    span = decision.checks[0].spans[0]
    assert title[span.start : span.end] == span.text


@pytest.mark.parametrize(
    ("wanted", "title"),
    [("CTO", "Director of Analytics"), ("COO", "Coordinator"), ("Go", "Goals Analyst")],
)
def test_letters_inside_a_word_are_no_title(wanted: str, title: str) -> None:
    """P121."""
    assert reason(Preferences(titles=(wanted,)), title=title) == "title_not_wanted"


@pytest.mark.parametrize(
    ("term", "title"),
    [
        ("Intern", "Internal Tools Engineer"),
        ("intern", "International Sales"),
        ("java", "TypeScript/JavaScript Developer"),
        ("ios", "Head of Curiosity"),
    ],
)
def test_excluded_words_are_whole_words(term: str, title: str) -> None:
    """P122, P123."""
    assert reason(Preferences(exclusions=(term,)), title=title) is None


@pytest.mark.parametrize(
    ("term", "fields", "found"),
    [
        ("intern", {"title": "Software Intern"}, "Intern"),
        ("intern*", {"title": "International Sales"}, "International"),
        ("company:acme", {"company": "ACME Holdings GmbH"}, "ACME Holdings GmbH"),
        ("text:clearance", {"description": "Needs a security clearance."}, "clearance"),
        ("contract", {"employment_type": "Contract"}, "Contract"),
    ],
)
def test_an_exclusion_refuses_with_its_rule_and_span(
    term: str, fields: dict[str, Any], found: str
) -> None:
    """P123: what was dropped says why."""
    decision = decide(Preferences(exclusions=(term,)), **fields)
    assert decision.reason == "excluded_word"
    assert decision.checks[-1].term == term
    assert decision.checks[-1].spans[0].text == found


def test_plain_exclusions_leave_the_description_alone() -> None:
    wanted = Preferences(exclusions=("senior", "company:Acme Robotics"))
    assert reason(wanted, description="You work with senior engineers.") is None


def test_contradicting_preferences_are_told() -> None:
    """P122: a word that rules a wanted title out is no silent filter."""
    wanted = Preferences(titles=("Data Engineer", "Intern Lead"), exclusions=("intern", "dat*"))
    assert contradictions(wanted) == (("intern", "Intern Lead"), ("dat*", "Data Engineer"))


REMOTE_US = Preferences(places=("Remote US", "Los Angeles"))


def test_a_wrong_place_is_refused_before_any_score() -> None:
    """P002: an office in Austin is neither remote in the US nor in Los Angeles."""
    fields: dict[str, Any] = {"locations": ("Austin, TX",), "remote": "no"}
    decision = decide(REMOTE_US, description="Hybrid, 3 days in Austin", **fields)
    assert decision.reason == "location_not_allowed"
    assert decision.checks[-1].spans


@pytest.mark.parametrize(
    ("places", "locations", "text"),
    [
        (("Remote US", "Los Angeles"), ("Santa Monica, CA",), "On-site."),
        (("Remote US",), ("Boxborough, MA, US",), "Open to hire for remote work as well"),
        (("Boston",), ("Remote in the United States or Canada (East Coast/ET)",), "Text"),
        (("Germany",), ("Berlin",), "Text"),
        (("Europe",), ("Remote - Germany",), "Text"),
        (("Berlin",), ("Remote (EMEA)",), "Text"),
        (("Poland",), ("Remote, worldwide",), "Text"),
        (("Kleinbuckelheim",), ("Kleinbuckelheim",), "Text"),
    ],
)
def test_wanted_places_are_recognised(
    places: tuple[str, ...], locations: tuple[str, ...], text: str
) -> None:
    """P003, P004."""
    decision = decide(Preferences(places=places), locations=locations, description=text)
    assert decision.checks[-1].answer == "yes"


@pytest.mark.parametrize(
    ("places", "locations"),
    [
        (("Germany",), ("Poland (Remote)",)),
        (("Berlin",), ("Munich",)),
        (("California",), ("Austin, TX",)),
        (("Canada",), ("Remote - US only",)),
        (("Europe",), ("New York",)),
    ],
)
def test_places_elsewhere_are_refused(places: tuple[str, ...], locations: tuple[str, ...]) -> None:
    """J12: the location policy holds for remote work as well."""
    assert reason(Preferences(places=places), locations=locations) == "location_not_allowed"


@pytest.mark.parametrize("locations", [(), ("Remote",), ("Hauptsitz Nord",), ("Germany",)])
def test_an_unknown_place_is_kept_as_unknown(locations: tuple[str, ...]) -> None:
    """P007: nothing, a bare "Remote", an unread place and a wider one decide nothing."""
    decision = decide(Preferences(places=("Berlin",)), locations=locations, description=None)
    assert decision.admitted
    assert decision.checks[-1].answer == "unknown"


def test_unread_wanted_places_are_told() -> None:
    assert unread_places(Preferences(places=("Berlin", "Kleinbuckelheim"))) == ("Kleinbuckelheim",)


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"remote": "yes"}, "yes"),
        ({"remote": "no"}, "no"),
        ({"remote": "unknown"}, "unknown"),
        ({"workplace": "hybrid", "remote": "yes"}, "no"),
        ({"remote": "yes", "description": "This role is on-site in Berlin."}, "unknown"),
    ],
)
def test_remote_is_tri_state(fields: dict[str, Any], answer: str) -> None:
    """P011: an unknown is kept and marked, a contradiction is unknown."""
    decision = decide(Preferences(remote=("yes",)), **fields)
    assert decision.checks[-1].answer == answer
    assert decision.reason == ("remote_not_wanted" if answer == "no" else None)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Pay: $45/hour", "yes"),
        ("Salary: $80,000 - $95,000 per year", "yes"),
        ("Salary: $60,000 - $70,000 per year", "no"),
        ("Salary: 60.000 - 70.000 EUR per year", "unknown"),
        ("A competitive salary", "unknown"),
        (None, "unknown"),
    ],
)
def test_pay_is_compared_by_the_year_and_never_by_guess(text: str | None, answer: str) -> None:
    """J02: $45 an hour is no $45,000."""
    decision = decide(Preferences(least_pay=LeastPay(90_000, "USD")), description=text)
    assert decision.checks[-1].answer == answer
    assert decision.admitted == (answer != "no")


def test_an_open_upper_end_reaches_any_pay() -> None:
    pay = (Pay(50_000, None, "USD", "year"),)
    assert reason(Preferences(least_pay=LeastPay(90_000, "USD")), pay=pay) is None


def test_an_explanation_asks_every_rule() -> None:
    wanted = Preferences(titles=("Nurse",), places=("Paris",), exclusions=("engineer",))
    assert [check.rule for check in admit(wanted, posting(1)).checks] == ["exclusions"]
    full = explained(wanted, posting(1))
    assert full.reason == "excluded_word"
    assert [(check.rule, check.answer) for check in full.checks] == [
        ("exclusions", "no"),
        ("titles", "no"),
        ("places", "no"),
    ]


def test_the_basis_of_a_decision_changes_with_the_preferences_only() -> None:
    wanted = Preferences(titles=("Nurse",))
    assert basis(wanted) == basis(wanted.narrowed(boards=("https://acme.example",)))
    assert basis(wanted) != basis(wanted.narrowed(titles=("Cook",)))
