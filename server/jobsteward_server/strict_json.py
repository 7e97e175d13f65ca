"""Request bodies as JSON that every reader understands alike, or a quick refusal (SEC-8).

Python's own reader takes NaN, infinite numbers, duplicate members and half surrogate pairs,
and spends seconds and stack on hostile nesting. Here a scan without recursion bounds depth
and size first, so that what follows is short (S24-S26).
"""

import json
import math
import re
from typing import Any

from starlette.requests import Request

from jobsteward.kernel.errors import BadJsonError, InvalidTextError, PayloadTooLargeError

MAX_DEPTH = 64
MAX_VALUES = 10_000
"""Members and elements of the whole document, all levels together."""
MAX_STRING_BYTES = 64 * 1024
"""UTF-8 bytes of one string or member name."""

_MAX_TOKENS = 4 * MAX_VALUES
_MAX_NUMBER_CHARACTERS = 400
_MAX_INTEGER = 2**63

# Possessive, so that an unterminated string fails in one pass; the closing quote is optional,
# so that such a string is seen here and never searched again from its next quote.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+("?)|[\[\]{},]', re.DOTALL)


async def read_json_object(request: Request) -> dict[str, Any]:
    """The request's body as a JSON object. Raises what `parse` does, and BadJsonError for
    another kind of document."""
    document = parse(await request.body())
    if not isinstance(document, dict):
        raise BadJsonError("the body must be one JSON object")
    return document


def parse(body: bytes) -> Any:
    """The document: UTF-8 without mark, finite numbers, integers within 64 bits, no member
    twice, no lone surrogate and no NUL.

    Raises BadJsonError, InvalidTextError (a string no store can keep) or
    PayloadTooLargeError (a string over 64 KiB).
    """
    text = _decode(body)
    _bound(text)
    try:
        document = json.loads(
            text,
            object_pairs_hook=_members,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_integer,
        )
    except json.JSONDecodeError as error:
        raise BadJsonError(f"the body is not JSON at character {error.pos}") from None
    _check_strings(document)
    return document


def _decode(body: bytes) -> str:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadJsonError("the body must be UTF-8") from None
    if text.startswith("\ufeff"):
        raise BadJsonError("the body must not begin with a byte order mark")
    return text


def _bound(text: str) -> None:
    """Refuse what is too deep or too large before any reader recurses into it."""
    depth = values = 0
    for count, token in enumerate(_TOKEN.finditer(text)):
        match token[0][0]:
            case "[" | "{":
                depth += 1
                values += 1
            case "]" | "}":
                depth -= 1
            case ",":
                values += 1
            case _:
                if not token[1]:
                    raise BadJsonError("the body ends within a string")
        if depth > MAX_DEPTH:
            raise BadJsonError(f"the body is nested deeper than {MAX_DEPTH} levels")
        if values > MAX_VALUES or count > _MAX_TOKENS:
            raise BadJsonError(f"the body has more than {MAX_VALUES} members")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise BadJsonError("an object has the same member twice; send each once")
    return members


def _no_constant(_name: str) -> Any:
    raise BadJsonError("numbers must be finite")


def _finite(text: str) -> float:
    if len(text) > _MAX_NUMBER_CHARACTERS:
        raise BadJsonError("a number has too many digits")
    number = float(text)
    if not math.isfinite(number):
        raise BadJsonError("numbers must be finite")
    return number


def _integer(text: str) -> int:
    number = int(text) if len(text) < 21 else _MAX_INTEGER
    if not -_MAX_INTEGER <= number < _MAX_INTEGER:
        raise BadJsonError("integers must fit in 64 bits")
    return number


def _check_strings(document: Any) -> None:
    pending = [document]
    while pending:
        match pending.pop():
            case str() as text:
                _check_string(text)
            case list() as elements:
                pending += elements
            case dict() as members:
                pending += members
                pending += members.values()


def _check_string(text: str) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise InvalidTextError("a string holds half a surrogate pair; send whole text") from None
    if "\0" in text:
        raise InvalidTextError("a string holds NUL; remove it")
    if size > MAX_STRING_BYTES:
        raise PayloadTooLargeError("one string is limited to 64 KiB; upload larger texts")
