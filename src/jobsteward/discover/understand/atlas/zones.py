"""Time zones that postings name, as IANA zones or fixed distances from UTC."""

import re

_NAMED = """
America/New_York EST|EDT|Eastern Time|Eastern Standard Time|US Eastern|Eastern timezone|Eastern time zone|New York time
America/Chicago CDT|Central Time|US Central|Central timezone|Central Standard Time
America/Denver MDT|Mountain Time|US Mountain|Mountain timezone
America/Los_Angeles PST|PDT|Pacific Time|US Pacific|Pacific timezone|Pacific Standard Time|Pacific time zone
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
ZONE_NAMES: dict[str, str] = {
    name: row.split(" ", 1)[0]
    for row in _NAMED.strip().splitlines()
    for name in row.split(" ", 1)[1].split("|")
}
"""A zone's name → the IANA zone."""

SHORT = {
    "ET": "America/New_York",
    "CT": "America/Chicago",
    "MT": "America/Denver",
    "PT": "America/Los_Angeles",
    "CST": "America/Chicago",
    "MST": "America/Denver",
    "GMT": "Etc/UTC",
    "UTC": "Etc/UTC",
}
"""Abbreviations that mean a zone only beside words of time."""

OFFSET = re.compile(r"\b(?:UTC|GMT)\s?([+\u2212\u2013-])\s?(\d{1,2})(?::?([0-5]\d))?(?!\d)")
"""A distance from UTC: sign, hours, minutes."""
