"""The words around a figure that make it pay, other money, a period or an open end."""

import re
from typing import Literal

from jobsteward.discover.model import PayPeriod

_PAY = re.compile(
    r"\b(?:salar(?:y|ies)|compensation|comp|pay|paid|pays|wages?|base|rate"
    r"|earn(?:ings?)?|ote|on[- ]target"
    r"|remuneration|ctc|package|tc|income"
    r"|\w*gehalt\w*|verdienst\w*"
    r"|\w*vergutung|stundenlohn|lohn|brutto\w*|jahresbrutto|salaire|remuneration|salario|sueldo"
    r"|stipendio|retribuzione|ral|mzd[auy]|plat(?!form)|hruba|wynagrodzeni[ea]"
    r"|widelki|salaris|loon|lon"
    r"|bruttolon|palkka|bezahlung|entlohnung|honorar|tagessatz|tjm|remuneracion"
    r"|salariale?|fourchette"
    r"|bruto|brut|gross|tc range|target range|hiring range|pay range)\b|年収|月給|時給|年俸|給与"
)
_OTHER = re.compile(
    r"\b(?:revenues?|arr|mrr|raised|raise|raising|funding|funded|series [a-f]|seed"
    r"|valuation|valued|equity"
    r"|stocks?|shares?|rsus?|options?|stipends?|allowance|budgets?|deals?"
    r"|contracts?|customers?|clients?"
    r"|sav(?:e|ed|ings?)|portfolio|assets|aum|transactions?|tuition|reimburse\w*"
    r"|insurance|coverage|grants?"
    r"|discounts?|prices?|pricing|costs?|fund(?:s|raising|raise)?|capital|credits?"
    r"|donat\w+|match(?:ing|es)?"
    r"|quota|pipeline|book of business|wellness|relocation|award|prize|fees?"
    r"|sign[- ]?on|signing|referral"
    r"|bonus(?:es)?|401|invest(?:ed|ments?|ors?)?|backed|market|sales of|gmv|volume"
    r"|spend|payments|process(?:ed|es|ing)"
    r"|generated|acquisition|acquired|ipo|turnover|umsatz|chiffre d'affaires"
    r"|facturacion|profit|ebitda"
    r"|loans?|mortgage|debt|retirement|pension|learning|education|home office"
    r"|equipment|gift|voucher"
    r"|fertility|hra|hsa|fsa|adoption|dental|medical|parental|family planning"
    r"|deductible|commuter|phone|internet|gym|travel|per diem|worth|net worth"
    r"|lifetime value|projects?|programs?)\b"
)
_OTHER_BEFORE = re.compile(
    r"\b(?:stipend|bonus(?:es)?|equity|allowance|budgets?|grants?|revenues?|arr"
    r"|funding|raised|raising|stock|rsus?|401\(?k\)?|commission|reimbursement"
    r"|fertility|hra|hsa|fsa|adoption|credit|insurance|sign[- ]?on|relocation"
    r"|tuition|wellness|deals?|quota|portfolio|contracts|discount|fee|turnover"
    r"|valuation)\b"
    r"(?: \w+){0,2}?(?: of| up to| worth| between| from| ranging| range|:| is| ="
    r"|,)*\s*(?:[a-z]{0,3}\s)?\(?$"
)
_OTHER_AFTER = re.compile(
    r"^\+?\s*(?:/?\s?(?:year|yr|month|annual(?:ly)?|per \w+|a \w+|one[- ]time"
    r"|target|in|of|worth of|worth|sign(?:ing)?[- ]?(?:on)?|new hire|total)\s+)*"
    r"(?:[\w-]+ ){0,2}?(?:equity|stocks?|rsus?|shares?|options|arr|mrr|revenue"
    r"|funding|bonus(?:es)?|stipend|allowance"
    r"|budget|referral|grant|valuation|credit|reimbursement|relocation|tuition|401"
    r"|insurance|discount"
    r"|commission|in assets|in savings|investment|quota|deals?|customers|raised"
    r"|series|pipeline|gift|voucher)\b"
)
_ON_TARGET = re.compile(r"\bote\b|\bon[- ]target\b|\btotal target\b|\bincluding commission")
_BASE = re.compile(r"\bbase\b|\bfixed\b|\bfixum\b")

