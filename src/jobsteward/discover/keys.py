"""Sources that answer only to a person's own key: which settings hold it, and handing it over."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from pydantic import SecretStr

from jobsteward.discover.source import Source
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import PREFIX, Settings

Keys = Mapping[str, str]
"""The keys by the names of their settings."""


@runtime_checkable
class Keyed(Protocol):
    """A source that needs keys. Without them its `list_requests` raises ConfigurationError."""

    settings: tuple[str, ...]
    """The settings that hold them, as `Settings` names them."""

    def with_keys(self, keys: Keys) -> Source:
        """The source that asks with these keys, which no message and no repr of it shows."""
        ...


def keyed(source: Source, settings: Settings) -> Source:
    """The source with its keys where it needs some and all of them are set; else as it is."""
    if not isinstance(source, Keyed):
        return source
    stated = {name: getattr(settings, name) for name in source.settings}
    keys = {
        name: value.get_secret_value() if isinstance(value, SecretStr) else value
        for name, value in stated.items()
        if value
    }
    return source.with_keys(keys) if len(keys) == len(stated) else source


def missing_key(provider: str, settings: tuple[str, ...], page: str) -> ConfigurationError:
    """What to raise where a source has no key: which settings to fill, and from where."""
    names = " and ".join(PREFIX + name.upper() for name in settings)
    return ConfigurationError(f"{provider} needs a key of your own: set {names}; free at {page}")
