"""What sentences of a description say about the workplace. All patterns match folded text."""

import re

from jobsteward.discover.understand.evidence import Span, fold, span_of
from jobsteward.discover.understand.model import Workplace

_NUMBER = (
    r"(?:\d(?:[-/]\d)?|one|two|three|four|five|un|deux|trois|quatre|ein(?:en)?|zwei"
    r"|drei|vier|dos|tres)"
)
_DAYS = (
    rf"(?:twice (?:a|per) week|{_NUMBER}(?:\+|(?: ?(?:to|-|or|bis"
    rf"|a) ?{_NUMBER}))?[ -]?(?:days?|tage?n?"
    rf"|jours?|dias?|dagen|dni|times|giorni))"
)
_OFFICE = (
    r"(?:(?:in|from|at|to)[ -](?:the |our |an? )?(?:[\w.-]+ ){0,3}?(?:office|hub|hq"
    r"|studio)|in[- ]?office|on[- ]?site|im buro|vor ort|sur site|au bureau"
    r"|op kantoor|w biurze|en oficina|in ufficio|na escritorio|no escritorio|in ufficio"
    r"|en la oficina|na kancelari|in person|in-person)"
)

_LABEL = (
    r"(?:work ?(?:place|location|arrangement|model|mode|setting|type"
    r"|style)s?(?: type)?|location"
    r"(?: type)?|remote status|job type|modalidad|modalita|arbeitsort|arbeitsmodell"
    r"|modelo de trabalho)"
)
_NOT_REMOTE = re.compile(
    r"\b(?:(?:is|are|be)? ?not (?:a |an |hybrid |or |currently |eligible for |available "
    r"|offering |able to (?:offer|support) )*"
    r"(?:fully[- ])?remote|no remote(?: work| option)?|remote (?:work(?:ing)?"
    r"|option)s? (?:is|are) (?:not|un)"
    r"|non[- ]remote|not be(?:ing)? remote|kein (?:home ?office|remote)"
    r"|pas de teletravail|sin teletrabajo"
    r"|(?:(?:do|does|can|will|is) ?not|don't|doesn't|can't|cannot|won't|unable to)"
    r" (?:be |currently )?(?:able to )?(?:offer|support|allow|provide|consider|accept|permit"
    r"|accommodate)[^.\n]{0,25}\b(?:remote|work(?:ing)? from home|wfh|telework)"
    r"|cannot be (?:done|performed) remotely|unable to (?:support|offer|accommodate) remote)"
)
_HYBRID = re.compile(
    rf"\b{_DAYS}[^.\n]{{0,30}}?\b{_OFFICE}"
    rf"|{_OFFICE}(?: for| at least| a minimum of| minimum| up to| mindestens"
    rf"| (?:for )?about)* ?{_DAYS}"
    rf"|\bcome in(?:to (?:the|our) [\w ]{{0,20}}office)? {_NUMBER}[^.\n]{{0,8}}(?:times|days)"
    rf"|\b(?:from home|remotely|wfh|home ?office|teletravail|teletrabajo)[^.\n]{{0,25}}?{_DAYS}"
    rf"|{_OFFICE}(?: on)? (?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?)"
    rf"|\b{_DAYS}(?: (?:a|per|pro|each|/|par|por) ?(?:week|woche|semaine"
    rf"|semana))?[^.\n]{{0,12}}(?:remote|from home|home ?office|teletravail"
    rf"|teletrabajo|zdalnie)"
    r"|\bhybrid(?:e|es)?[ -](?:work(?:ing|place)?|schedule|role|position|model|job"
    r"|environment|arrangement|employees?|workers?|team members?|candidates?|teams?|setup"
    r"|policy|set-?up|basis|remote|office|working|opportunity|format|mode|\("
    r"|[a-z]+, (?:with|where)|arbeit\w*)"
    r"|\b(?:is|as|be|a|on a|,|:) hybrid\b(?! (?:cloud|consult|app|mobile|vehicle"
    r"|infra|it\b|engine|search|of|and|event))(?=[^a-z]*(?:[,.;:(\n]|$|position"
    r"|role|in |with|from|based|out of))"
    r"|^hybrid\b[,:]|\bhybrid,? \d"
    r"|\bteletravail (?:partiel|possible|hybride)|\b(?:partially|partly"
    r"|part[- ]time|teilweise|parcialmente) (?:remote|remoto)"
    r"|\b(?:mix|combination|blend) of (?:remote|home|office"
    r"|in-office)[^.\n]{0,30}(?:office|home|remote|on-?site)"
    rf"|\b{_LABEL}: ?(?:fully )?hybrid|\bothers? hybrid|\bmodalita ibrida|\blavoro ibrido"
    r"|\bsmart working\b|\bmodelo[^.\n]{0,20}hibrido|\bteleworking \d"
    r"|\bpraca hybrydowa|\bmodelo hibrido|\bmodalidad hibrida|\btrabajo hibrido"
    r"|\bmodalite hybride|\brythme hybride"
    r"|\bmobiles arbeiten (?:an|bis)|\bhybrides? (?:arbeiten|arbeitsmodell)"
    "|\u9031\u306b?\\s?\\d\u65e5[^\u3002]{0,10}(?:\u5728\u5b85"
    "|\u30ea\u30e2\u30fc\u30c8|\u51fa\u793e)"
    "|(?:\u5728\u5b85|\u30ea\u30e2\u30fc\u30c8)[^\u3002]{0,10}\u9031\\s?\\d\u65e5"
    "|\u30cf\u30a4\u30d6\u30ea\u30c3\u30c9"
)
_FIVE_DAYS = re.compile(r"\b(?:five|5)[ -]days?|\bfull[- ]time in|every day")
_REMOTE = re.compile(
    rf"\b{_LABEL}: ?(?:\d+ ?% |fully )?(?:remote|work from home|anywhere)\b"
    r"|^home[- ]based\b|\b(?:fully )?home[- ]based with\b|\bjoin (?:our|a"
    r"|the) (?:\w+ )?remote team"
    r"|\b(?:are|'re|is) an? (?:\w+ )?distributed (?:company|team|workforce|organi[sz]ation)"
    r"|\b(?:live|reside|located) anywhere\b|\bist (?:\w+ )?remote\b|\b(?:puesto"
    r"|posto) remoto\b|\bvaga remota\b"
    r"|\bda remoto\b|\bothers? (?:are |will be |can be )?remote\b"
    r"|\b(?:performed|done|executed|fulfilled|carried out) (?:\w+ )?remotely\b|\bor remotely\b"
    r"|\btelecommute: ?yes\b|完全リモート|"
    r"\b(?:fully|100 ?%|completely|entirely|permanently|primarily|all|full"
    r"|totalmente|voll|komplett) ?-?(?:remote(?:ly)?|remoto|distributed|virtual"
    r"|teletravail|home ?office|work from home)\b"
    r"|\bremote[- ](?:first|only|friendly|native|eligible|position|role|job"
    r"|opportunity|based|contract)\b"
    r"|\bremote (?:work|working) (?:is |as |within|in |from|possible|option"
    r"|opportunit|available|environment|arrangement|policy|position|role)"
    r"|\b(?:option|ability|freedom|opportunity|choice|chance) (?:to"
    r"|of) work(?:ing)? (?:fully )?(?:remotely|from home|from anywhere)"
    r"|\b(?:work|working|hire|hiring|open to hire|open)(?: fully| for| to"
    r"| as a)? (?:remotely|remote work|remote)\b(?! (?:team|site|user|client"
    r"|location|system|server)s?)"
    r"|\b(?:position|role|job|opportunity|work|this|you|candidates?|we) (?:is|are"
    r"|can be|may be|will be|could be)(?: also)?(?: either)?(?: a| an)?(?: fully"
    r"| 100%| completely| entirely| currently| open to| available| offered"
    r"| listed as)* ?(?:remote(?:ly)?|virtual|home[- ]based"
    r"|work from home)\b(?! (?:team|site|user|client)s?)"
    r"|\bwork(?:ing)?[ -]from[ -](?:home|anywhere)\b(?! (?:stipend|allowance|budget"
    r"|equipment|office|polic|option|possib|flexib|day|one|two|three|up to|\d|occasional|when))"
    r"|\blocation: ?(?:\w+ )?remote\b|\bremote ?\((?:us|uk|eu|usa|canada|emea"
    r"|worldwide|anywhere)|^remote\b[ ,.:(-]"
    r"|\bbe based anywhere|\bwork anywhere|\btelecommut(?:e|ing) (?:position|role"
    r"|available|from|allowed|is)"
    r"|\b(?:100 ?%|full|en|total) (?:teletravail|remoto|remote)\b"
    r"|\bteletrabajo\b(?! parcial)|\btrabajo remoto|\btrabalho remoto"
    r"|\b100% home ?office"
    r"|\bkomplett remote|\bremote arbeiten|\bpraca zdalna|\bhome[- ]based (?:role"
    r"|position|worker|job)|\bor remote\b|\bremote or\b"
    "|\u30d5\u30eb\u30ea\u30e2\u30fc\u30c8|\u5b8c\u5168\u5728\u5b85"
)
_ONSITE = re.compile(
    rf"\b{_LABEL}: ?(?:fully |100% )?(?:on[- ]?site|in[- ]office|in[- ]person|office)\b"
    r"|\battendance (?:in|at) (?:the|our) [\w ]{0,20}office[^.\n]{0,10}(?:mandatory|required)"
    r"|\bout of (?:the|our) [\w ]{0,20}office\b|\bcommute (?:daily )?to (?:the|our) \w+"
    r"|\bperformed (?:in|at) (?:the|our) \w+|出社(?:が|は)?必須|\bpraca w biurze"
    r"|\bw biurze w\b|\bin sede\b|\bfully on[- ]?site\b"
    r"|\b(?:fully |100 ?% |full[- ]time )?(?:on[- ]?site|in[- ]office|in[- ]person"
    r"|office[- ]based)(?: only)?[ -](?:role|position|job|work|working|only"
    r"|presence|attendance|required|is required|opportunity|requirement|at|in|with"
    r"|every|team|environment|for|5|five)\b"
    r"|\b(?:work|works|working|be|is|role|position|are|job)(?: fully| 100%"
    r"| entirely| primarily|,)? (?:on[- ]?site|in[- ]office|in[- ]person"
    r"|in the office|from (?:the|our) [\w ]{0,20}?office)\b"
    r"|\b(?:based|located|role is|position is|works?|working) (?:at|in|from"
    r"|out of) (?:our|the) (?:[\w.-]+ ){0,4}?(?:plant|depot|factory|warehouse|site"
    r"|lab|laboratory|store|clinic|hospital|headquarters|hq|campus|facility"
    r"|studio)\b"
    r"|\bprimo v provozu|\bpresencial\b|\ben presentiel\b|\bvor ort (?:in|bei|im)\b"
    r"|\bstacjonarn\w+|\bprezencne\b"
    r"|\b(?:five|5) days? (?:a|per) week in (?:the |our )?(?:[\w.-]+ )?office"
)
_DENIED = re.compile(
    r"\b(?:no|not|without|optional|never|occasional(?:ly)?|zero)\b[^.\n]{0,25}$"
    r"|\bdon'?t (?:need|have)[^.\n]{0,30}$"
)
_BESIDES = re.compile(r" as well\b")
_PERK = re.compile(
    r"^[^.\n]{0,6}\b(?:gym|parking|lunch|childcare|cafe|interviews?|visits?|events?"
    r"|meetings?|amenities|chef|perks|snacks|fitness|support for)\b"
)

