"""Texts cut into sentences."""

from jobsteward.writing.claims import letter_claims, sentences


def test_sentences_end_at_stops_and_lines_but_not_at_abbreviations() -> None:
    text = "Dear Dr. Moe,\nI cut 1.5 s to 0.4 s, e.g. Queries. It held! - A point\n* Another"
    assert sentences(text) == (
        "Dear Dr. Moe,",
        "I cut 1.5 s to 0.4 s, e.g. Queries.",
        "It held!",
        "A point",
        "Another",
    )


def test_nothing_of_a_letter_is_lost() -> None:
    text = "One. Two?\n\nThree"
    assert " ".join(claim.text for claim in letter_claims(text)) == "One. Two? Three"
    assert {claim.place for claim in letter_claims(text)} == {"letter"}
