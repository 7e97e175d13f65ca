"""What a posting asks for: each requirement with its span, must or nice, and years."""

import re

from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.model import Need, Requirement, Requirements

_MUST_HEADING = re.compile(
    r"\b(?:requirements?|required|must[- ]haves?|minimum qualifications?"
    r"|basic qualifications?|qualifications"
    r"|what (?:you'?ll|you will|you) (?:need|bring|have)|you (?:have|bring|are"
    r"|may be a good fit|might be a good fit)|who you are|about you|skills"
    r"|your (?:profile|background|experience|skills)"
    r"|what we'?re looking for|what we are looking for|we'?re looking for"
    r"|looking for|ideal candidate|experience"
    r"|anforderung\w*|dein profil|ihr profil|das bringst du mit|was du mitbringst"
    r"|voraussetzung\w*|profil recherche|votre profil|profil|competences"
    r"|requisitos|perfil|wymagania|pozadujeme|requisiti|eisen|wij vragen|krav)\b|応募資格|必須"
)
_NICE_HEADING = re.compile(
    r"\b(?:nice[- ]to[- ]haves?|preferred(?: qualifications?| skills| experience)?"
    r"|bonus(?: points)?|pluses|plus|desired|desirable|good to have"
    r"|extra credit|additional qualifications|strong candidates may|von vorteil"
    r"|wunschenswert|un plus|atouts?|deseable|valorable|desejavel|diferenciais"
    r"|mile widziane|vyhodou|it would be great|ideally)\b|歓迎"
)
_OTHER_HEADING = re.compile(
    r"\b(?:responsibilit\w+|what you'?ll do|what you will do|duties|the role"
    r"|about (?:us|the (?:role|team|company|job))|benefits|perks|we offer"
    r"|what we offer|our (?:offer|benefits|values|stack|team|mission)"
    r"|compensation|salary|why (?:join|us|work)|how (?:to apply|we)"
    r"|equal opportunity|eeo|interview|aufgaben|wir bieten|benefits|deine aufgaben"
    r"|missions?|nous offrons|avantages|ofrecemos|funciones|beneficios"
    r"|the opportunity|your impact|in this role|you will|key responsibilities"
    r"|location|logistics|about)\b"
)
_NICE_WORDS = re.compile(
    r"\b(?:nice[- ]to[- ]have|preferred|(?:is|are|would be"
    r"|considered) an? (?:\w+ )?(?:plus|bonus|advantage|asset)|a plus"
    r"|bonus(?: points)?|ideally|desirable|desired|not essential|optional"
    r"|advantageous|von vorteil"
    r"|wunschenswert|idealerweise|un plus|serait un plus|un atout|deseable"
    r"|valorad\w+|se valora|mile widziane|vyhodou|valued|helpful but|welcome but"
    r"|beneficial)\b|尚可|歓迎"
)
_MUST_WORDS = re.compile(
    r"\b(?:must|required?|requires|requirements include|need(?:ed|s)?|essential"
    r"|mandatory|minimum|at least|you (?:have|should|bring|need)|expected|necessary"
    r"|proven|demonstrated|strong|proficien\w+"
    r"|erforderlich|mindestens|zwingend|voraussetzung|exigee?s?|requis\w*"
    r"|indispensable|imprescindible|obligatori\w+|necesari\w+|notwendig|benotigen"
    r"|justifiez|wymagan\w+)\b|必須|必要|求められ"
)
_ASKS = re.compile(
    r"\b(?:experience|years?|knowledge|degree|bachelor|master|phd|proficien\w+"
    r"|familiar\w*|ability|skills?|expertise|fluen\w+|understanding|background"
    r"|certific\w+|licen[cs]e|track record|comfortable"
    r"|erfahrung\w*|kenntnisse|studium|ausbildung|experience|connaissance\w*"
    r"|maitrise|diplome|experiencia|conocimiento\w*|grado|doswiadczenie|praxe)\b|経験"
)
_NUMBER = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "funf": 5,
    "deux": 2,
    "trois": 3,
    "quatre": 4,
    "cinq": 5,
    "dos": 2,
    "tres": 3,
    "cuatro": 4,
    "cinco": 5,
}
_N = rf"(?:\d{{1,2}}(?:\.5)?|{'|'.join(_NUMBER)})"
_YEARS = re.compile(
    rf"(?P<low>\b{_N})\s?(?:\(\d+\)\s?)?(?P<plus>\+|plus|or more)?(?:\s?(?:-|to|bis"
    rf"|a|or)\s?(?P<high>{_N}))?\s?(?P<plus2>\+)?"
    r"[\s-]*(?:years?|yrs?\.?|jahren?|ans|anos|lat|lata|let|roky|rok|jaar|ars?)\b'?(?P<after>[^.;\n]{0,90})"
)
_YEARS_CJK = re.compile(r"(?:経験|実務)[^\u3002]{0,12}?(\d{1,2})\s?年(?:以上)?|(\d{1,2})\s?年以上")
_OF_WORK = re.compile(
    r"\b(?:experience|exp|expertise|erfahrung|berufserfahrung|d'experience|experiencia"
    r"|experiencia|work(?:ing|ed)?|practice|background|in an?|in the|managing"
    r"|leading|building|developing|designing|writing|programming|doswiadczenia"
    r"|praxe|ervaring|track record|in (?:a )?(?:similar|security|product|software"
    r"|sales|customer|role)|as an?|role|field|industry|of \w+ing|hands-on|using"
    r"|with|selling|training)\b"
)
_NOT_WORK = re.compile(
    r"^\W{0,3}(?:of (?:age|steady|growth|history|service|vesting|warranty"
    r"|innovation|funding|success|study|leave|age or)|old|ago|anniversary"
    r"|in business|warranty|vesting|and (?:now )?(?:serv|growing)|degree|bachelor"
    r"|college|university|contract|term)"
)
_HISTORY = re.compile(
    r"\b(?:we (?:have|'ve|are(?! looking))|our (?:company|team|firm|clients?"
    r"|customers?|journey|history)|founded|since|over the (?:past|last|next)"
    r"|for (?:over|more than)|past|last|next|every|within|vesting over|the first"
    r"|after|combined|collective|up to|celebrat\w+|company|enjoyed|less than"
    r"|no more than|under)\W{0,3}(?:\w+ ){0,3}$"
)
_BREAK = re.compile(r"(?<=[.!?\u3002])\s+(?=[^\sa-z])|(?<=[;\u3002])\s*|\n+")
_ASIDE = re.compile(r",? \(?(?:ideally|preferably|idealerweise|de preference|idealmente)\b")
_BULLET = re.compile(r"^\s*(?:[-*\u2022\u00b7\u25cf]|\d+[.)])\s+")
_LONGEST = 90