_HINT = re.compile(
    r"remot|h[iy]brid|ibrid|office|on[ -]?site|in[- ]person|home|buro\b|vor ort|sur site|bureau"
    r"|teletra|presenci|zdaln|hybryd|stacjon|kantoor|kancel|mobiles arb|anywhere|telecomm"
    r"|distributed|virtual|provozu|prezenc|oficina|biurze|wfh|trabalho|presentiel"
    r"|\b(?:plant|depot|factory|warehouse|site|lab|store|clinic|hospital|hq|campus|facility"
    r"|studio|hub|headquarters|laboratory)\b|リモート|在宅|出社|ハイブリッド"
)
_LONGEST = 2000
_LINES = 100


def statements(description: str) -> list[tuple[Workplace, Span]]:
    """The workplaces that a description states, each with its words; [] where it is silent.

    Days in an office make a hybrid, and a hybrid outweighs a mere mention of remote work;
    a town alone says nothing.
    """
    folded = fold(description)
    lines = _lines(folded)
    denied = next((m for at in lines if (m := _NOT_REMOTE.search(folded, *at))), None)
    hybrid = _first(_HYBRID, folded, lines)
    onsite = _first(_ONSITE, folded, lines)
    if hybrid and _FIVE_DAYS.search(hybrid[0]):
        hybrid, onsite = None, hybrid
    remote = None if denied else _first(_REMOTE, folded, lines, hybrid)
    found: list[tuple[Workplace, re.Match[str]]] = []
    if remote and not (hybrid and not _fully(remote[0])):
        found.append(("remote", remote))
        if _BESIDES.match(folded, remote.end()) or "also" in remote[0]:
            found.append(("onsite", remote))
    if hybrid:
        found.append(("hybrid", hybrid))
    elif (onsite or denied) and not remote:
        found += [("onsite", match) for match in (onsite or denied,) if match]
    return [(kind, span_of("description", description, *m.span())) for kind, m in found]


def _fully(words: str) -> bool:
    return bool(
        re.search(r"fully|100|complete|entire|anywhere|or remote|remote or|open|other", words)
    )


def _lines(folded: str) -> list[tuple[int, int]]:
    """The lines that speak of a workplace at all, none too long to search."""
    spans, at = [], 0
    for line in folded.split("\n"):
        for start in range(at, at + len(line), _LONGEST):
            end = min(start + _LONGEST, at + len(line))
            if _HINT.search(folded, start, end):
                spans.append((start, end))
        at += len(line) + 1
    return spans[:_LINES]


def _first(
    pattern: re.Pattern[str],
    folded: str,
    lines: list[tuple[int, int]],
    apart_from: re.Match[str] | None = None,
) -> re.Match[str] | None:
    """The first match that no word before it denies and that is about the work, not a perk."""
    for match in (match for at in lines for match in pattern.finditer(folded, *at)):
        inside = (
            apart_from and match.start() < apart_from.end() and apart_from.start() < match.end()
        )
        before = folded[max(0, match.start() - 60) : match.start()]
        after = folded[match.end() : match.end() + 40]
        if not (inside or _DENIED.search(before) or _PERK.match(after)):
            return match
    return None
