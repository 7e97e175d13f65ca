"""Who calls: bearer tokens checked on every request, against scope and tenant (SEC-1)."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from fastapi import Request

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import (
    AuthenticationError,
    PermissionDeniedError,
    StorageError,
)
from jobsteward.runs.tokens import (
    Scope,
    Token,
    looks_like_secret,
    touch_tokens,
    verify_token,
)
from jobsteward.store.engine import Database

_TOUCH_EVERY = 60.0
_FLUSH_EVERY = 2.0


class Authenticator:
    """Verifies secrets against the database on every call, so that revocation is immediate."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._noted: dict[str, float] = {}
        self._unsaved: dict[str, str] = {}

    async def verify(self, secret: str) -> Token:
        """The live token. Raises AuthenticationError for anything else."""
        if not looks_like_secret(secret):
            raise AuthenticationError("unknown token; create one with: jobsteward token create")
        token = await self._database.read(lambda conn: verify_token(conn, secret))
        self._note_use(token.token_id)
        return token

    async def flush_forever(self) -> None:
        """Write ``last_used`` in the background, at most once a minute for each token."""
        while True:
            await asyncio.sleep(_FLUSH_EVERY)
            used, self._unsaved = self._unsaved, {}
            if used:
                with suppress(StorageError):  # only bookkeeping; the next use notes it again
                    await self._database.write(partial(touch_tokens, used=used))

    def _note_use(self, token_id: str) -> None:
        now = time.monotonic()
        if now - self._noted.get(token_id, -_TOUCH_EVERY) >= _TOUCH_EVERY:
            self._noted[token_id] = now
            self._unsaved[token_id] = timestamp(utc_now())


def require(scope: Scope) -> Callable[[Request], Awaitable[Token]]:
    """A dependency that gives the caller's token, which must hold the scope.

    ``admin`` does not include the others: each scope is granted by name.
    """

    async def caller(request: Request) -> Token:
        token: Token = await request.app.state.services.authenticator.verify(bearer(request))
        if scope not in token.scopes:
            raise PermissionDeniedError(f"this token lacks the scope {scope}")
        request.state.authenticated_at = timestamp(utc_now())
        return token

    return caller


def bearer(request: Request) -> str:
    """The secret of the one Authorization header. Raises AuthenticationError without it."""
    values = request.headers.getlist("authorization")
    scheme, _, secret = values[0].partition(" ") if len(values) == 1 else ("", "", "")
    if scheme.lower() != "bearer" or not secret:
        raise AuthenticationError("send one header: Authorization: Bearer <token>")
    return secret.strip()
