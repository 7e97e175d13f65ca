"""Employers' names: spelling and legal forms apart, letters with marks kept (P028)."""

import pytest

from jobsteward.discover.companies import company_core, company_key, same_company


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Fennwick  &\u00a0Sons", "FENNWICK and Sons"),
        ("\uff2d\uff49\uff52ador", "Mirador"),
        ("Oak\u200bhollow", "Oakhollow"),
        ("Caf\u00e9 Blau", "Cafe\u0301 Blau"),
        ("Harrow's", "Harrow\u2019s"),
        ("\u0130zka", "i\u0307zka"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert company_key(one) == company_key(other) != ""


@pytest.mark.parametrize(("one", "other"), [("Škela", "Skela"), ("Żora", "Zora"), ("Ġelo", "Gelo")])
def test_marked_letters_are_letters_of_their_own(one: str, other: str) -> None:
    assert company_key(one) != company_key(other)
    assert same_company(one, other) == "no"


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("Acme Holdings GmbH", "acme"),
        ("Acme GmbH & Co. KG", "acme"),
        ("Acme, Inc. (US)", "acme"),
        ("Acme Sp. z o.o.", "acme"),
        ("Mirador S.A.", "mirador"),
        ("株式会社日向", "株式会社日向"),
        ("Group", "group"),
        ("W. W. Harrow", "ww harrow"),
        ("  ", ""),
    ],
)
def test_legal_forms_are_no_part_of_the_core(name: str, core: str) -> None:
    assert company_core(name) == core


@pytest.mark.parametrize(
    ("one", "other", "answer"),
    [
        ("Acme", "ACME Holdings GmbH", "yes"),
        ("Acme", "Acme Robotics", "unknown"),
        ("", "Acme", "unknown"),
        ("Acme", "Oakhollow", "no"),
        ("Acme Dental", "Acme Air", "no"),
    ],
)
def test_one_employer_or_not(one: str, other: str, answer: str) -> None:
    assert same_company(one, other) == same_company(other, one) == answer


def test_an_alias_is_the_same_employer() -> None:
    aliases = [frozenset({"Oakhollow", "Blue Kettle Ltd"})]
    assert same_company("Oakhollow Inc", "Blue Kettle", aliases) == "yes"
