"""A real MCP client in process: `connected` gives one against a fake API."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp.types import CallToolResult, TextContent

from jobsteward_server.mcp import build_server
from tests.tools.fake_api import FakeApi

ERAS = ("auto", "legacy")
"""The protocol of 2026-07-28, and the handshake of those before it (MCP-5)."""


@asynccontextmanager
async def connected(api: FakeApi, mode: Any = "auto", **options: Any) -> AsyncIterator[Client]:
    """A client of the product's server over that API."""
    server = build_server(api.connect)
    async with Client(server, mode=mode, raise_exceptions=True, **options) as client:
        yield client


def text(result: CallToolResult) -> str:
    """What the model reads."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def facts(result: CallToolResult) -> dict[str, Any]:
    """The structured part of an answer that is no error."""
    assert not result.is_error, text(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def names(rows: Sequence[Any]) -> list[str]:
    """The names of listed tools, prompts or resources."""
    return [row.name for row in rows]
