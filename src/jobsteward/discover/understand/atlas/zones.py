"""Time zones that postings name, as IANA zones or fixed distances from UTC."""

import re

from jobsteward.discover.understand.atlas.tables import table_rows

_NAMED = """
America/New_York EST|EDT|Eastern Time|Eastern Standard Time|US Eastern|Eastern timezone|
  Eastern time zone|New York time
America/Chicago CDT|Central Time|US Central|Central timezone|Central Standard Time
America/Denver MDT|Mountain Time|US Mountain|Mountain timezone
America/Los_Angeles PST|PDT|Pacific Time|US Pacific|Pacific timezone|Pacific Standard Time|
  Pacific time zone
America/Halifax Atlantic Time
America/Sao_Paulo BRT|Brasilia time|Horário de Brasília
America/Argentina/Buenos_Aires ART
Europe/London UK time|UK timezone|London time|UK time zone|BST
Europe/Berlin CET|CEST|Central European Time|MEZ|Berlin time
Europe/Helsinki EET|EEST|Eastern European Time
Asia/Kolkata IST|Indian Standard Time|India time
Asia/Singapore SGT|Singapore time
Asia/Tokyo JST|Japan time
Asia/Dubai Gulf Standard Time
Australia/Sydney AEST|AEDT|Sydney time
Australia/Perth AWST
Pacific/Auckland NZST|NZDT
"""
_ZONE_NAMES: dict[str, str] = {
    name: row.split(" ", 1)[0]
    for row in table_rows(_NAMED)
    for name in row.split(" ", 1)[1].split("|")
}

_SHORT = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "CST": "America/Chicago",
    "MST": "America/Denver",
    "GMT": "Etc/UTC",
    "UTC": "Etc/UTC",
}
# An abbreviation that is also a place's code means a zone only beside words of time.
_ABBREVIATIONS = "|".join(_SHORT)
_NAMED_ZONE = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _ZONE_NAMES), key=len, reverse=True)) + r")\b"
)
_SHORT_ZONE = re.compile(
    rf"\b(?P<before>{_ABBREVIATIONS})\b(?=\s*(?:hours?|time|zone|timezone|business"
    rf"|\u00b1|\+/-|core))"
    rf"|(?:/|time ?zones?:? |hours \()(?P<after>{_ABBREVIATIONS})\b(?!\s*[+-])"
)
_OFFSET = re.compile(r"\b(?:UTC|GMT)\s?([+\u2212\u2013-])\s?(\d{1,2})(?::?([0-5]\d))?(?!\d)")


def find_zones(text: str) -> tuple[str, ...]:
    """The zones that a text names: IANA names, and distances as ``UTC+01:00``."""
    found = [_ZONE_NAMES[match[0]] for match in _NAMED_ZONE.finditer(text)]
    found += [_SHORT[match["before"] or match["after"]] for match in _SHORT_ZONE.finditer(text)]
    for sign, hours, minutes in _OFFSET.findall(text):
        found.append(f"UTC{'+' if sign == '+' else '-'}{int(hours):02d}:{minutes or '00'}")
    return tuple(dict.fromkeys(found))


def zone_spans(text: str) -> list[tuple[int, int]]:
    """Where a text names zones, so that their letters are not read as places."""
    patterns = (_NAMED_ZONE, _SHORT_ZONE, _OFFSET)
    return [match.span() for pattern in patterns for match in pattern.finditer(text)]
