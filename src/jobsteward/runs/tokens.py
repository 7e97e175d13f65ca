"""Access tokens: random, stored as a hash, shown once (SEC-1)."""

import hmac
import secrets
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, and_, bindparam, select, update

from jobsteward.kernel.canonical import digest_text
from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import AuthenticationError, InvalidInputError, NotFoundError
from jobsteward.kernel.ids import new_token_id
from jobsteward.runs.tables import MEMBERSHIPS, TENANTS, TOKENS
from jobsteward.store.engine import insert_or_ignore

Scope = Literal["read", "run", "approve", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
AGENT_SCOPES: tuple[Scope, ...] = ("read", "run")
"""What an agent's token holds; never ``approve`` (SEC-7, MCP-10)."""
LOCAL_TENANT = "local"
PREFIX = "jobs_"
_SHOWN = len(PREFIX) + 6


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is listed: everything but the secret."""

    token_id: str
    tenant_id: str
    principal: str
    name: str
    prefix: str
    scopes: tuple[Scope, ...]
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None


def new_secret() -> str:
    """``jobs_``, 32 random bytes in hex and a CRC32, so that scanners recognise a leak."""
    body = secrets.token_hex(32)
    return f"{PREFIX}{body}{zlib.crc32(body.encode()):08x}"


def looks_like_secret(text: str) -> bool:
    """Whether the text has a token's form and checksum."""
    body = text[len(PREFIX) : -8]
    return (
        text.startswith(PREFIX)
        and len(body) == 64
        and text.isascii()
        and text[-8:] == f"{zlib.crc32(body.encode()):08x}"
    )


def create_token(
    conn: Connection,
    *,
    name: str,
    scopes: Iterable[str],
    tenant_id: str = LOCAL_TENANT,
    principal: str = "owner",
    expires_at: datetime | None = None,
) -> tuple[Token, str]:
    """The stored token and its secret, which nothing can show again.

    Raises InvalidInputError for an unknown scope or none, and for a name that is not one
    line of 1 to 100 printable characters: it is shown in lists, one token a line.
    """
    if not (0 < len(name) <= 100 and name.isprintable()):
        rule = "1 to 100 printable characters"
        raise InvalidInputError(f"a token's name must be {rule}", {"name": rule})
    asked = set(scopes)
    wanted = tuple(scope for scope in SCOPES if scope in asked)
    if not wanted or asked - set(SCOPES):
        raise InvalidInputError(f"scopes must be among {', '.join(SCOPES)}", {"scopes": "unknown"})
    now = timestamp(utc_now())
    secret = new_secret()
    token = Token(
        token_id=new_token_id(),
        tenant_id=tenant_id,
        principal=principal,
        name=name,
        prefix=secret[:_SHOWN],
        scopes=wanted,
        created_at=now,
        expires_at=timestamp(expires_at) if expires_at else None,
        revoked_at=None,
        last_used_at=None,
    )
    insert_or_ignore(conn, TENANTS, [{"tenant_id": tenant_id, "created_at": now}])
    member = {"tenant_id": tenant_id, "principal": principal, "created_at": now}
    insert_or_ignore(conn, MEMBERSHIPS, [member])
    row = {field: getattr(token, field) for field in Token.__dataclass_fields__}
    row |= {"scopes": list(wanted), "token_hash": digest_text(secret)}
    conn.execute(TOKENS.insert(), row)
    return token, secret


_MEMBERSHIP = and_(
    MEMBERSHIPS.c.tenant_id == TOKENS.c.tenant_id,
    MEMBERSHIPS.c.principal == TOKENS.c.principal,
    MEMBERSHIPS.c.revoked_at.is_(None),
)
_LIVE_MEMBERS_TOKEN = (
    select(TOKENS)
    .select_from(TOKENS.join(MEMBERSHIPS, _MEMBERSHIP))
    .where(TOKENS.c.token_hash == bindparam("hash"))
)


def verify_token(conn: Connection, secret: str) -> Token:
    """The live token behind a secret, with its owner still a member of the tenant.

    Raises AuthenticationError for an unknown, expired or revoked one.
    """
    digest = digest_text(secret)
    row = conn.execute(_LIVE_MEMBERS_TOKEN, {"hash": digest}).first()
    known = row is not None and hmac.compare_digest(row.token_hash, digest)
    if not known or row is None:
        raise AuthenticationError("unknown token; create one with: jobsteward token create")
    token = _token(row)
    if token.revoked_at is not None:
        raise AuthenticationError("this token was revoked; create a new one")
    if token.expires_at is not None and token.expires_at <= timestamp(utc_now()):
        raise AuthenticationError("this token has expired; create a new one")
    return token


def list_tokens(conn: Connection, tenant_id: str = LOCAL_TENANT) -> list[Token]:
    """The tenant's tokens, oldest first."""
    statement = select(TOKENS).where(TOKENS.c.tenant_id == tenant_id)
    return [_token(row) for row in conn.execute(statement.order_by(TOKENS.c.created_at))]


def revoke_token(conn: Connection, token_id: str, tenant_id: str = LOCAL_TENANT) -> Token:
    """The token, refused from now on. Raises NotFoundError for an unknown id."""
    columns = TOKENS.c
    mine = and_(columns.tenant_id == tenant_id, columns.token_id == token_id)
    conn.execute(
        update(TOKENS)
        .where(mine, columns.revoked_at.is_(None))
        .values(revoked_at=timestamp(utc_now()))
    )
    row = conn.execute(select(TOKENS).where(mine)).first()
    if row is None:
        raise NotFoundError("no such token; list them with: jobsteward token list")
    return _token(row)


def touch_tokens(conn: Connection, used: dict[str, str]) -> None:
    """Note when tokens were last used: token id → timestamp, coalesced by the caller."""
    for token_id, moment in used.items():
        conn.execute(
            update(TOKENS).where(TOKENS.c.token_id == token_id).values(last_used_at=moment)
        )


def _token(row: object) -> Token:
    values = {name: getattr(row, name) for name in Token.__dataclass_fields__}
    return Token(**values | {"scopes": tuple(values["scopes"])})
