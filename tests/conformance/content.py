"""Fixtures that answer with one kind of content each, under the names the suite asks for."""

import base64
from typing import Annotated, Any

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp.types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)
from pydantic import Field

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlE"
    "QVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SILENCE = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0"
).decode()
PICTURE = ImageContent(type="image", data=PIXEL, mime_type="image/png")


def register(server: MCPServer[Any]) -> None:
    """Add the tools, resources and prompts."""
    for fixture in TOOL_FIXTURES:
        server.add_tool(fixture, description=f"Suite fixture {fixture.__name__}.")
    server._tool_manager._tools[WIDE_SCHEMA.name] = WIDE_SCHEMA
    _add_resources(server)
    for prompt in (
        test_simple_prompt,
        test_prompt_with_arguments,
        test_prompt_with_embedded_resource,
        test_prompt_with_image,
    ):
        server.prompt(description=f"Suite fixture {prompt.__name__}.")(prompt)


async def test_simple_text() -> TextContent:
    return TextContent(type="text", text="This is a simple text response for testing.")


async def test_image_content() -> ImageContent:
    return PICTURE


async def test_audio_content() -> AudioContent:
    return AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")


async def test_embedded_resource() -> EmbeddedResource:
    text = "This is an embedded resource content."
    return _embedded("test://embedded-resource", "text/plain", text)


async def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
    data = '{"test":"data","value":123}'
    return [
        TextContent(type="text", text="Multiple content types test:"),
        PICTURE,
        _embedded("test://mixed-content-resource", "application/json", data),
    ]


async def test_error_handling() -> str:
    raise ToolError("This tool intentionally returns an error for testing")


async def test_tool_with_progress(ctx: Context[Any]) -> str:
    for step in (0, 50, 100):
        await ctx.report_progress(step, 100)
        await anyio.sleep(0.05)
    return "all steps done"


async def test_missing_capability(ctx: Context[Any]) -> str:
    capabilities = ctx.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            code=MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="this tool needs sampling",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return "sampling was declared"


async def test_logging_tool(ctx: Context[Any]) -> str:
    await ctx.session.send_log_message(level="info", data="one line")
    return "logged"


async def test_trigger_tool_change(ctx: Context[Any]) -> str:
    await ctx.notify_tools_changed()
    return "told listeners of tools"


async def test_trigger_prompt_change(ctx: Context[Any]) -> str:
    await ctx.notify_prompts_changed()
    return "told listeners of prompts"


async def test_mirrored_header(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "",
    count: Annotated[int, Field(json_schema_extra={"x-mcp-header": "Count"})] = 0,
) -> str:
    return f"{region} {count}"


TOOL_FIXTURES = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_progress,
    test_missing_capability,
    test_logging_tool,
    test_trigger_tool_change,
    test_trigger_prompt_change,
    test_mirrored_header,
)


async def _accept_any(ctx: Context[Any]) -> str:
    return "accepted"


WIDE_SCHEMA = Tool.from_function(
    _accept_any, name="json_schema_2020_12_tool", description="A schema with many keywords."
)
WIDE_SCHEMA.parameters = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def _add_resources(server: MCPServer[Any]) -> None:
    @server.resource("test://static-text", description="Text.", mime_type="text/plain")
    async def static_text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", description="Bytes.", mime_type="image/png")
    async def static_binary() -> bytes:
        return base64.b64decode(PIXEL)

    @server.resource("test://watched-resource", description="Watched.", mime_type="text/plain")
    async def watched() -> str:
        return "Anybody may watch this."

    @server.resource(
        "test://template/{id}/data", description="By id.", mime_type="application/json"
    )
    async def templated(id: str) -> dict[str, Any]:
        return {"id": id, "templateTest": True, "data": f"Data for ID: {id}"}


async def test_simple_prompt() -> str:
    return "This is a simple prompt for testing."


async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"


async def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
    text = "Embedded resource content for testing."
    return [
        UserMessage(_embedded(resourceUri, "text/plain", text)),
        UserMessage("Please process the embedded resource above."),
    ]


async def test_prompt_with_image() -> list[UserMessage]:
    return [UserMessage(PICTURE), UserMessage("Please analyze the image above.")]


def _embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=contents)
