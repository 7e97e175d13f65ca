"""The rules that a request's header must keep, each as a pure check that raises ProblemError."""

import re

from jobsteward_server.http.problems import Problem, ProblemError

MAX_HEADERS = 100
MAX_HEADER_BYTES = 8 * 1024

Headers = list[tuple[bytes, bytes]]
"""Lower-case names and raw values, as ASGI gives them."""


def authority(host: str, port: int) -> str:
    """``host:port`` as a Host header and a URL spell it: an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def check_size(headers: Headers) -> None:
    """Refuse more than 100 header fields, or one over 8 KiB."""
    if len(headers) > MAX_HEADERS:
        raise bad_request(f"more than {MAX_HEADERS} header fields")
    if any(len(name) + len(value) > MAX_HEADER_BYTES for name, value in headers):
        raise bad_request("a header field is longer than 8 KiB")


def check_host(headers: Headers, allowed: set[str]) -> None:
    """Refuse all but exactly one Host out of the allowed ``host:port`` values."""
    hosts = _values(headers, b"host")
    if len(hosts) != 1:
        raise bad_request("send exactly one Host header")
    if hosts[0].lower() not in allowed:
        detail = "this server does not answer to that Host; see JOBSTEWARD_ALLOWED_HOSTS"
        raise ProblemError(Problem(421, "misdirected_request", detail))


def check_transfer_coding(headers: Headers) -> None:
    """Refuse a body in any transfer coding but ``chunked``: the parser takes off that one and
    leaves the others in (S28)."""
    codings = _values(headers, b"transfer-encoding")
    if codings and [coding.lower() for coding in codings] != ["chunked"]:
        raise bad_request("the only Transfer-Encoding that is understood is chunked")


def check_target(path: bytes, query: bytes) -> None:
    """Refuse a NUL in the address, which PostgreSQL cannot even look for (S24)."""
    if b"%00" in path or b"%00" in query or b"\0" in path:
        raise bad_request("the address holds a NUL character")


def check_origin(headers: Headers, allowed: set[str]) -> None:
    """Refuse a web page of another origin; programs send no Origin."""
    origins = _values(headers, b"origin")
    if not origins:
        return
    own = {f"{scheme}://{host}" for scheme in ("http", "https") for host in allowed}
    if any(origin.lower() not in own for origin in origins) or len(origins) > 1:
        detail = "web pages of other origins may not use this server"
        raise ProblemError(Problem(403, "origin_refused", detail))


def check_json_type(headers: Headers) -> None:
    """Refuse a body that is not declared as unencoded ``application/json``."""
    types = _values(headers, b"content-type")
    plain = all(value.lower() == "identity" for value in _values(headers, b"content-encoding"))
    if not plain or len(types) != 1 or not _JSON_TYPE.fullmatch(types[0].lower()):
        detail = "send the body as Content-Type: application/json, in UTF-8 and not compressed"
        raise ProblemError(Problem(415, "unsupported_media_type", detail))


def idempotency_key(headers: Headers) -> str | None:
    """The one key of the request: 1 to 255 visible ASCII characters, bare or as a quoted
    string of the IETF draft (``"abc"`` is ``abc``); None without the header (ADM-3)."""
    values = _values(headers, b"idempotency-key")
    if not values:
        return None
    key = _unquoted(values[0])
    if len(values) > 1 or not _KEY.fullmatch(key):
        detail = "send one Idempotency-Key of 1 to 255 visible ASCII characters"
        raise ProblemError(Problem(400, "bad_idempotency_key", detail))
    return key


_JSON_TYPE = re.compile(r'application/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?)?[ \t]*;?')
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    quoted = _QUOTED.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else ""


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip(" \t") for key, value in headers if key == name]


def check_declared_length(headers: Headers, limit: int) -> None:
    """Refuse a Content-Length over the limit before a byte of the body is read."""
    for value in _values(headers, b"content-length"):
        if not (value.isascii() and value.isdigit()):
            raise bad_request("Content-Length is not a number")
        if len(value) > 18 or int(value) > limit:
            raise ProblemError(too_large(limit))


def bad_request(what: str) -> ProblemError:
    """400 for a malformed head."""
    return ProblemError(Problem(400, "bad_request", what))


def too_large(limit: int) -> Problem:
    """413, with the limit in bytes."""
    detail = f"the body is limited to {limit} bytes; larger files go through an upload"
    return Problem(413, "payload_too_large", detail)


def too_slow(seconds: float | None) -> Problem:
    """408, which also ends the connection."""
    detail = f"nothing more of the body came within {seconds:g} s; send it again"
    return Problem(408, "request_timeout", detail, headers={"connection": "close"})
