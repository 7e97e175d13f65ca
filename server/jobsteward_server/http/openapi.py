"""The API's own description: what FastAPI derives, made true of our bodies, tokens and refusals."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from jobsteward.runs.wire import API
from jobsteward_server.http.problems import MEDIA_TYPE

_PROBLEM: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "A refusal (RFC 9457): branch on `code`; `detail` says what to do next.",
    "required": ["type", "title", "status", "code", "detail", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
        "fields": {"type": "object", "additionalProperties": {"type": "string"}},
        "near": {"type": "array", "items": {"type": "string"}},
        "execution_id": {"type": "string"},
    },
}
_REFUSAL = {
    "description": "Refused",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_BEARER = {"type": "http", "scheme": "bearer", "description": "An access token: jobs_…"}

RAW_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""What ``openapi_extra`` needs for a route that streams its body."""


def install(app: FastAPI) -> None:
    """Serve the corrected description at ``/openapi.json``."""
    derive = app.openapi

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _corrected(derive())
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]


def json_body(model: type[BaseModel]) -> dict[str, Any]:
    """What ``openapi_extra`` needs for a route that reads its body strictly and by itself."""
    content = {"application/json": {"schema": model.model_json_schema()}}
    return {"requestBody": {"required": True, "content": content}}


def _corrected(document: dict[str, Any]) -> dict[str, Any]:
    for path, operations in document["paths"].items():
        for operation in operations.values():
            # FastAPI promises its own form of 422, which never leaves this server.
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = _REFUSAL
            if path.startswith(API):
                operation["security"] = [{"bearer": []}]
    components = document.setdefault("components", {})
    components["securitySchemes"] = {"bearer": _BEARER}
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = _PROBLEM
    return document
