"""Tools with flat, closed schemas, whose failures say what to do (MCP-6).

The SDK's own schemas drop unknown arguments (a misspelt key would lose its effect), hold
``anyOf`` with null, and repeat bad values in the error; hosts and privacy want neither.
"""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ConfigDict, ValidationError

from jobsteward.kernel.errors import JobstewardError
from jobsteward_tools.errors import refused, told

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
"""Hints of a tool that changes nothing."""
STARTS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=True
)
"""Hints of a tool that starts work: a repeat with its key joins the first."""

_TITLES = frozenset({"title"})
_WORDS = frozenset({"title", "description"})
"""What only costs space: the generated titles, and prose about answers, which hosts skip."""


class StrictTool(Tool):
    """A tool that refuses unknown arguments and translates our errors."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """The tool's result. Raises ToolError with ``[code] message`` and the next step."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ToolError):
                raise cause from None
            if isinstance(cause, JobstewardError):
                raise ToolError(told(cause)) from None
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                raise ToolError(refused(self.name, cause)) from None
            raise


def tool(
    function: Callable[..., Awaitable[Any]], title: str, annotations: ToolAnnotations
) -> StrictTool:
    """The tool of that function: its name, its docstring as description, its types as schemas."""
    made = StrictTool.from_function(
        function,
        title=title,
        description=inspect.cleandoc(function.__doc__ or ""),
        annotations=annotations,
    )
    assert isinstance(made, StrictTool)
    metadata = made.fn_metadata
    arguments = metadata.arg_model
    closed = ConfigDict(**{**arguments.model_config, "extra": "forbid"})
    body = {"model_config": closed, "__module__": arguments.__module__}
    metadata.arg_model = type(arguments.__name__, (arguments,), body)
    made.parameters = flat(made.parameters) | {"additionalProperties": False}
    if metadata.output_schema:
        metadata.output_schema = flat(metadata.output_schema, without=_WORDS)
    return made


def flat(schema: dict[str, Any], *, without: frozenset[str] = _TITLES) -> dict[str, Any]:
    """The JSON Schema without references, null alternatives or the keywords ``without``.

    A member that may be null becomes one that may be left out; answers leave it out then.
    """
    body = {key: part for key, part in schema.items() if key != "$defs"}
    plain = _Flattening(schema.get("$defs", {}), without).of(body)
    assert isinstance(plain, dict)
    return plain


class _Flattening:
    def __init__(self, definitions: dict[str, Any], without: frozenset[str]) -> None:
        self._definitions = definitions
        self._without = without

    def of(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self.of(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            target = self._definitions[node["$ref"].removeprefix("#/$defs/")]
            return self.of(target | {key: node[key] for key in node if key != "$ref"})
        arms = [arm for arm in node.get("anyOf", ()) if arm.get("type") != "null"]
        if len(arms) == 1 and len(arms) < len(node["anyOf"]):
            rest = {key: part for key, part in node.items() if key not in {"anyOf", "default"}}
            return self.of(arms[0] | rest)
        return {
            key: self._members(part) if key == "properties" else self.of(part)
            for key, part in node.items()
            if key not in self._without
        }

    def _members(self, properties: dict[str, Any]) -> dict[str, Any]:
        # Their names may be those of keywords.
        return {name: self.of(part) for name, part in properties.items()}
