"""Amounts of money in a text: figures, scale and currency, in the ways of many countries."""

import re
from dataclasses import dataclass

_DOLLARS = {
    "us": "USD",
    "ca": "CAD",
    "c": "CAD",
    "cdn": "CAD",
    "a": "AUD",
    "au": "AUD",
    "nz": "NZD",
    "s": "SGD",
    "sg": "SGD",
    "hk": "HKD",
    "r": "BRL",
    "mx": "MXN",
    "nt": "TWD",
    "": "$",
}
_SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "₹": "INR",
    "¥": "¥",
    "₩": "KRW",
    "₪": "ILS",
    "₺": "TRY",
    "₴": "UAH",
    "₽": "RUB",
    "₱": "PHP",
    "₦": "NGN",
    "฿": "THB",
    "₫": "VND",
    "円": "JPY",
    "元": "CNY",
    "zl": "PLN",
    "kc": "CZK",
    "kr": "kr",
    "kr.": "kr",
    "rs": "INR",
    "rs.": "INR",
    "fr.": "CHF",
    "sfr": "CHF",
    "euro": "EUR",
    "euros": "EUR",
    "dollars": "$",
    "pounds": "GBP",
    "rmb": "CNY",
    "rupees": "INR",
    "ft": "HUF",
    "lei": "RON",
    "reais": "BRL",
    "pesos": "MXN",
    "rand": "ZAR",
    "us dollars": "USD",
    "teur": "EUR",
    "rp": "IDR",
    "rm": "MYR",
}
_CODES = (
    "usd|eur|gbp|cad|aud|nzd|chf|sek|nok|dkk|pln|czk|huf|ron|bgn|inr|jpy|cny|sgd"
    "|hkd|brl|mxn|zar"
    "|ils|nis|try|aed|sar|qar|php|idr|myr|thb|vnd|krw|twd|clp|cop|ars|pen|uah|rub"
    "|ngn|kes|egp|pkr|bdt"
)
_SCALES = {
    "k": 1e3,
    "tsd": 1e3,
    "tsd.": 1e3,
    "thousand": 1e3,
    "m": 1e6,
    "mm": 1e6,
    "mn": 1e6,
    "mil": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "mio": 1e6,
    "mio.": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "billion": 1e9,
    "l": 1e5,
    "lpa": 1e5,
    "lakh": 1e5,
    "lakhs": 1e5,
    "lac": 1e5,
    "lacs": 1e5,
    "cr": 1e7,
    "crore": 1e7,
    "crores": 1e7,
    "万": 1e4,
    "億": 1e8,
}

_PREFIX = (
    rf"(?:(?<![^\W_])(?:(?:cdn|us|ca|c|a|au|nz|sg?|hk|r|mx|nt"
    rf"|{_CODES})\s?)?\$(?:\s?(?:usd|cad|aud))?"
    rf"|[€£₹¥₩₪₺₴₽₱₦฿₫]|(?<![^\W_])(?:{_CODES}|rs\.?|kr\.?|fr\.|sfr|rp|rm)(?![^\W\d_]))"
)
_SUFFIX = (
    rf"(?:[€£₹¥₩₪₺₴₽₱₦฿₫$円元]|(?:{_CODES}|zl|kc|kr\.?|teur|euros?|us dollars|dollars"
    rf"|pounds|rupees|rmb|ft|lei"
    r"|reais|pesos|rand)(?![^\W_]))"
)
_FIGURE = (
    r"\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d{1,2})?(?!\d)"
    r"|\d+(?:[.,]\d{1,2})?(?![.,]?\d)"
)
_SCALE = (
    r"(?:tsd\.?|thousand|millions?|million|mio\.?|billion|lakhs?|lacs?|lpa|crores?"
    r"|mil|mm|mn|bn|cr"
    r"|[kmlb]|万|億)(?![^\W\d_万円])"
)


def amount_pattern(n: int) -> str:
    """A pattern of one amount in folded text; ``n`` names its groups."""
    return (
        rf"(?:(?P<pre{n}>{_PREFIX})\s?)?(?<![a-z0-9_.,])(?P<num{n}>{_FIGURE})"
        rf"(?:[.,]-{{1,2}})?(?:\s?(?P<scale{n}>{_SCALE}))?(?:\s?(?P<post{n}>{_SUFFIX}))?"
    )


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure with its scale (1 where none is written) and its currency or sign, or ""."""

    value: float
    scale: float
    currency: str

    @property
    def total(self) -> float:
        return round(self.value * self.scale, 2)


def amount(match: re.Match[str], n: int) -> Amount:
    """The nth amount of a match of ``amount_pattern``."""
    groups = match.groupdict()
    scale = _SCALES.get((groups[f"scale{n}"] or "").strip(), 1.0)
    if groups[f"post{n}"] == "teur":
        scale = 1e3
    prefix, suffix = _currency(groups[f"pre{n}"]), _currency(groups[f"post{n}"])
    exact = suffix if suffix and len(suffix) == 3 else ""
    return Amount(_figure(groups[f"num{n}"], scale), scale, exact or prefix or suffix)


def _currency(sign: str | None) -> str:
    if not sign:
        return ""
    sign = sign.strip()
    if "$" in sign:
        before, _, after = sign.partition("$")
        word = after.strip() or before.strip()
        return _DOLLARS.get(word) or word.upper()
    if sign == "nis":
        return "ILS"
    return _SIGNS.get(sign) or sign.upper()


def _figure(text: str, scale: float) -> float:
    """The number: three digits after a separator are thousands, one or two are decimals."""
    text = re.sub(r"[' ]", "", text)
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return float(text)
    whole, part = re.sub(r"[.,]", "", text[:last]), text[last + 1 :]
    if len(part) == 3 and not (scale > 1 and "." in text and text.count(".") == 1):
        return float(whole + part)
    return float(f"{whole}.{part}")
