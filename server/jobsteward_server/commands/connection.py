"""The API that the work commands talk to, and the token that they show it."""

from typing import Any

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import Settings, load_settings
from jobsteward_server import app_directory
from jobsteward_server.app_directory import AGENT_FILE, OWNER_FILE


def connect(overrides: dict[str, Any]) -> ApiClient:
    """A client of the configured API, else of the stack that runs for the app directory.

    Raises ConfigurationError when neither exists.
    """
    settings = load_settings(**overrides)
    return ApiClient(_url(settings), _token(settings, AGENT_FILE))


def connect_as_owner(overrides: dict[str, Any]) -> ApiClient:
    """The same with the owner's token, for what an agent may not do (SEC-7)."""
    settings = load_settings(**overrides)
    return ApiClient(_url(settings), _token(settings, OWNER_FILE))


def _token(settings: Settings, name: str) -> str | None:
    if settings.token:
        return settings.token.get_secret_value()
    file = settings.home / name
    return file.read_text("utf-8").strip() if file.exists() else None


def _url(settings: Settings) -> str:
    if settings.url:
        return settings.url
    record = app_directory.running_stack(settings.home)
    if record is None:
        raise ConfigurationError(
            f"no stack runs for {settings.home}: start one with jobsteward up, or set"
            " JOBSTEWARD_URL"
        )
    return record.url
