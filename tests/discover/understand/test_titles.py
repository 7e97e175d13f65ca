"""Titles: function, seniority, internships, languages; whole words only (J01, P121, P122)."""

import pytest

from jobsteward.discover.understand.titles import names_in, read_title, spelled_out, term_of

CLASSES = {
    "Staff Engineer, Pricing Platform": ("engineering", None, "staff"),
    "Engineering Manager, Accounts": ("engineering", "software", "manager"),
    "Director of Analytics": ("data", "data_analysis", "director"),
    "International Sales Manager": ("sales", None, "manager"),
    "Senior Backend Engineer (Python) - Remote": ("engineering", "backend", "senior"),
    "Chief Technology Officer": ("engineering", "software", "executive"),
    "Junior Developer": ("engineering", "software", "entry"),
    "Product Manager": ("product", None, None),
    "Security Guard": ("public_safety", None, None),
    "Security Engineer": ("security", None, None),
    "Softwareentwickler (m/w/d)": ("engineering", "software", None),
    "Développeur·euse Full Stack": ("engineering", "fullstack", None),
    "Infirmière": ("healthcare", None, None),
    "バックエンドエンジニア": ("engineering", "backend", None),
    "Operátor výroby": ("manufacturing", None, None),
    "Chef de projet": ("operations", None, None),
    "Xyzzy": (None, None, None),
}


@pytest.mark.parametrize("title", CLASSES)
def test_a_title_has_its_class(title: str) -> None:
    reading = read_title(title)
    assert (reading.function, reading.discipline, reading.seniority) == CLASSES[title]
    assert all(title[span.start : span.end] == span.text for span in reading.spans)


@pytest.mark.parametrize(
    ("title", "internship"),
    [
        ("Software Engineer Intern", True), ("Stagiaire en génie logiciel", True),
        ("Werkstudent Marketing", True), ("Stage en développement web", True),
        ("Internal Tools Engineer", False), ("International Tax Analyst", False),
        ("Internship Program Manager", False), ("Stage Manager", False),
        ("New Grad Software Engineer", False), ("University Recruiting Coordinator", False),
    ],
)  # fmt: skip
def test_internships_are_told_from_work_about_them(title: str, internship: bool) -> None:
    """P122."""
    assert read_title(title).internship is internship


def test_the_term_is_a_season_with_its_year() -> None:
    assert term_of("Stagiaire en finance, Été 2027") == "summer-2027"
    assert term_of("Winter 2027 Co-op - Firmware") == "winter-2027"
    assert term_of("Fall 2026 Intern, Summer 2027") is None


def test_a_title_in_two_languages_gives_both_names() -> None:
    assert names_in("Level Designer | Concepteur de niveaux") == (
        "Level Designer",
        "Concepteur de niveaux",
    )
    assert names_in("Backend Engineer - Payments") == ("Backend Engineer - Payments",)


def test_declared_employment_comes_before_words() -> None:
    assert read_title("Nurse", "Full-time").employment_type == "full_time"
    assert read_title("Nurse (Teilzeit)").employment_type == "part_time"
    assert read_title("Ingénieur", None, "en CDI à Paris").employment_type == "full_time"
    assert read_title("Nurse").employment_type is None


def test_abbreviations_are_written_out() -> None:
    assert spelled_out("Sr. Asst Mgr") == "senior assistant manager"
