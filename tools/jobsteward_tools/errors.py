"""The edge where our errors become text that a model can act on: ``[code] message`` and a step."""

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
            listed = "; ".join(f"{name}: {must}" for name, must in fields.items())
            return f". Correct these and call again: {listed}."
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
    problems = "; ".join(
        f"{'.'.join(str(part) for part in item['loc']) or 'arguments'}: {_rule(item['type'])}"
        f"{'' if item['type'] == 'extra_forbidden' else item['msg']}"
        for item in error.errors(include_input=False, include_url=False, include_context=False)
    )
    return f"[invalid_arguments] {tool} was not called. Correct these and call again: {problems}."


def _rule(kind: str) -> str:
    return "this tool has no such argument" if kind == "extra_forbidden" else ""
