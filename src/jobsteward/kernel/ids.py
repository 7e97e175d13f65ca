"""Identifiers: random ones that nobody can guess, derived ones that nobody can collide."""

import secrets
from urllib.parse import quote

EXECUTION_PREFIX = "exe_"


def new_execution_id() -> str:
    """A fresh receipt: ``exe_`` and 128 random bits in hex."""
    return EXECUTION_PREFIX + secrets.token_hex(16)


def new_token_id() -> str:
    """A fresh public id for an access token: ``tok_`` and 64 random bits in hex."""
    return "tok_" + secrets.token_hex(8)


def id_part(text: str) -> str:
    """The text as one part of a workflow id (WID-1).

    Percent-encodes everything outside letters, digits, ``_`` and ``.``; the separator
    ``-`` cannot appear, so joined parts can be told apart again and no two (tenant, key)
    pairs share an id.
    """
    return quote(text, safe="").replace("-", "%2D").replace("~", "%7E")
