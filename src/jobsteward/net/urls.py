"""Which URLs may be asked for: plain http(s) ones that every reader understands alike."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import SplitResult, quote, urlsplit

import idna

from jobsteward.kernel.errors import UrlBlockedError, UrlInvalidError
from jobsteward.net.addresses import is_public

MAX_LENGTH = 2048
DEFAULT_PORTS = {"http": 80, "https": 443}
USUAL_PORTS = frozenset(DEFAULT_PORTS.values())
OTHER_WEB_PORTS = frozenset({8080, 8443})

_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029]")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LOCAL_SUFFIXES = (".localhost", ".local", ".localdomain", ".internal", ".intranet", ".home.arpa")
_PATH_SAFE = "/%:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?[]|"


@dataclass(frozen=True, slots=True)
class WebUrl:
    """A checked URL in parts: ASCII host, explicit port, encoded path and query."""

    scheme: str
    host: str
    port: int
    path: str
    query: str

    @property
    def authority(self) -> str:
        """Host as the Host header has it: port only where it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def target(self) -> str:
        """Path and query, as the request line has them."""
        return f"{self.path}?{self.query}" if self.query else self.path

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def check_url(text: str, *, other_ports: bool = False) -> WebUrl:
    """The URL in parts, after every check that needs no look-up (SEC-3).

    ``other_ports`` also allows 8080 and 8443. Raises UrlInvalidError for what is not a
    plain http(s) URL of at most 2,048 characters, UrlBlockedError for addresses and names
    that are not public and for other ports.
    """
    if len(text) > MAX_LENGTH:
        raise UrlInvalidError("a URL may have at most 2,048 characters")
    if _FORBIDDEN.search(text):
        raise UrlInvalidError("a URL holds no spaces, control characters or backslashes")
    parts, port = _split(text)
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise UrlInvalidError("a URL starts with http:// or https://")
    if "@" in parts.netloc or "%" in parts.netloc:
        raise UrlInvalidError("a URL's host carries no user name, password or % escapes")
    host = _host(parts)
    port = DEFAULT_PORTS[scheme] if port is None else port
    if port not in (USUAL_PORTS | OTHER_WEB_PORTS if other_ports else USUAL_PORTS):
        raise UrlBlockedError("only the ports 80 and 443 are fetched")
    return WebUrl(
        scheme,
        host,
        port,
        quote(parts.path or "/", safe=_PATH_SAFE),
        quote(parts.query, safe=_QUERY_SAFE),
    )


def _split(text: str) -> tuple[SplitResult, int | None]:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise UrlInvalidError("this is not a complete URL; copy it from the address bar") from None
    return parts, port


def _host(parts: SplitResult) -> str:
    raw = parts.hostname or ""
    if parts.netloc.startswith("["):
        return _literal(raw)
    host = _ascii(raw).removesuffix(".")
    if not _HOST.fullmatch(host):
        raise UrlInvalidError("the URL's host is not a valid name")
    last = host.rpartition(".")[2]
    if _NUMBER.fullmatch(last):
        return _literal(host)
    if "." not in host or host.endswith(_LOCAL_SUFFIXES):
        raise UrlBlockedError("the URL names a machine of a local network; use a public address")
    return host


def _ascii(raw: str) -> str:
    if raw.isascii():
        return raw.lower()
    try:
        return idna.encode(raw, uts46=True).decode("ascii").lower()
    except idna.IDNAError:
        raise UrlInvalidError("the URL's host is not a valid name") from None


def _literal(host: str) -> str:
    # A host whose last label is a number is an address to some readers even in octal or
    # hexadecimal; only the one canonical form is taken.
    try:
        address = IPv6Address(host) if ":" in host else IPv4Address(host)
    except ValueError:
        raise UrlInvalidError("the URL's host is not a valid name") from None
    if not is_public(str(address)):
        raise UrlBlockedError("the URL leads to a private address; use a public one")
    return str(address)
