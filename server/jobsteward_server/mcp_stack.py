"""The stdio server's way to the API: the stack of its app directory, started when none runs."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import ConfigurationError, JobstewardError
from jobsteward.settings import Settings
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.supervisor import ensure_stack

PATIENCE = 30.0
"""Most seconds that a call waits for a stack that starts."""
_WARM_UP = 120.0

log = logging.getLogger(__name__)

EnsureStack = Callable[[Settings, float], Awaitable[str]]


class StackLink:
    """Clients for the stack in force, looked up at every call: a stack that moved to another
    port or was restarted is found, one that is gone is started again."""

    def __init__(
        self, settings: Settings, *, ensure: EnsureStack = ensure_stack, patience: float = PATIENCE
    ) -> None:
        self._settings = settings
        self._ensure = ensure
        self._patience = patience
        self._client: ApiClient | None = None
        self._of: tuple[str, str] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client:
            await self._client.close()

    async def keep_warm(self) -> None:
        """Start the stack now, so that the first call need not wait; trouble is told there."""
        try:
            await self._ensure(self._settings, _WARM_UP)
        except JobstewardError as error:
            log.warning("[%s] %s", error.code, error.message)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[ApiClient]:
        """A client of the stack, which has answered within ``patience`` seconds.

        Raises ConfigurationError with what to read or set when none comes up.
        """
        url = await self._ensure(self._settings, self._patience)
        of = (url, self._secret())
        if self._client is None or of != self._of:
            # The old one is not closed: calls may still be in flight on it.
            self._client, self._of = ApiClient(*of), of
        yield self._client

    def _secret(self) -> str:
        if self._settings.token:
            return self._settings.token.get_secret_value()
        return read_secret(self._settings.home / AGENT_FILE)


def read_secret(path: Path) -> str:
    """The token in that file. Raises ConfigurationError saying how to get one."""
    try:
        return path.read_text("utf-8").strip()
    except OSError:
        raise ConfigurationError(
            f"there is no token in {path}: set JOBSTEWARD_TOKEN, or make one with"
            " jobsteward token create"
        ) from None
