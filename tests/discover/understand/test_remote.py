"""Remote: yes, no or unknown, with scope; a city alone is no office (P002, P003, P011)."""

import pytest

from jobsteward.discover.understand.remote import read_remote

SAYS = {
    "yes": [
        "This is a fully remote position.",
        "We are a remote-first company with hubs in Berlin.",
        "The role can be performed remotely.",
        "Poste en full remote.",
        "100% Homeoffice möglich.",
        "Trabajo 100% remoto desde España.",
        "Hybrid or fully remote, your choice.",
        "Open to hire for remote work as well.",
        "完全リモート勤務可能です。",
        "remote-first company; offices optional",
    ],
    "no": [
        "This position is not eligible for remote work.",
        "Hybrid: 2 days WFH.",
        "We expect you in the office three days per week.",
        "This role requires being on-site at our Fairview facility.",
        "Du kannst bis zu 3 Tage pro Woche im Homeoffice arbeiten.",
        "Poste basé à Lyon, télétravail 2 jours par semaine.",
        "Thuiswerken is mogelijk, 2 dagen per week op kantoor.",
        "Modalidad híbrida: 2 días en oficina.",
        "This job is 100% on-site.",
        "リモートワークは週2日まで可能です。",
    ],
    "unknown": [
        "You will lead remote teams and manage remote sites.",
        "Experience with hybrid cloud infrastructure.",
        "A hybrid consulting and builder role.",
        "Work from home stipend of $500.",
        "Our on-site gym and free lunch.",
        "You will prepare monthly closings in Lyon.",
        "",
    ],
}


@pytest.mark.parametrize(
    ("text", "value"), [(text, value) for value, texts in SAYS.items() for text in texts]
)
def test_a_description_says_it(text: str, value: str) -> None:
    remote = read_remote(None, ["Lyon, France"], "", text)
    assert remote.value == value
    assert all(text[span.start : span.end] == span.text for span in remote.spans)


def test_hybrid_in_a_city_is_no() -> None:
    """P002."""
    remote = read_remote(None, ["Austin, TX"], "Solutions Engineer", "Hybrid, 3 days in Austin")
    assert (remote.value, remote.workplaces) == ("no", ("hybrid",))


def test_a_hint_and_the_text_together_offer_both() -> None:
    """P003."""
    text = "Open to hire for remote work as well."
    remote = read_remote("remote", ["Boxborough, MA, US"], "", text)
    assert remote.value == "yes"
    assert set(remote.workplaces) == {"remote", "onsite"}
    assert remote.scope.admits("US") == "yes"
    assert {span.field for span in remote.spans} == {"workplace", "description"}


def test_nothing_said_is_unknown() -> None:
    """P011."""
    assert read_remote(None, ["Oslo, Norway"]).value == "unknown"
    assert read_remote("Flexible", []).value == "unknown"


def test_the_declared_workplace_decides() -> None:
    text = "You may work fully remote on Fridays."
    assert read_remote("Hybrid", ["Remote (US)"], "", text).value == "no"
    assert read_remote("OnSite", ["Lima"]).workplaces == ("onsite",)


def test_a_bare_remote_has_no_scope_and_a_text_can_give_one() -> None:
    """P007."""
    assert not read_remote("remote", ["Remote"]).scope.known
    text = "This role is 100% remote; you must be legally resident in Germany or Austria."
    assert read_remote(None, ["Remote"], "", text).scope.countries == ("DE", "AT")
    assert read_remote(None, ["Remote"], "Account Manager [Remote-US]").scope.countries == ("US",)


def test_the_scope_is_what_stands_with_the_word() -> None:
    remote = read_remote(None, ["New York, NY", "Remote (Canada)"])
    assert remote.scope.countries == ("CA",)
