"""Settings: ``JOBSTEWARD_*`` environment variables over ``settings.env`` in the app directory.

Every process reads the same names, so that the laptop default and a cluster differ by
settings alone. The three lane settings of LANE-1 carry no prefix.
"""

import os
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
)
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from jobsteward.kernel.errors import ConfigurationError

PREFIX = "JOBSTEWARD_"
SETTINGS_FILE = "settings.env"
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


def default_home() -> Path:
    """The app directory when ``JOBSTEWARD_HOME`` is not set."""
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "jobsteward"


def _loopback_only(value: Any) -> Any:
    if isinstance(value, dict):
        for host, origin in value.items():
            parts = urlsplit(origin if isinstance(origin, str) else "")
            if parts.scheme != "http" or parts.hostname not in LOOPBACK_HOSTS:
                raise ValueError(f"{host} must map to an http:// origin on this machine")
    return value


def _base_url(value: str) -> str:
    parts = urlsplit(value)
    reachable = parts.hostname and (parts.port is None or parts.port > 0)
    if parts.scheme not in ("http", "https") or not reachable or not value.isprintable():
        raise ValueError("must be http://HOST:PORT or https://HOST")
    return value


OriginMap = Annotated[dict[str, str], BeforeValidator(_loopback_only)]


class Settings(BaseSettings):
    """All that a process can be told. Paths are absolute; times are seconds."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True
    )

    home: Path = Field(default_factory=default_home)
    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=0, le=65535)
    """Port of the HTTP API; 0 takes a free one."""

    temporal_address: str | None = None
    """Cluster address; unset means the embedded server."""
    temporal_namespace: str = "jobsteward"
    temporal_tls: bool = False
    temporal_api_key: SecretStr | None = None

    database_url: str | None = None
    """``postgresql://…``; unset means the SQLite file in the app directory."""

    url: Annotated[str, AfterValidator(_base_url)] | None = None
    """Base URL of the API, for clients; unset means the stack of this app directory."""
    token: SecretStr | None = None
    """Bearer token, for clients; unset means the app directory's agent token."""

    origin_map: OriginMap = Field(default_factory=dict)
    """Host → loopback origin that outbound requests to that host go to (tests, demo)."""
    allowed_hosts: tuple[str, ...] = ()
    """Further exact ``host[:port]`` values the API answers to, beyond its own address."""

    workflow_job_concurrency: int = Field(
        default=4, ge=1, validation_alias=AliasChoices("WORKFLOW_JOB_CONCURRENCY")
    )
    workflow_interactive_concurrency: int = Field(
        default=2, ge=1, validation_alias=AliasChoices("WORKFLOW_INTERACTIVE_CONCURRENCY")
    )
    workflow_worker_lane: Literal["all", "interactive", "background"] = Field(
        default="all", validation_alias=AliasChoices("WORKFLOW_WORKER_LANE")
    )

    adzuna_app_id: SecretStr | None = None
    adzuna_app_key: SecretStr | None = None
    """Your key of https://developer.adzuna.com, for searches there."""
    usajobs_key: SecretStr | None = None
    usajobs_email: str | None = None
    """Your key of https://developer.usajobs.gov and the address that it was given to."""

    heartbeat_timeout: float = Field(default=120.0, gt=0, le=86_400)
    """Heartbeat time-out of long activities (ACT-1)."""
    desktop_notices: bool = False
    """Whether this machine's desktop says so when something waits for a person."""
    test_mode: bool = False

    @property
    def sqlite_path(self) -> Path:
        """The SQLite file of this app directory."""
        return self.home / "jobsteward.db"

    @property
    def store_url(self) -> str:
        """The database URL in force."""
        return self.database_url or f"sqlite:///{self.sqlite_path}"

    @property
    def artefacts(self) -> Path:
        """Where immutable files named by content hash live."""
        return self.home / "artefacts"


def load_settings(**overrides: Any) -> Settings:
    """The settings in force: arguments, then environment, then the app directory's file.

    Raises ConfigurationError naming the settings that do not fit, never their values.
    """
    home = _home(overrides.get("home") or os.environ.get(PREFIX + "HOME") or default_home())
    try:
        return Settings(**overrides | {"home": home}, _env_file=home / SETTINGS_FILE)  # type: ignore[call-arg]
    except ValidationError as error:
        problems = "; ".join(
            f"{_setting(item['loc'])}: {item['msg']}"
            for item in error.errors(include_input=False, include_url=False)
        )
        raise ConfigurationError(f"these settings do not fit: {problems}") from None
    except SettingsError:
        raise ConfigurationError(
            f"{PREFIX}ORIGIN_MAP must be a JSON object and {PREFIX}ALLOWED_HOSTS a JSON list;"
            " correct the one that is set"
        ) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{home / SETTINGS_FILE} must be text in UTF-8") from None


def _home(given: str | Path) -> Path:
    try:
        return Path(given).expanduser().absolute()
    except RuntimeError:
        raise ConfigurationError(
            f"{PREFIX}HOME begins with ~ and a name that is no user here; write the whole path"
        ) from None


def _setting(location: tuple[int | str, ...]) -> str:
    name = ".".join(str(part) for part in location).upper()
    return name if name.startswith("WORKFLOW_") else PREFIX + name
