"""Sources that answer only to a person's own key, and how it gets into what is sent.

No request that a source makes holds a key, so none is stored with a place in a list; it is
added on the way out.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from pydantic import SecretStr

from jobsteward.discover.pages import DEADLINE, LIST_BYTES, Fetching
from jobsteward.discover.source import Source
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.net import Fetched
from jobsteward.settings import PREFIX, Settings

Keys = Mapping[str, str]
"""The keys by the names of their settings."""


@runtime_checkable
class Keyed(Protocol):
    """A source that needs keys of the person whose searches it answers."""

    name: str
    settings: tuple[str, ...]
    """The settings that hold the keys, as `Settings` names them."""
    key_page: str
    """Where a person gets them."""

    def signed(self, url: str, keys: Keys) -> tuple[str, Mapping[str, str]]:
        """The URL and the private headers by which a request shows the keys."""
        ...


class Signing:
    """Fetches for one source, with its keys. What comes back is named without them."""

    def __init__(self, fetching: Fetching, source: Keyed, keys: Keys) -> None:
        self._fetching = fetching
        self._source = source
        self._keys = keys

    async def fetch(
        self,
        url: str,
        *,
        accept: str = "application/json",
        body: bytes | None = None,
        private: Mapping[str, str] | None = None,
        max_bytes: int = LIST_BYTES,
        deadline: float = DEADLINE,
    ) -> Fetched:
        """As `Outbound.fetch`. Raises ConfigurationError, saying what to set, without keys."""
        if any(not self._keys.get(name) for name in self._source.settings):
            raise missing_key(self._source)
        signed, headers = self._source.signed(url, self._keys)
        answer = await self._fetching.fetch(
            signed,
            accept=accept,
            body=body,
            private={**(private or {}), **headers},
            max_bytes=max_bytes,
            deadline=deadline,
        )
        return replace(answer, url=url)


def signing(fetching: Fetching, source: Source, settings: Settings) -> Fetching:
    """What fetches for the source: with the person's keys where it needs some."""
    if not isinstance(source, Keyed):
        return fetching
    stated = {name: getattr(settings, name) or "" for name in source.settings}
    keys = {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in stated.items()
    }
    return Signing(fetching, source, keys)


def missing_key(source: Keyed) -> ConfigurationError:
    """What to raise where a source has no key: which settings to fill, and from where."""
    names = " and ".join(PREFIX + name.upper() for name in source.settings)
    return ConfigurationError(
        f"{source.name} needs a key of your own: set {names}; free at {source.key_page}"
    )
