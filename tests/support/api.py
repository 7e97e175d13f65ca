"""The real HTTP application in this process, spoken to over ASGI."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from jobsteward.client import ApiClient
from jobsteward.runs.tokens import create_token
from jobsteward.settings import Settings
from jobsteward_server.app_directory import AGENT_FILE, OWNER_FILE
from jobsteward_server.http.app import create_app
from jobsteward_server.http.services import Services
from jobsteward_worker.spec import Catalogue

BASE = "http://127.0.0.1:8765"


@dataclass(frozen=True)
class Api:
    """One running application."""

    app: FastAPI
    settings: Settings

    @property
    def services(self) -> Services:
        """What its routes work with."""
        services: Services = self.app.state.services
        return services

    def secret(self, file: str) -> str:
        """The secret in one of the first token files."""
        return (self.settings.home / file).read_text(encoding="utf-8").strip()

    def http(self, secret: str | None = None) -> httpx.AsyncClient:
        """A bare HTTP client, with a bearer where one is given."""
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        return httpx.AsyncClient(transport=self._transport(), base_url=BASE, headers=headers)

    def agent(self) -> ApiClient:
        """A client with the agent's token."""
        return ApiClient(BASE, self.secret(AGENT_FILE), transport=self._transport())

    def owner(self) -> ApiClient:
        """A client with the owner's token."""
        return ApiClient(BASE, self.secret(OWNER_FILE), transport=self._transport())

    async def tenant(self, tenant_id: str, scopes: tuple[str, ...] = ("read", "run")) -> str:
        """The secret of a new token in another tenant."""
        _, secret = await self.services.library.database.write(
            lambda conn: create_token(conn, name="test", scopes=scopes, tenant_id=tenant_id)
        )
        return secret

    def _transport(self) -> httpx.ASGITransport:
        return httpx.ASGITransport(self.app, raise_app_exceptions=False)


@asynccontextmanager
async def open_api(settings: Settings, catalogue: Catalogue) -> AsyncIterator[Api]:
    """The application with its lifespan entered; Temporal is whatever the settings name."""
    bound = settings.model_copy(update={"port": 8765})
    app = create_app(bound, catalogue)
    async with app.router.lifespan_context(app):
        yield Api(app, bound)
