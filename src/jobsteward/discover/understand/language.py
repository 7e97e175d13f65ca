"""The language of a text by a vote of its most common words."""

import re
from collections import Counter

from jobsteward.discover.understand.evidence import fold
from jobsteward.discover.understand.model import LanguageReading

_COMMON = {
    "en": "the and of to in a for with you we our is are will be on as an your at by this"
    " that from or have it who team work experience engineer developer manager"
    " senior internship lead analyst designer specialist software director level"
    " junior head summer intern new engineering",
    "fr": "le la les des et de du en un une pour vous nous est sont avec dans au aux sur"
    " par votre nos notre qui que ou equipe travail poste stagiaire developpeur"
    " developpeuse ingenieur ingenieure chef chefs analyste concepteur conceptrice"
    " programmeur responsable conseiller charge directeur technicien logiciel"
    " donnees jeu genie ete automne hiver stage artiste testeur",
    "de": "der die das und zu in den von mit fur auf ist sind wir sie du dein ihr ihre"
    " unser im dem ein eine einen als oder bei aus team wir uns werden entwickler"
    " entwicklerin ingenieur leiter mitarbeiter sachbearbeiter werkstudent"
    " praktikum",
    "es": "el la los las de y en para con un una que es por se del al tu nuestro nuestra"
    " como o su equipo experiencia trabajo desarrollador ingeniero gerente analista"
    " especialista",
    "pt": "o a os as de e em para com um uma que por se do da no na ao voce nossa nosso"
    " como ou sua equipe experiencia vaga trabalho desenvolvedor engenheiro"
    " analista pessoas pleno",
    "it": "il lo la gli le di e in per con un una che del della al nostro nostra come o"
    " sono si dei nel lavoro esperienza sviluppatore ingegnere responsabile addetto",
    "nl": "de het een en van in voor met je we wij ons onze op te is zijn bij als of naar"
    " jouw aan dat die ervaring werk ontwikkelaar medewerker",
    "pl": "i w z na do sie jest oraz dla o nie jako od po za twoje nasz nasze lub pracy"
    " doswiadczenie zespol programista inzynier specjalista stazysta",
    "cs": "a v na se je do pro s z o ve nas vas nebo prace praxe nabizime hledame jsme jako vyroby",
    "sv": "och i att en ett det som for med pa av ar till du vi vara oss din hos"
    " erfarenhet utvecklare ingenjor",
    "da": "og i at en et det som for med pa af er til du vi vores din hos erfaring udvikler",
}
_VOTES = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_SCRIPTS = {
    "ja": re.compile(r"[\u3040-\u30ff]"),
    "ko": re.compile(r"[\uac00-\ud7a3]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
    "ru": re.compile(r"[\u0400-\u04ff]"),
    "el": re.compile(r"[\u0370-\u03ff]"),
    "he": re.compile(r"[\u0590-\u05ff]"),
    "ar": re.compile(r"[\u0600-\u06ff]"),
    "th": re.compile(r"[\u0e00-\u0e7f]"),
    "hi": re.compile(r"[\u0900-\u097f]"),
}
_MARKS = {
    "fr": re.compile(r"[\u00e0\u00e9\u00e8\u00ea\u00e7\u0153]|\u00b7e|\(e\)"),
    "de": re.compile(r"[\u00e4\u00f6\u00fc\u00df]|\(?m/w/d|\b\w+(?:entwickl|ingenieur)\w*"),
    "pt": re.compile(r"\u00e3o|\u00f5es|\u00e7\u00e3"),
    "es": re.compile(r"\u00f1|ci\u00f3n\b"),
    "pl": re.compile(r"[\u0142\u015b\u017c\u0107\u0119\u0105]"),
    "cs": re.compile(r"[\u0159\u016f\u011b]"),
}
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 4000


def read_language(text: str) -> LanguageReading:
    """The main language, and others that a good part of the text is in."""
    sample = text[:_SAMPLE]
    script = _script(sample)
    if script:
        return LanguageReading(script)
    votes = _vote(sample)
    ranked = votes.most_common(2)
    most = ranked[0][1] if ranked else 0
    leading = [name for name, count in votes.items() if count == most]
    if "en" in leading:
        return LanguageReading("en")  # the language that titles borrow words from
    if len(leading) != 1:
        return LanguageReading(None)
    others = [name for name, count in ranked[1:] if count * 2 > ranked[0][1] and len(sample) > 400]
    return LanguageReading(ranked[0][0], tuple(others))


def guess(text: str) -> str | None:
    """The language of a short text such as a title; None where nothing decides."""
    return read_language(text).language


def _script(text: str) -> str | None:
    letters = len(_WORD.findall(text)) and sum(map(str.isalpha, text))
    for language, script in _SCRIPTS.items():
        found = len(script.findall(text))
        if letters and found * 5 > letters:
            return language
    return None


def _vote(text: str) -> Counter[str]:
    votes: Counter[str] = Counter()
    for word in _WORD.findall(fold(text)):
        votes.update(language for language, common in _VOTES.items() if word in common)
    for language, mark in _MARKS.items():
        if mark.search(text.lower()):
            votes[language] += 1 + min(
                3, len(mark.findall(text.lower())) * 60 // max(60, len(text))
            )
    return votes
