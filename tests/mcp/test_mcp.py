"""The server object: both eras, what it offers, and how light it is (MCP-5, MCP-7, MCP-9)."""

import subprocess
import sys

import pytest

from tests.tools.fake_api import FakeApi
from tests.tools.sessions import ERAS, connected, names

BOTH = pytest.mark.parametrize("mode", ERAS)
HEAVY = ("temporalio", "sqlalchemy", "fastapi", "playwright", "alembic", "asyncpg", "structlog")


@pytest.mark.anyio
@BOTH
async def test_mcp_5_one_server_offers_the_same_in_both_eras(api: FakeApi, mode: str) -> None:
    async with connected(api, mode) as client:
        assert client.server_info
        assert client.server_info.name == "jobsteward"
        assert "execution_id" in (client.instructions or "")
        assert len((client.instructions or "").encode()) < 2_000
        assert "discover_jobs" in names((await client.list_tools()).tools)
        assert names((await client.list_prompts()).prompts) == [
            "find_jobs",
            "check_on_run",
            "review_runs",
        ]
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == [
            "runs://{execution_id}",
            "jobs://{job_id}",
        ]
    assert not api.requests, "nothing of this needs the stack"


@pytest.mark.anyio
async def test_mcp_5_the_eras_are_really_two(api: FakeApi) -> None:
    async with connected(api, "auto") as client:
        assert client.protocol_version == "2026-07-28"
    async with connected(api, "legacy") as client:
        assert client.protocol_version == "2025-11-25"


def test_mcp_7_the_process_loads_nothing_heavy() -> None:
    program = (
        "import sys, jobsteward_server.mcp;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
