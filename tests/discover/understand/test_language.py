"""The language of a text by a vote of its words."""

import pytest

from jobsteward.discover.understand.language import guess, read_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("You will join our team and work with the best people in the city.", "en"),
        ("Für unser Team in Wien suchen wir einen Kundenberater.", "de"),
        ("Nous recherchons un ingénieur pour rejoindre notre équipe à Paris.", "fr"),
        ("Buscamos una persona con experiencia para nuestro equipo de ventas.", "es"),
        ("Procuramos uma pessoa com experiência para a nossa equipe.", "pt"),
        ("Wij zoeken een ontwikkelaar voor ons team in Utrecht.", "nl"),
        ("当社ではエンジニアを募集しています。", "ja"),
        ("우리는 개발자를 찾고 있습니다", "ko"),
        ("12345", None),
    ],
)
def test_a_text_has_its_language(text: str, language: str | None) -> None:
    assert read_language(text).language == language


def test_short_titles_are_told_too() -> None:
    assert guess("Stagiaire en science des données") == "fr"
    assert guess("Software Engineer Intern") == "en"