def read_requirements(description: str | None) -> Requirements:
    """Every sentence or bullet that asks for something, and the years of experience.

    A heading decides for what stands under it, words in the sentence itself come first
    ("a PhD is preferred"). Years of a company's history, of a degree or of an age are none.
    """
    if not description:
        return Requirements()
    folded = fold(description)
    items = _items(description, folded)
    stated = [item for item in items if item.years is not None]
    asked = [item for item in stated if item.need != "nice"]
    least = max(asked, key=lambda item: (item.years or 0, -item.span.start), default=None)
    if least is None:
        return Requirements(tuple(items))
    return Requirements(tuple(items), least.years, least.years_most, least.span)


def _items(description: str, folded: str) -> list[Requirement]:
    items: list[Requirement] = []
    heading: Need | None = None
    for start, end in _sentences(description):
        line = folded[start:end]
        if _is_heading(description, start, end, line):
            heading = _heading_need(line)
            continue
        need = _need(line, heading, bool(_BULLET.match(description[start:end])))
        years = _years(line)
        if need is None and years is None:
            continue
        span = _content(description, start, end)
        low, high = years or (None, None)
        items.append(Requirement(span.text, need or "unknown", span, low, high))
    return items


def _sentences(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for match in _BREAK.finditer(text):
        spans.append((at, match.start()))
        at = match.end()
    return [(start, end) for start, end in [*spans, (at, len(text))] if text[start:end].strip()]


def _is_heading(text: str, start: int, end: int, line: str) -> bool:
    shown = text[start:end].strip()
    marked = shown.startswith(("#", "**")) or shown.endswith((":", ":**", "**", "?"))
    return (
        len(shown) <= _LONGEST
        and (marked or len(shown) < 40)
        and not _BULLET.match(shown)
        and (
            marked
            or bool(_MUST_HEADING.fullmatch(line.strip(" *#:")))
            or bool(_NICE_HEADING.fullmatch(line.strip(" *#:")))
        )
    )


def _heading_need(line: str) -> Need | None:
    if _NICE_HEADING.search(line):
        return "nice"
    if _OTHER_HEADING.search(line) and not re.search(r"require|qualif|looking|need|bring", line):
        return None
    return "must" if _MUST_HEADING.search(line) else None


def _need(line: str, heading: Need | None, bullet: bool) -> Need | None:
    aside = _ASIDE.search(line)
    if aside and _ASKS.search(line, 0, aside.start()):
        line = line[: aside.start()]
    if _NICE_WORDS.search(line):
        return "nice" if heading or _ASKS.search(line) else None
    if heading and (bullet or _ASKS.search(line)):
        return heading
    if _ASKS.search(line) and _MUST_WORDS.search(line):
        return "must"
    return None


def _years(line: str) -> tuple[float, float | None] | None:
    """The least and most years of experience that a sentence asks for."""
    for match in _YEARS.finditer(line):
        before, after = line[: match.start()], match["after"]
        if _NOT_WORK.match(after) or _HISTORY.search(before[-60:]):
            continue
        if not (
            _OF_WORK.search(after)
            or re.search(r"experience\W{0,12}$|require\w*\W+(?:\w+\W+){0,2}$", before)
        ):
            continue
        low = _number(match["low"])
        if low <= 30:
            return low, _number(match["high"]) if match["high"] else None
    cjk = _YEARS_CJK.search(line)
    return (float(cjk[1] or cjk[2]), None) if cjk else None


def _number(word: str) -> float:
    return float(_NUMBER.get(word) or word)


def _content(text: str, start: int, end: int) -> Span:
    bullet = _BULLET.match(text[start:end])
    return span_of("description", text, start + (bullet.end() if bullet else 0), end)
