"""Names of skills as whole words and under every alias (MAT-4, J03, P056, P059)."""

import pytest

from jobsteward.profile.skill_terms import TABLES
from jobsteward.profile.skills import broader, find_skills, skill_count, skill_named


def found(text: str) -> list[str]:
    return [mention.skill for mention in find_skills(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Our goals are high.",
        "Go above and beyond.",
        "Write us an email about the rail project.",
        "R&D and C-level, Series C, Vitamin C",
        "Scalable rusty bashful trust",
        "I excel at this and express it swiftly.",
        "The rest can help; I am a team player.",
        "net income",
    ],
)
def test_words_inside_words_and_ordinary_words_are_no_skills(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("Go, R and C/C++", ["Go", "R", "C", "C++"]),
        ("golang on K8s", ["Go", "Kubernetes"]),
        ("Postgres or psql", ["PostgreSQL", "PostgreSQL"]),
        ("Node.js, nodejs, Node JS", ["Node.js"] * 3),
        (".NET, ASP.NET Core, C#", [".NET", "ASP.NET", "C#"]),
        ("MS Excel and microsoft excel", ["Excel", "Excel"]),
        ("CI/CD with A/B tests", ["CI/CD", "A/B testing"]),
        ("Scalability, Zero-trust", ["Scalability", "Zero trust"]),
        ("JavaScript, not Java", ["JavaScript", "Java"]),
        ("React Native", ["React Native"]),
        ("SAP S/4HANA", ["SAP S/4HANA"]),
        ("CAN bus and CAN", ["CAN bus", "CAN bus"]),
    ],
)
def test_every_spelling_is_the_same_skill(text: str, skills: list[str]) -> None:
    assert found(text) == skills


def test_a_mention_is_where_it_says() -> None:
    text = "Ran Apache Kafka at night"
    (mention,) = find_skills(text)
    assert text[mention.start : mention.end] == "Apache Kafka"


def test_a_narrow_skill_includes_the_broad_one_and_not_the_reverse() -> None:
    assert "SQL" in broader("PostgreSQL") and "PostgreSQL" not in broader("SQL")
    assert {"JavaScript", "React"} <= broader("Next.js")


def test_the_list_is_of_the_size_that_it_says() -> None:
    assert skill_count() >= 600


def test_every_broader_name_is_itself_a_skill() -> None:
    for line in "".join(TABLES).splitlines():
        for name in line.partition(" > ")[2].split(","):
            assert not name.strip() or skill_named(name.strip()) == name.strip(), line
