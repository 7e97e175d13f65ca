"""A person's words match whole words only (P121-P123, J03, J04)."""

import pytest

from jobsteward.discover.understand.terms import find_any, find_term


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("CTO", "CTO, Payments"), ("full stack", "Full-Stack Engineer"), ("C++", "Rust and C++."),
        ("Go", "Backend Engineer (Go)"), (".NET", "Senior .NET Developer"),
        ("Anchor + Solana", "Solana engineer with Anchor"), ("front-end", "Front\u2011End"),
        ("smart contract", "Smart Contracts"), ("developpeur", "Développeur web"),
    ],
)  # fmt: skip
def test_a_term_is_found_with_its_span(term: str, text: str) -> None:
    span = find_term("title", text, term)
    assert span is not None
    assert text[span.start : span.end] == span.text


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("CTO", "Director of Analytics"), ("COO", "Coordinator"), ("Intern", "Internal Tools"),
        ("Intern", "International"), ("java", "JavaScript"), ("ios", "curiosity"),
        ("Go", "goals"), ("C", "C++ and C#"), ("R", "Rust"), ("Rust Engineer", "Trust Engineer"),
        ("DeFi + Engineer", "Software Defined Networking Engineer"), ("AI", "email"), (" ", "x"),
    ],
)  # fmt: skip
def test_letters_inside_a_word_are_no_match(term: str, text: str) -> None:
    assert find_term("title", text, term) is None


def test_the_first_term_that_stands_there_is_told() -> None:
    found = find_any("title", "Senior Rust Engineer", ("Go", "Rust"))
    assert found is not None
    assert (found[0], found[1].start) == ("Rust", 7)
