"""One name for one thing: canonical URLs and the digest of a posting's content."""

from dataclasses import asdict
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode, urlsplit

from jobsteward.discover.model import Posting
from jobsteward.kernel.canonical import digest
from jobsteward.kernel.errors import UrlBlockedError, UrlInvalidError
from jobsteward.net.urls import check_url

_TRACKING = frozenset(
    {
        "_ga", "_gl", "dclid", "fbclid", "gclid", "gbraid", "gh_src", "igshid",
        "jobboardsource", "lever-origin", "lever-source", "li_fat_id", "mc_cid", "mc_eid",
        "mkt_tok", "msclkid", "recommendedflavor", "refid", "trackingid", "trk", "trkinfo",
        "ttclid", "twclid", "wbraid", "yclid",
    }
)  # fmt: skip
_TRACKING_PREFIXES = ("utm_", "lever-source", "pk_", "hsa_", "__hs")
_PATH_SAFE = "/:@!$&'()*+,;=~"


def canonical_url(text: str) -> str:
    """The URL with everything removed that does not change what it leads to (DIS-8).

    Lower-case host, no default port, no tracking parameters, parameters sorted, escapes
    in one form; ids such as ``gh_jid`` stay, and so does a fragment that is a route
    (``#/jobs/1``). Applying it twice changes nothing. Raises UrlInvalidError or
    UrlBlockedError as `check_url` does.
    """
    url = check_url(text, other_ports=True)
    path = quote(unquote_to_bytes(url.path), safe=_PATH_SAFE).rstrip("/") or "/"
    pairs = sorted(
        pair for pair in parse_qsl(url.query, keep_blank_values=True) if not _tracks(pair[0])
    )
    fragment = urlsplit(text).fragment
    query = f"?{urlencode(pairs)}" if pairs else ""
    route = f"#{quote(unquote_to_bytes(fragment), safe=_PATH_SAFE)}" if _routes(fragment) else ""
    return f"{url.scheme}://{url.authority}{path}{query}{route}"


def web_url(value: object, otherwise: str) -> str:
    """The canonical form of a URL that a source gave, or ``otherwise`` where it is none."""
    if not isinstance(value, str):
        return otherwise
    try:
        return canonical_url(value.strip())
    except (UrlInvalidError, UrlBlockedError):
        return otherwise


def content_digest(posting: Posting) -> str:
    """sha256 over the posting's fields, without its text and the source's update time.

    Boards touch their update time without a change, and an answer without the text is no
    change of the text (DIS-9), whose digest is kept by itself.
    """
    content = asdict(posting)
    del content["updated_at"], content["description"]
    return digest(content)


def _tracks(name: str) -> bool:
    name = name.lower()
    return name in _TRACKING or name.startswith(_TRACKING_PREFIXES)


def _routes(fragment: str) -> bool:
    return fragment.startswith(("/", "!/"))
