"""The few sentences of a plain letter that are not the person's, by language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Each ends as it stands in the letter; ``{title}`` and the like are filled in."""

    greeting: str
    applying: str
    applying_at: str
    points: str
    points_at: str
    meeting: str
    closing: str


_PHRASES = {
    "en": Phrases(
        "Dear Hiring Team,",
        "I am applying for the position of {title}.",
        "I am applying for the position of {title} at {company}.",
        "From my work as {title}:",
        "From my work as {title} at {employer}:",
        "I would be happy to tell you more in a conversation.",
        "Kind regards,",
    ),
    "de": Phrases(
        "Sehr geehrte Damen und Herren,",
        "ich bewerbe mich um die Stelle als {title}.",
        "ich bewerbe mich um die Stelle als {title} bei {company}.",
        "Aus meiner Arbeit als {title}:",
        "Aus meiner Arbeit als {title} bei {employer}:",
        "Auf ein Gespräch freue ich mich.",
        "Mit freundlichen Grüßen",
    ),
    "fr": Phrases(
        "Madame, Monsieur,",
        "Je postule au poste de {title}.",
        "Je postule au poste de {title} chez {company}.",
        "De mon travail comme {title} :",
        "De mon travail comme {title} chez {employer} :",
        "Je reste à votre disposition pour un entretien.",
        "Cordialement,",
    ),
    "es": Phrases(
        "Hola,",
        "Presento mi candidatura al puesto de {title}.",
        "Presento mi candidatura al puesto de {title} en {company}.",
        "De mi trabajo como {title}:",
        "De mi trabajo como {title} en {employer}:",
        "Quedo a su disposición para una entrevista.",
        "Atentamente,",
    ),
}


def phrases(language: str) -> Phrases:
    """The phrases of a language, English where there are none."""
    return _PHRASES.get(language, _PHRASES["en"])
