"""Fixtures that ask the client for something: in rounds now, by requests in the older protocol."""

from typing import Any, Literal

import anyio
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmptyResult,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    SetLevelRequestParams,
    TextContent,
)
from pydantic import BaseModel, Field, JsonValue


def register(server: MCPServer[Any]) -> None:
    """Add the tools, the prompt, and the logging level of the older protocol."""
    for fixture in TOOL_FIXTURES:
        server.add_tool(fixture, description=f"Suite fixture {fixture.__name__}.")
    server.prompt(description="Suite fixture that asks first.")(test_input_required_result_prompt)
    server._lowlevel_server.add_request_handler(
        "logging/setLevel", SetLevelRequestParams, _set_level
    )


async def _set_level(_ctx: Any, _params: SetLevelRequestParams) -> EmptyResult:
    return EmptyResult()


def ask(message: str, **properties: str) -> ElicitRequest:
    """A form with required members of the given JSON types."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(prompt: str, most: int) -> CreateMessageRequest:
    """A request to the client's model."""
    said = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[said], max_tokens=most))


def answered(ctx: Context[Any], key: str, member: str) -> str | None:
    """The member of an accepted form, None while it has not been given."""
    given = (ctx.input_responses or {}).get(key)
    if not isinstance(given, ElicitResult) or given.action != "accept":
        return None
    value = (given.content or {}).get(member)
    return None if value is None else str(value)


NAME = ask("What is your name?", name="string")


async def test_input_required_result_elicitation(ctx: Context[Any]) -> str | InputRequiredResult:
    name = answered(ctx, "user_name", "name")
    return f"Hello, {name}!" if name else InputRequiredResult(input_requests={"user_name": NAME})


async def test_input_required_result_sampling(ctx: Context[Any]) -> str | InputRequiredResult:
    given = (ctx.input_responses or {}).get("capital_question")
    if isinstance(given, CreateMessageResult) and isinstance(given.content, TextContent):
        return given.content.text
    question = sample("What is the capital of France?", 100)
    return InputRequiredResult(input_requests={"capital_question": question})


async def test_input_required_result_list_roots(ctx: Context[Any]) -> str | InputRequiredResult:
    given = (ctx.input_responses or {}).get("client_roots")
    if isinstance(given, ListRootsResult):
        return ", ".join(str(root.uri) for root in given.roots)
    return InputRequiredResult(input_requests={"client_roots": ListRootsRequest()})


async def test_input_required_result_request_state(ctx: Context[Any]) -> str | InputRequiredResult:
    if answered(ctx, "confirm", "ok") and ctx.request_state == "asked":
        return "state-ok"
    confirm = ask("Please confirm", ok="boolean")
    return InputRequiredResult(input_requests={"confirm": confirm}, request_state="asked")


async def test_input_required_result_tampered_state(
    ctx: Context[Any],
) -> str | InputRequiredResult:
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_multiple_inputs(
    ctx: Context[Any],
) -> str | InputRequiredResult:
    wanted: dict[str, ElicitRequest | CreateMessageRequest | ListRootsRequest] = {
        "user_name": NAME,
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if wanted.keys() <= (ctx.input_responses or {}).keys():
        return "all three were given"
    return InputRequiredResult(input_requests=wanted, request_state="three")


async def test_input_required_result_multi_round(ctx: Context[Any]) -> str | InputRequiredResult:
    if ctx.request_state == "second" and (color := answered(ctx, "step2", "color")):
        return f"round three with {color}"
    if ctx.request_state == "first" and answered(ctx, "step1", "name"):
        step = ask("Step 2: What is your favorite color?", color="string")
        return InputRequiredResult(input_requests={"step2": step}, request_state="second")
    step = ask("Step 1: What is your name?", name="string")
    return InputRequiredResult(input_requests={"step1": step}, request_state="first")


async def test_input_required_result_capabilities(ctx: Context[Any]) -> InputRequiredResult:
    declared = ctx.client_capabilities
    wanted: dict[str, Any] = {}
    if declared and declared.sampling is not None:
        wanted["greeting"] = sample("Generate a greeting", 50)
    if declared and declared.elicitation is not None:
        wanted["user_name"] = NAME
    return InputRequiredResult(input_requests=wanted)


async def test_streaming_elicitation(ctx: Context[Any]) -> InputRequiredResult:
    await ctx.report_progress(1, message="about to ask")
    return InputRequiredResult(input_requests={"user_name": NAME})


async def test_input_required_result_prompt(ctx: Context[Any]) -> str | InputRequiredResult:
    context = answered(ctx, "user_context", "context")
    if context:
        return f"Use this context: {context}"
    question = ask("What context should the prompt use?", context="string")
    return InputRequiredResult(input_requests={"user_context": question})


async def test_tool_with_logging(ctx: Context[Any]) -> str:
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message(
            level="info", data=line, related_request_id=ctx.request_id
        )
        await anyio.sleep(0.05)
    return "three lines logged"


async def test_sampling(ctx: Context[Any], prompt: str) -> str:
    said = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer = await ctx.session.create_message(messages=[said], max_tokens=100)
    text = answer.content.text if isinstance(answer.content, TextContent) else ""
    return f"LLM response: {text}"


class Person(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def _choices(*values: str) -> list[JsonValue]:
    return [{"const": value, "title": value.title()} for value in values]


class Choices(BaseModel):
    # The suite looks for these names.
    untitledSingle: str = Field(json_schema_extra={"enum": ["option1", "option2", "option3"]})
    titledSingle: str = Field(json_schema_extra={"oneOf": _choices("value1", "value2", "value3")})
    legacyEnum: str = Field(
        json_schema_extra={
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        }
    )
    untitledMulti: list[str] = Field(
        json_schema_extra={"items": {"type": "string", "enum": ["option1", "option2", "option3"]}}
    )
    titledMulti: list[str] = Field(
        json_schema_extra={"items": {"anyOf": _choices("value1", "value2", "value3")}}
    )


async def _elicited(ctx: Context[Any], message: str, form: type[BaseModel]) -> str:
    answer = await ctx.elicit(message, form)
    content = answer.data.model_dump_json() if answer.action == "accept" else "{}"
    return f"action={answer.action}, content={content}"


async def test_elicitation(ctx: Context[Any], message: str) -> str:
    return f"User response: {await _elicited(ctx, message, Person)}"


async def test_elicitation_sep1034_defaults(ctx: Context[Any]) -> str:
    return f"Elicitation completed: {await _elicited(ctx, 'Check these', Defaults)}"


async def test_elicitation_sep1330_enums(ctx: Context[Any]) -> str:
    return f"Elicitation completed: {await _elicited(ctx, 'Choose', Choices)}"


async def test_reconnection(ctx: Context[Any]) -> str:
    await ctx.close_sse_stream()
    await anyio.sleep(0.2)
    return "finished after the stream was closed"


TOOL_FIXTURES = (
    test_input_required_result_elicitation,
    test_input_required_result_sampling,
    test_input_required_result_list_roots,
    test_input_required_result_request_state,
    test_input_required_result_tampered_state,
    test_input_required_result_multiple_inputs,
    test_input_required_result_multi_round,
    test_input_required_result_capabilities,
    test_streaming_elicitation,
    test_tool_with_logging,
    test_sampling,
    test_elicitation,
    test_elicitation_sep1034_defaults,
    test_elicitation_sep1330_enums,
    test_reconnection,
)
