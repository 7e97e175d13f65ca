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
    "nl": Phrases(
        "Geachte heer of mevrouw,",
        "Ik solliciteer naar de functie van {title}.",
        "Ik solliciteer naar de functie van {title} bij {company}.",
        "Uit mijn werk als {title}:",
        "Uit mijn werk als {title} bij {employer}:",
        "Graag licht ik dit toe in een gesprek.",
        "Met vriendelijke groet,",
    ),
    "it": Phrases(
        "Buongiorno,",
        "Mi candido per la posizione di {title}.",
        "Mi candido per la posizione di {title} presso {company}.",
        "Dal mio lavoro come {title}:",
        "Dal mio lavoro come {title} presso {employer}:",
        "Resto a disposizione per un colloquio.",
        "Cordiali saluti,",
    ),
    "pt": Phrases(
        "Bom dia,",
        "Candidato-me para a vaga de {title}.",
        "Candidato-me para a vaga de {title} na {company}.",
        "Do meu trabalho como {title}:",
        "Do meu trabalho como {title} na {employer}:",
        "Fico à disposição para uma entrevista.",
        "Com os melhores cumprimentos,",
    ),
    "sv": Phrases(
        "Hej,",
        "Jag söker tjänsten som {title}.",
        "Jag söker tjänsten som {title} hos {company}.",
        "Från mitt arbete som {title}:",
        "Från mitt arbete som {title} hos {employer}:",
        "Jag berättar gärna mer i ett samtal.",
        "Med vänliga hälsningar,",
    ),
}


def phrases(language: str) -> Phrases:
    """The phrases of a language, English where there are none."""
    return _PHRASES.get(language, _PHRASES["en"])
