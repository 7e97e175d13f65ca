"""The API that the work commands talk to, and the token that they show it."""

from typing import Any

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import Settings, load_settings
from jobsteward_server import app_directory

AGENT_TOKEN_FILE = "agent.token"
"""What the first start of a stack leaves for its clients in the app directory (SEC-1)."""


def connect(overrides: dict[str, Any]) -> ApiClient:
    """A client of the configured API, else of the stack that runs for the app directory.

    Raises ConfigurationError when neither exists.
    """
    settings = load_settings(**overrides)
    return ApiClient(_url(settings), _token(settings))


def _token(settings: Settings) -> str | None:
    if settings.token:
        return settings.token.get_secret_value()
    file = settings.home / AGENT_TOKEN_FILE
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
