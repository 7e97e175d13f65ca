"""Words that are matched, and words that only look alike."""

import pytest

from jobsteward.writing.words import keys, language_of, written_out


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("tested", "testing", "en"),
        ("evaluation", "evaluate", "en"),
        ("deployed", "deployment", "en"),
        ("companies", "company", "en"),
        ("reduced", "cut", "en"),
        ("wrote", "author", "en"),
        ("led", "leads", "en"),
        ("konstruierte", "konstruiert", "de"),
        ("eingefuhrt", "fuhrte", "de"),
        ("participe", "participation", "fr"),
    ],
)
def test_forms_of_a_word_match(one: str, other: str, language: str) -> None:
    assert keys(one, language) & keys(other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("production", "product"),
        ("manager", "managed"),
        ("international", "internal"),
        ("increased", "reduced"),
        ("maintained", "built"),
        ("developer", "developed"),
    ],
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert not keys(one, "en") & keys(other, "en")


def test_abbreviations_are_written_out() -> None:
    assert written_out("b.sc.") == ("bachelor", "science")


def test_small_words_tell_the_language() -> None:
    assert language_of(["das", "ist", "ein", "test", "mit", "der", "bahn"]) == "de"
    assert language_of(["python"]) is None
