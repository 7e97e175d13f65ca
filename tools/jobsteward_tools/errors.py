"""The edge where our errors become text that a model can act on: ``[code] message`` and a step."""

from collections.abc import Iterable
from itertools import islice

from pydantic import ValidationError

from jobsteward.client import ApiError
from jobsteward.kernel.errors import (
    AuthenticationError,
    InvalidInputError,
    JobstewardError,
    KeyReusedError,
    PermissionDeniedError,
    UnknownWorkflowError,
)

_BUSY = frozenset({408, 425, 429})
_MOST = 10
_NAME = 60
"""Most problems that one text lists, and most characters of an argument's name."""


def told(error: JobstewardError) -> str:
    """The error for a tool's answer; holds no argument values."""
    return f"[{error.code}] {error.message}{_next(error)}"


def _next(error: JobstewardError) -> str:
    match error:
        case KeyReusedError(execution_id=first):
            return (
                f" (the key's execution: {first}). Read that one with check_workflow_status,"
                " or use another key for other arguments."
            )
        case UnknownWorkflowError(near=near):
            close = f" Names close to it: {', '.join(near)}." if near else ""
            return f".{close} Call list_workflows for all names."
        case InvalidInputError(fields=fields) if fields:
            return f". Correct these and call again: {_listed(fields.items())}."
        case AuthenticationError() | PermissionDeniedError():
            return ". Tell the user; calling again does not help."
    return ". Calling again later can help." if may_pass(error) else ""


def may_pass(error: JobstewardError) -> bool:
    """Whether the same call can succeed later."""
    if isinstance(error, ApiError):
        return error.status >= 500 or error.status in _BUSY
    return error.retryable


def refused(tool: str, error: ValidationError) -> str:
    """What is wrong with a call's arguments, by name and rule, never by value (MCP-6)."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    problems = _listed(
        (
            ".".join(str(part) for part in item["loc"]) or "arguments",
            _rule(item["type"], item["msg"]),
        )
        for item in found[:_MOST]
    )
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    todo = f"Correct these and call again: {problems}{more}."
    return f"[invalid_arguments] {tool} was not called. {todo}"


def _rule(kind: str, message: str) -> str:
    return "this tool has no such argument" if kind == "extra_forbidden" else message


def _listed(problems: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{name[:_NAME]}: {rule}" for name, rule in islice(problems, _MOST))