_PERIODS: tuple[tuple[PayPeriod, str], ...] = (
    (
        "hour",
        r"hours?|hr|hrs|h|hourly|stunde|std\.?|heure|hora|hodinu|hodine|godz\w*|uur"
        r"|timme|ora",
    ),
    ("day", r"days?|daily|tag|jour|dia|dzien|den|dag|tagessatz|tjm|diem|giorno"),
    ("week", r"weeks?|weekly|wk|woche|semaine|semana|tydzien|week"),
    (
        "month",
        r"months?|monthly|mo|mth|monat|monatlich|mtl\.?|mois|mes|mensua?le?s?|mensuels?"
        r"|mensuais|mesicne|mesic|miesiac|mies\.?|man|miesiecznie|maand|manad|maned|mese",
    ),
    (
        "year",
        r"years?|yearly|yr|annum|annual|annually|annualized|p\.?a\.?|jahr|jahrlich"
        r"|jahresgehalt|jahresbrutto|an|annuels?|annuel|ano|anual|anuales|anno|rok"
        r"|rocznie|rocne|jaar|ar|ctc|lpa",
    ),
)
_LEAD = (
    r"(?:\+|\s|[),])*(?:(?:[a-z]{3}|gross|brutto|bruto|brut|base|net|ote|salary|pay"
    r"|in base|euros?|dollars"
    r"|brutto\w*|\w*gehalt|base salary|gross salary|base pay|usd)\s*){0,2}"
)
_AFTER = {
    name: re.compile(
        rf"^{_LEAD}(?:/\s?|per |pr\.? |an? |pro |par |por |al |za |na |p\.?\s?|de l'|a l'"
        rf"|each |every |im |the )(?:{words})(?![^\W_])"
    )
    for name, words in _PERIODS
}
_AFTER_BARE = {
    name: re.compile(
        rf"^{_LEAD}(?:hourly|daily|weekly|monthly|annually|annualized|yearly|monatlich"
        rf"|jahrlich|mtl|mesicne|miesiecznie|rocznie|annuels?|mensuels?|mensuales"
        rf"|anuales|p\.a\.|p\.\s?a|pa\b|lpa|annual|brutto/jahr|brutto/monat|/jahr"
        rf"|/monat|/h\b)"
    )
    for name in ("any",)
}["any"]
_BARE: tuple[tuple[PayPeriod, re.Pattern[str]], ...] = (
    ("hour", re.compile(r"hourly|/h")),
    ("day", re.compile(r"daily")),
    ("week", re.compile(r"weekly")),
    ("month", re.compile(r"month|monat|mtl|mesicne|miesiecznie|mensu")),
    ("year", re.compile(r"annua|year|jahr|rocznie|p\.?\s?a|lpa|anua")),
)
_BEFORE: tuple[tuple[PayPeriod, re.Pattern[str]], ...] = (
    ("hour", re.compile(r"\b(?:hourly|per hour|stundenlohn|taux horaire|hour rate)\b|時給")),
    ("day", re.compile(r"\b(?:daily|day rate|tagessatz|tjm|per day)\b|日給")),
    ("week", re.compile(r"\b(?:weekly)\b")),
    (
        "month",
        re.compile(
            r"\b(?:monthly|per month|monats\w+|monatlich\w*|mensuel\w*|mensual\w*"
            r"|mensile)\b|月給|月収"
        ),
    ),
    (
        "year",
        re.compile(
            r"\b(?:annual(?:ly|ized)?|yearly|per annum|per year|jahres\w+|annuel\w*"
            r"|anual\w*|annua)\b|年収|年俸"
        ),
    ),
)

_FROM = re.compile(
    r"(?:\b(?:from|ab|starting(?: \w+){0,2}|starts?(?: \w+)?|minimum(?: of)?|min\.?"
    r"|at least|mindestens|a partir de|des|desde|od|vanaf|no less than"
    r"|upwards of|floor of|over|above|more than)\s?:?\s?)$"
)
_OR_MORE = re.compile(r"\+|\s?(?:and up|and above|or more|upwards|aufwarts|et plus)\b")
_UP_TO = re.compile(
    r"(?:\b(?:up to|upto|bis(?: zu)?|jusqu'a|hasta|max(?:imum|\.)?(?: of)?|ate|tot"
    r"|do|as much as|capped at)\s?:?\s?)$"
)


def is_pay(before: str, after: str) -> bool:
    """Whether words of the same clause speak of pay."""
    return bool(_PAY.search(before) or _PAY.search(after[:40]))


def is_other_money(before: str, after: str, pay: bool) -> bool:
    """Whether the figure is equity, a stipend, revenue or the like.

    Where the clause speaks of pay, only words right beside the figure make it something
    else; where it does not, any such word in the clause does.
    """
    near = re.split(
        r",|\b(?:plus|incl\w*|excl\w*|with|before|on top)\b|\band\b|\+ |\d|[$€£]", after[:60]
    )[0]
    if _OTHER_AFTER.match(near):
        return True
    if _OTHER_BEFORE.search(before[-60:]) or ("stipend" in before and "salar" not in before):
        return True
    return not pay and bool(_OTHER.search(before) or _OTHER.search(near))


def is_on_target(before: str, after: str) -> bool:
    """Whether the figure holds commission that depends on a target."""
    if re.match(r"\s*\(?(?:base|fixed|fixum)\b", after):
        return False
    words = before[-70:]
    target = _ON_TARGET.search(words)
    if target:
        return not _BASE.search(words, target.end())
    return bool(
        _ON_TARGET.match(after.lstrip(" (+"))
        or _ON_TARGET.search(re.split(r"[,\d]", after)[0][:12])
    )


def period_of(before: str, after: str, figure: str) -> PayPeriod | None:
    """The period written after a figure, inside it, or before it; None where none is."""
    for name, pattern in _AFTER.items():
        if pattern.match(after):
            return name
    bare = _AFTER_BARE.match(after)
    sources = [bare[0]] if bare else []
    for name, pattern in _BARE if sources else ():
        if pattern.search(sources[0]):
            return name
    inside = re.search(r"(?:/|per |an? )\s?(hr|hour|year|yr|annum|month|mo|week|day|h)\b", figure)
    if inside:
        return _UNIT_PERIODS[inside[1]]
    found = [(m.end(), name) for name, pattern in _BEFORE for m in pattern.finditer(before)]
    return max(found)[1] if found else None


_UNIT_PERIODS: dict[str, PayPeriod] = {
    "hr": "hour",
    "hour": "hour",
    "h": "hour",
    "year": "year",
    "yr": "year",
    "annum": "year",
    "month": "month",
    "mo": "month",
    "week": "week",
    "day": "day",
}


def open_end(folded: str, start: int, end: int) -> Literal["minimum", "maximum"] | None:
    """Which bound a lone figure is: "ab 70k" a minimum, "up to 90k" a maximum."""
    before = folded[max(0, start - 30) : start]
    if _UP_TO.search(before):
        return "maximum"
    if _FROM.search(before) or _OR_MORE.match(folded, end):
        return "minimum"
    return None
