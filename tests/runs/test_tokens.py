"""Tokens are shown once, stored hashed and refused the moment that they end (SEC-1, S18)."""

from collections.abc import Iterable
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import AuthenticationError, InvalidInputError, NotFoundError
from jobsteward.runs import tokens
from jobsteward.runs.tables import MEMBERSHIPS, TOKENS
from jobsteward.runs.tokens import Token
from jobsteward.store.engine import Database, open_database

pytestmark = pytest.mark.anyio


async def _create(
    database: Database,
    *,
    scopes: Iterable[str] = ("read", "run"),
    tenant_id: str = "local",
    lifetime: timedelta | None = None,
) -> tuple[Token, str]:
    expires_at = utc_now() + lifetime if lifetime is not None else None
    return await database.write(
        lambda conn: tokens.create_token(
            conn, name="agent", scopes=scopes, tenant_id=tenant_id, expires_at=expires_at
        )
    )


async def _verify(database: Database, secret: str) -> Token:
    return await database.read(lambda conn: tokens.verify_token(conn, secret))


async def test_a_good_token_is_known(database: Database) -> None:
    """The secret leads to the token, its tenant and its scopes, in the order of their power."""
    token, secret = await _create(database, scopes=["run", "read"])
    assert await _verify(database, secret) == token
    assert token.scopes == ("read", "run")
    assert token.expires_at is None


async def test_the_secret_is_nowhere_in_the_database(database: Database) -> None:
    """SEC-1: only a hash and a short prefix are kept."""
    token, secret = await _create(database)
    stored = await database.read(lambda conn: repr(conn.execute(select(TOKENS)).all()))
    assert secret not in stored
    assert secret.removeprefix("jobs_")[:12] not in stored
    assert secret.startswith(token.prefix)
    assert len(token.prefix) < 16


@pytest.mark.parametrize("lifetime", [-timedelta(seconds=1), timedelta(0)])
async def test_an_expired_token_is_refused(database: Database, lifetime: timedelta) -> None:
    """S18: expired a second ago, and at the very moment."""
    _, secret = await _create(database, lifetime=lifetime)
    with pytest.raises(AuthenticationError, match="expired"):
        await _verify(database, secret)


async def test_a_token_works_until_it_expires(database: Database) -> None:
    """S18: not yet expired is good."""
    _, secret = await _create(database, lifetime=timedelta(minutes=5))
    assert await _verify(database, secret)


async def test_a_revoked_token_is_refused_in_every_process(
    database: Database, store_url: str
) -> None:
    """S18, F48: another process refuses it at once; revoking again keeps the first time."""
    token, secret = await _create(database)
    other = open_database(store_url)
    assert await _verify(other, secret)
    revoked = await database.write(lambda conn: tokens.revoke_token(conn, token.token_id))
    again = await database.write(lambda conn: tokens.revoke_token(conn, token.token_id))
    assert again.revoked_at == revoked.revoked_at is not None
    with pytest.raises(AuthenticationError, match="revoked"):
        await _verify(other, secret)
    await other.close()


async def test_an_unknown_secret_is_refused(database: Database) -> None:
    """A well-formed stranger and a spoilt secret are unknown alike."""
    _, secret = await _create(database)
    spoilt = secret[:-9] + ("0" if secret[-9] != "0" else "1") + secret[-8:]
    for text in (tokens.new_secret(), spoilt, secret.upper(), "", secret + " "):
        with pytest.raises(AuthenticationError, match="unknown token"):
            await _verify(database, text)


async def test_a_revoked_membership_ends_its_tokens(database: Database) -> None:
    """The owner of a token must still belong to the tenant."""
    _, secret = await _create(database)
    ended = update(MEMBERSHIPS).values(revoked_at=timestamp(utc_now()))
    await database.write(lambda conn: conn.execute(ended))
    with pytest.raises(AuthenticationError):
        await _verify(database, secret)


@pytest.mark.parametrize("scopes", [[], ["root"], ["read", "root"]])
async def test_unknown_scopes_are_refused(database: Database, scopes: list[str]) -> None:
    """SEC-1: the scopes are a closed list."""
    with pytest.raises(InvalidInputError):
        await _create(database, scopes=scopes)


async def test_scopes_may_come_as_an_iterator(database: Database) -> None:
    """Any iterable of scopes is read once."""
    token, _ = await _create(database, scopes=iter(["read"]))
    assert token.scopes == ("read",)
    with pytest.raises(InvalidInputError):
        await _create(database, scopes=iter(["read", "root"]))


async def test_tokens_belong_to_their_tenant(database: Database) -> None:
    """I11: another tenant's token is neither listed nor revoked."""
    token, secret = await _create(database, tenant_id="acme")
    assert await database.read(tokens.list_tokens) == []
    with pytest.raises(NotFoundError):
        await database.write(lambda conn: tokens.revoke_token(conn, token.token_id))
    assert (await _verify(database, secret)).tenant_id == "acme"
    mine = await database.read(lambda conn: tokens.list_tokens(conn, "acme"))
    assert mine == [token]


async def test_use_is_noted(database: Database) -> None:
    """When a token was last used is kept, for several at once."""
    created = [(await _create(database))[0] for _ in range(2)]
    await database.write(
        lambda conn: tokens.touch_tokens(conn, {token.token_id: "t9" for token in created})
    )
    found = await database.read(tokens.list_tokens)
    assert [token.last_used_at for token in found] == ["t9", "t9"]


def test_secrets_carry_a_checksum() -> None:
    """SEC-1: a scanner tells a leaked token from noise without asking anybody."""
    secret = tokens.new_secret()
    assert tokens.looks_like_secret(secret)
    assert len(secret) == len("jobs_") + 64 + 8
    for text in (secret[:-1] + "x", "jobx_" + secret[5:], secret[:-8], "", "jobs_é" + secret[6:]):
        assert not tokens.looks_like_secret(text)
