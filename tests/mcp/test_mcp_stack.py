"""The way to the stack: found anew at each call, started when absent (TOP-4, MCP-4)."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import Settings
from jobsteward_server.mcp_stack import StackLink

pytestmark = pytest.mark.anyio


class Stack:
    """Stands in for the supervisor: answers with an address, or refuses."""

    def __init__(self, *urls: str | ConfigurationError) -> None:
        self._urls = list(urls)
        self.waits: list[float] = []

    async def __call__(self, settings: Settings, within: float) -> str:
        self.waits.append(within)
        url = self._urls.pop(0)
        if isinstance(url, ConfigurationError):
            raise url
        return url


def address(client: object) -> str:
    return str(client._http.base_url)  # type: ignore[attr-defined]


async def test_top_4_each_call_asks_for_the_stack_and_waits_a_bounded_time(home: Path) -> None:
    stack = Stack("http://127.0.0.1:1", "http://127.0.0.1:1", "http://127.0.0.1:2")
    settings = Settings(home=home, token=SecretStr("jobs_x"))
    async with StackLink(settings, ensure=stack) as link:
        async with link.connect() as first:
            assert address(first) == "http://127.0.0.1:1"
        async with link.connect() as again:
            assert again is first, "connections are kept while nothing changes"
        async with link.connect() as moved:
            assert address(moved) == "http://127.0.0.1:2"
    assert stack.waits == [30.0] * 3


async def test_the_agents_token_is_read_when_it_is_needed(home: Path) -> None:
    url = "http://127.0.0.1:1"
    async with StackLink(Settings(home=home), ensure=Stack(url, url)) as link:
        with pytest.raises(ConfigurationError, match="jobsteward token create"):
            async with link.connect():
                pass
        (home / "agent.token").write_text("jobs_secret\n")
        async with link.connect() as client:
            assert client._http.headers["authorization"] == "Bearer jobs_secret"


async def test_a_stack_that_does_not_come_up_is_told_by_the_call_not_the_start(home: Path) -> None:
    trouble = ConfigurationError("the stack does not come up: read the log")
    async with StackLink(Settings(home=home), ensure=Stack(trouble, trouble)) as link:
        await link.keep_warm()
        with pytest.raises(ConfigurationError, match="read the log"):
            async with link.connect():
                pass
