"""Words that say where work is done, in the languages that postings use. All match folded text."""

import re

REMOTE_WORDS = re.compile(
    r"\b(?:fully[ -]remote|remote(?:ly)?|remoto|remota|distributed team"
    r"|work(?:ing)? from home|wfh"
    r"|home[ -]?based|home[ -]?office|homeoffice|telecommut\w*|telework\w*|teletravail\w*"
    r"|a distance|travail a distance|teletrabajo|trabajo remoto|trabalho remoto|tele-?arbeit"
    r"|mobiles arbeiten|ortsunabhangig|zdalna|zdalnie|praca zdalna|na dalku"
    r"|thuiswerken|op afstand"
    r"|work from anywhere|virtual|distans|etana|anywhere|telelavoro|da remoto)\b"
    r"|\u30ea\u30e2\u30fc\u30c8"
    r"|\u5728\u5b85"
)
HYBRID_WORDS = re.compile(
    r"\b(?:hybrid|hybride|hibrido|hibrida|ibrido|hybridowa|hybridowo|hybridni"
    r"|teletravail partiel"
    r"|teilweise remote|partially remote|partly remote|remote hybrid|flex office)\b"
    r"|\u30cf\u30a4\u30d6\u30ea\u30c3\u30c9"
)
ONSITE_WORDS = re.compile(
    r"\b(?:on[ -]?site|in[ -]?office|in[ -]?person|on[ -]?premises?|office[ -]based"
    r"|presencial|vor ort"
    r"|sur site|en presentiel|presentiel|stacjonarn\w+|in sede|op locatie"
    r"|in der praxis|na miste)\b"
    r"|\u51fa\u793e"
)
NOISE = re.compile(
    REMOTE_WORDS.pattern
    + "|"
    + HYBRID_WORDS.pattern
    + "|"
    + ONSITE_WORDS.pattern
    + r"|\b(?:only|or|and|in|within|the|of|any|office|hq|headquarters?|based|first"
    r"|friendly|eligible"
    r"|ok|okay|possible|preferred|optional|option|available|location|locations"
    r"|multiple|various|n/?a"
    r"|none|other|tbd|us-remote|time ?zones?|timezone|hours|candidates|residents"
    r"|home|flexible|us only"
    r"|full[ -]?time|part[ -]?time|position|role|job|area|region|metro|greater"
    r"|and/or|travail|tele"
    r"|ville|de|la|le|du|plus|more|several|different|offices?|places?|worldwide)\b|\d+"
)
"""Words of a location text that name no place."""
