"""MCP over HTTP within the real API: tokens, Host and Origin, and the caller's own bearer.

SEC-2, MCP-4, MCP-5, S13, S15, S18, S26.
"""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY

from jobsteward.settings import Settings
from jobsteward_server.app_directory import AGENT_FILE
from tests.server.api.conftest import CATALOGUE
from tests.support.api import BASE, Api, open_api
from tests.tools.sessions import ERAS, facts, text

pytestmark = pytest.mark.anyio
BOTH = pytest.mark.parametrize("mode", ERAS)
HELLO = {"workflow": "echo", "inputs": {"text": "hello"}}
META = {PROTOCOL_VERSION_META_KEY: "2026-07-28", CLIENT_CAPABILITIES_META_KEY: {}}
HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
}


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[Api]:
    """The real application, with no Temporal behind it."""
    async with open_api(settings, CATALOGUE) as opened:
        yield opened


@asynccontextmanager
async def session(api: Api, secret: str, mode: Any) -> AsyncIterator[Client]:
    """The SDK's client over the application's HTTP."""
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(api.app),
        base_url=BASE,
        headers={"authorization": f"Bearer {secret}"},
    ) as http:
        transport = streamable_http_client(f"{BASE}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


async def list_tools(api: Api, secret: str | None, headers: Mapping[str, str]) -> httpx.Response:
    """A plain tools/list with these headers."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": META}}
    async with api.http(secret) as http:
        return await http.post("/mcp", json=body, headers={**HEADERS, **headers})


@BOTH
async def test_mcp_4_a_call_acts_for_the_bearer_that_made_it(api: Api, mode: str) -> None:
    others = await api.tenant("other")
    async with session(api, api.secret(AGENT_FILE), mode) as client:
        started = facts(await client.call_tool("trigger_workflow", HELLO))
        mine = facts(await client.call_tool("list_runs", {}))
    assert [run["execution_id"] for run in mine["runs"]] == [started["execution_id"]]
    async with session(api, others, mode) as client:
        theirs = facts(await client.call_tool("list_runs", {}))
        foreign = await client.call_tool(
            "check_workflow_status", {"execution_id": started["execution_id"]}
        )
        unknown = await client.call_tool(
            "check_workflow_status", {"execution_id": "exe_" + "0" * 32}
        )
    assert theirs["runs"] == []
    assert text(foreign) == text(unknown)
    assert "[not_found]" in text(foreign)


@BOTH
async def test_adm_3_a_key_given_to_a_tool_joins_over_http_too(api: Api, mode: str) -> None:
    call = HELLO | {"idempotency_key": "once"}
    async with session(api, api.secret(AGENT_FILE), mode) as client:
        first = facts(await client.call_tool("trigger_workflow", call))
        again = facts(await client.call_tool("trigger_workflow", call))
    assert first["execution_id"] == again["execution_id"]
    assert again["replayed"] is True


@BOTH
async def test_s18_a_token_that_may_only_read_cannot_start_work(api: Api, mode: str) -> None:
    reader = await api.tenant("local", scopes=("read",))
    async with session(api, reader, mode) as client:
        result = await client.call_tool("trigger_workflow", HELLO)
        runs = facts(await client.call_tool("list_runs", {}))
    assert result.is_error
    assert "[permission_denied]" in text(result)
    assert runs["runs"] == []


async def test_s13_only_our_own_names_are_answered(api: Api) -> None:
    secret = api.secret(AGENT_FILE)
    assert (await list_tools(api, secret, {})).status_code == 200
    for host in ("evil.example", "127.0.0.1:8765.evil.example", "127.0.0.1", "localhost:1"):
        assert (await list_tools(api, secret, {"host": host})).status_code == 421
    for origin in ("http://evil.example", "null", "http://localhost:1", "https://localhost:8765"):
        assert (await list_tools(api, secret, {"origin": origin})).status_code == 403
    own = {"origin": "http://127.0.0.1:8765"}
    assert (await list_tools(api, secret, own)).status_code == 200


async def test_sec_2_without_a_good_token_the_answer_says_where_to_learn(api: Api) -> None:
    for secret in (None, "jobs_wrong", api.secret(AGENT_FILE)[:-1] + "x"):
        answer = await list_tools(api, secret, {})
        assert answer.status_code == 401
        metadata = f'resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp"'
        assert metadata in answer.headers["www-authenticate"]
    no_read = await api.tenant("local", scopes=("run",))
    assert (await list_tools(api, no_read, {})).status_code == 403


async def test_sec_2_the_protected_resource_is_described(api: Api) -> None:
    async with api.http() as http:
        for path in ("", "/mcp"):
            answer = await http.get(f"/.well-known/oauth-protected-resource{path}")
            assert answer.status_code == 200
            assert answer.json()["resource"] == f"{BASE}/mcp"
            assert answer.json()["bearer_methods_supported"] == ["header"]
            assert "authorization_servers" not in answer.json(), "tokens come from the command"


async def test_s26_what_is_too_large_or_too_deep_is_refused(api: Api) -> None:
    secret = api.secret(AGENT_FILE)
    deep = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":' + '{"a":' * 5000 + "1"
    async with api.http(secret) as http:
        json_type = {"content-type": "application/json"}
        answer = await http.post("/mcp", content=deep + "}" * 5001, headers=HEADERS | json_type)
        assert answer.status_code == 400
        large = json.dumps({"jsonrpc": "2.0", "params": "x" * 1_100_000})
        answer = await http.post("/mcp", content=large, headers=HEADERS | json_type)
        assert answer.status_code == 413
        wordy = {"name": "list_runs", "arguments": {str(n): n for n in range(9_000)}}
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": wordy | {"_meta": META},
        }
        named = {"mcp-method": "tools/call", "mcp-name": "list_runs"}
        answer = await http.post("/mcp", json=body, headers=HEADERS | named)
        assert "no such argument" in answer.text
        assert len(answer.content) < 20_000


@pytest.mark.parametrize(
    "body",
    [
        '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d"}}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + "[" * 63 + "]" * 63 + "}}",
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":{},"method":"ping"}',
        '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        "",
    ],
)
async def test_s25_s26_what_readers_understand_differently_is_refused(api: Api, body: str) -> None:
    headers = HEADERS | {"content-type": "application/json", "mcp-protocol-version": "2025-11-25"}
    async with api.http(api.secret(AGENT_FILE)) as http:
        answer = await http.post("/mcp", content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == -32700


@BOTH
async def test_adm_6_bad_inputs_are_told_by_field(api: Api, mode: str) -> None:
    async with session(api, api.secret(AGENT_FILE), mode) as client:
        result = await client.call_tool(
            "trigger_workflow", {"workflow": "echo", "inputs": {"txt": "private words"}}
        )
        runs = facts(await client.call_tool("list_runs", {}))
    assert result.is_error
    assert "[invalid_input]" in text(result)
    assert "txt" in text(result)
    assert "private words" not in text(result)
    assert runs["runs"] == []


@BOTH
async def test_the_catalogue_and_the_jobs_are_those_of_the_api(api: Api, mode: str) -> None:
    async with session(api, api.secret(AGENT_FILE), mode) as client:
        catalogue = facts(await client.call_tool("list_workflows", {}))
        jobs = facts(await client.call_tool("search_jobs", {"remote": "maybe", "query": "x"}))
        missing = await client.call_tool("get_job", {"job_id": "job_" + "0" * 24})
    assert [row["name"] for row in catalogue["workflows"]] == ["echo", "later", "solo"]
    assert jobs == {"jobs": []}
    assert "[not_found]" in text(missing)


@BOTH
async def test_mcp_3_a_wait_over_http_keeps_its_receipt(api: Api, mode: str) -> None:
    async with session(api, api.secret(AGENT_FILE), mode) as client:
        started = facts(await client.call_tool("trigger_workflow", HELLO))
        waited = await client.call_tool(
            "wait_for_result",
            {"execution_id": started["execution_id"], "timeout_seconds": 0.2},
        )
        stopped = facts(
            await client.call_tool("cancel_workflow", {"execution_id": started["execution_id"]})
        )
    assert facts(waited)["execution_id"] == started["execution_id"]
    assert "still running, do not start again" in text(waited)
    assert (stopped["outcome"], stopped["status"]) == ("cancel_requested", "canceled")
