"""Words of numbers, magnitudes and units, in the languages that résumés are read in."""

from typing import TypeVar

from jobsteward.kernel.folding import fold

_Key = TypeVar("_Key")

_NUMBERS = {
    2: "two zwei deux dos due twee",
    3: "three drei trois tres tre drie",
    4: "four vier quatre cuatro quattro",
    5: "five funf cinq cinco cinque vijf",
    6: "six sechs seis sei zes",
    7: "seven sieben sept siete sette zeven",
    8: "eight acht huit ocho otto",
    9: "nine neun neuf nueve nove negen",
    10: "ten zehn dix diez dieci tien",
    11: "eleven elf onze once undici",
    12: "twelve zwolf douze doce dodici twaalf dozen dutzend douzaine docena",
    13: "thirteen dreizehn treize trece",
    14: "fourteen vierzehn quatorze catorce",
    15: "fifteen funfzehn quinze quince",
    16: "sixteen sechzehn seize dieciseis",
    17: "seventeen siebzehn diecisiete",
    18: "eighteen achtzehn dieciocho",
    19: "nineteen neunzehn diecinueve",
    20: "twenty zwanzig vingt veinte venti twintig",
    30: "thirty dreissig dreisig trente treinta",
    40: "forty vierzig quarante cuarenta",
    50: "fifty funfzig cinquante cincuenta",
    60: "sixty sechzig soixante sesenta",
    70: "seventy siebzig setenta",
    80: "eighty achtzig ochenta",
    90: "ninety neunzig noventa",
    100: "hundred hundert cent cien",
    1000: "thousand tausend mille mil",
}
_MAGNITUDES = {
    1e3: "k thousand tausend tsd mille mil",
    1e5: "lakh lakhs",
    1e6: "m mn mio mm million millions millionen millon millones milioni",
    1e7: "crore crores",
    1e9: "b bn mrd billion billions milliarde milliarden milliard milliards",
}
# A unit is its dimension and its size in it; equal lengths of time are equal numbers.
_UNITS = {
    ("time", 0.001): "ms msec millisecond milliseconds millisekunden millisecondes",
    ("time", 1.0): "s sec secs second seconds sekunde sekunden seconde secondes segundos",
    ("time", 60.0): "min mins minute minutes minuten minutos",
    ("time", 3600.0): "h hr hrs hour hours stunde stunden heure heures hora horas",
    ("time", 86400.0): "day days tag tage tagen jour jours dia dias",
    ("time", 604800.0): "week weeks woche wochen semaine semaines semana semanas",
    ("months", 1.0): "month months monat monate monaten mois mes meses",
    ("months", 12.0): "year years yr yrs jahr jahre jahren an ans annees annee ano anos",
    ("bytes", 1e3): "kb kib",
    ("bytes", 1e6): "mb mib",
    ("bytes", 1e9): "gb gib gigabyte gigabytes",
    ("bytes", 1e12): "tb tib terabyte terabytes",
    ("bytes", 1e15): "pb pib petabyte petabytes",
    ("percent", 1.0): "% percent prozent pct",
    ("points", 1.0): "pp prozentpunkte prozentpunkten",
    ("times", 1.0): "x times fold mal fois veces",
}
_CURRENCIES = {
    "USD": "$ us$ usd dollar dollars",
    "EUR": "€ eur euro euros",
    "GBP": "£ gbp pound pounds",
    "JPY": "¥ jpy yen",
    "INR": "₹ inr rupees",
    "CHF": "chf franken",
    "CAD": "c$ cad",
    "SEK": "sek kronor",
}
_PERIODS = {
    "hour": "hour hourly stunde stundlich heure hora",
    "shift": "shift schicht",
    "day": "day daily night nightly tag taglich jour quotidien quotidienne dia diario diaria",
    "week": "week weekly woche wochentlich semaine hebdomadaire semana semanal",
    "month": "month monthly monat monatlich monatliche mois mensuel mensuelle mes mensual",
    "quarter": "quarter quarterly quartal trimestre trimestriel",
    "year": "year yearly annual annually annum jahr jahrlich an annuel annuelle ano anual",
}


def _flat(table: dict[_Key, str]) -> dict[str, _Key]:
    return {fold(word): key for key, words in table.items() for word in words.split()}


_TENS = {
    20: "twenty zwanzig",
    30: "thirty dreisig",
    40: "forty vierzig",
    50: "fifty funfzig",
    60: "sixty sechzig",
    70: "seventy siebzig",
    80: "eighty achtzig",
    90: "ninety neunzig",
}
_ONES = {
    1: "one ein",
    2: "two zwei",
    3: "three drei",
    4: "four vier",
    5: "five funf",
    6: "six sechs",
    7: "seven sieben",
    8: "eight acht",
    9: "nine neun",
}


def _compound() -> dict[str, int]:
    """From twenty-one to ninety-nine, in English with a hyphen or a blank, and in German."""
    found: dict[str, int] = {}
    for ten, tens in _TENS.items():
        for one, ones in _ONES.items():
            (english, german), (unit, einer) = tens.split(), ones.split()
            found |= dict.fromkeys((f"{english}-{unit}", f"{english} {unit}"), ten + one)
            found[f"{einer}und{german}"] = ten + one
    return found


NUMBER_WORDS = _flat(_NUMBERS) | _compound()
MAGNITUDES = _flat(_MAGNITUDES)
UNITS = _flat(_UNITS)
CURRENCIES = _flat(_CURRENCIES)
PERIODS = _flat(_PERIODS)
