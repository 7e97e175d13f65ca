"""Schemas, names, hints and descriptions of every registered tool (MCP-2, MCP-6)."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.tools import Tool
from pydantic import BaseModel

from jobsteward_tools import TOOLS
from jobsteward_tools.results import MAX_BYTES
from jobsteward_tools.strict import flat
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import ERAS, connected, text

SNAPSHOT = Path(__file__).with_name("tools_list.sha256")
EVERY = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from nodes(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from nodes(part)


def test_mcp_2_there_are_at_most_25_tools_with_names_of_their_own() -> None:
    named = [tool.name for tool in TOOLS]
    assert len(named) == len(set(named)) <= 25


@EVERY
def test_mcp_6_name_title_and_description_fit_every_host(tool: Tool) -> None:
    assert re.fullmatch(r"[a-z0-9_]{1,40}", tool.name)
    assert tool.title
    assert 40 < len(tool.description.encode()) < 1024
    assert tool.is_async, "a blocking tool would keep the process from ending"


@EVERY
def test_mcp_6_schemas_are_flat_and_strict(tool: Tool) -> None:
    assert tool.output_schema, "every tool answers with typed content"
    assert tool.parameters["additionalProperties"] is False
    for schema in (tool.parameters, tool.output_schema):
        assert schema["type"] == "object"
        for node in nodes(schema):
            assert not node.keys() & {"$ref", "$defs", "anyOf", "oneOf", "allOf"}
            assert "null" not in json.dumps(node.get("type", ""))
            if node.get("type") == "array":
                assert node["items"]


@EVERY
def test_mcp_6_every_argument_is_typed_and_told_of(tool: Tool) -> None:
    for name, argument in tool.parameters["properties"].items():
        assert "type" in argument, name
        assert "description" in argument or "maximum" in argument, name


@EVERY
def test_mcp_6_hints_are_true(tool: Tool) -> None:
    hints = tool.annotations
    assert hints is not None
    keyed = any(name.endswith("idempotency_key") for name in tool.parameters["properties"])
    if hints.read_only_hint:
        assert not keyed
        assert not hints.destructive_hint
    else:
        assert hints.destructive_hint is not None
        assert keyed or tool.name == "cancel_workflow"


async def listed(api: FakeApi, mode: str) -> str:
    async with connected(api, mode) as client:
        tools = (await client.list_tools()).tools
    wire = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]
    return json.dumps(wire, sort_keys=True)


@pytest.mark.anyio
async def test_mcp_6_the_tool_list_is_the_pinned_one_in_both_eras(api: FakeApi) -> None:
    """A changed tool is a changed contract: write the new hash to the file on purpose."""
    lists = {await listed(api, mode) for mode in ERAS}
    assert len(lists) == 1
    digest = hashlib.sha256(lists.pop().encode()).hexdigest()
    assert digest == SNAPSHOT.read_text("utf-8").strip(), f"the tool list is now {digest}"
    assert not api.requests, "listing tools needs no stack (MCP-2)"


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ERAS)
async def test_mcp_6_a_misspelt_argument_is_refused_by_name(api: FakeApi, mode: str) -> None:
    arguments = {"workflow": "discover", "inputs": {}, "idempotencyKey": "k-secret"}
    async with connected(api, mode) as client:
        result = await client.call_tool("trigger_workflow", arguments)
    assert result.is_error
    assert "idempotencyKey: this tool has no such argument" in text(result)
    assert not api.requests


@pytest.mark.anyio
async def test_sec_6_a_refusal_never_repeats_what_was_sent(api: FakeApi) -> None:
    arguments = {"execution_id": "../secret value", "timeout_seconds": 4000}
    async with connected(api) as client:
        result = await client.call_tool("wait_for_result", arguments)
    assert result.is_error
    assert "execution_id" in text(result)
    assert "timeout_seconds" in text(result)
    assert "secret" not in text(result)
    assert "4000" not in text(result)


class Inner(BaseModel):
    title: str | None = None


class Outer(BaseModel):
    inner: Inner
    many: list[Inner] | None = None


def test_flat_inlines_references_and_keeps_members_named_title() -> None:
    schema = flat(Outer.model_json_schema())
    inner = {"type": "object", "properties": {"title": {"type": "string"}}}
    assert schema["properties"]["inner"] == inner
    assert schema["properties"]["many"] == {"type": "array", "items": inner}


def test_mcp_6_the_size_limit_is_the_one_of_the_spec() -> None:
    assert MAX_BYTES == 20_000
