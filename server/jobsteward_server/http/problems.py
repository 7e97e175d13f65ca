"""The one edge where failures become HTTP answers: RFC 9457 problem documents (ADM-10).

A document has ``type``, ``title``, ``status``, ``code``, ``detail`` and ``request_id``, plus
members that help the caller on (``fields``, ``near``, ``execution_id``). It never repeats a
value that was sent, a path, a statement or the text of an exception that is not ours.
"""

import logging
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jobsteward.kernel import errors
from jobsteward.runs.wire import safe_name

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
INTERNAL = "internal"

STATUS_OF: Mapping[type[errors.JobstewardError], int] = {
    errors.JobstewardError: 500,
    errors.ConfigurationError: 500,
    errors.AuthenticationError: 401,
    errors.PermissionDeniedError: 403,
    errors.MissingInputError: 422,
    errors.BudgetExceededError: 402,
    errors.MaterialRejectedError: 422,
    errors.RuntimeIdentityMismatchError: 503,
    errors.DuplicateRunError: 409,
    errors.BadJsonError: 400,
    errors.PayloadTooLargeError: 413,
    errors.InvalidInputError: 422,
    errors.UrlBlockedError: 422,
    errors.HostClosedError: 503,
    errors.ResponseTooLargeError: 502,
    errors.EncodingUnsupportedError: 502,
    errors.NotFoundError: 404,
    errors.ConflictError: 409,
    errors.TransientNetworkError: 502,
    errors.FetchTimeoutError: 504,
    errors.BrowserTransientError: 503,
    errors.LlmTransientError: 503,
    errors.SourceUnavailableError: 503,
    errors.CapacityExceededError: 429,
    errors.StorageError: 503,
}
"""Status of each kind of failure; a kind that is not listed takes its parent's."""

_HEADERS_OF: Mapping[type[errors.JobstewardError], Mapping[str, str]] = {
    errors.AuthenticationError: {"www-authenticate": 'Bearer realm="jobsteward"'},
    errors.PermissionDeniedError: {
        "www-authenticate": 'Bearer realm="jobsteward", error="insufficient_scope"'
    },
    errors.LlmTransientError: {"retry-after": "5"},
    errors.BrowserTransientError: {"retry-after": "5"},
    errors.SourceUnavailableError: {"retry-after": "30"},
    errors.CapacityExceededError: {"retry-after": "10"},
    errors.StorageError: {"retry-after": "2"},
    errors.StorageFullError: {"retry-after": "30"},
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal: HTTP status, stable code, what to do next, further members and headers."""

    status: int
    code: str
    detail: str
    members: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def document(self, request_id: str) -> dict[str, Any]:
        """The members of the RFC 9457 document."""
        return {
            "type": "about:blank",
            "title": _title(self.status),
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "request_id": request_id,
            **self.members,
        }

    def response(self, request_id: str) -> JSONResponse:
        """The whole answer."""
        return JSONResponse(
            self.document(request_id),
            status_code=self.status,
            headers=dict(self.headers),
            media_type=MEDIA_TYPE,
        )


class ProblemError(Exception):
    """Raised at the HTTP edge for what only HTTP knows: sizes, headers, rates."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def install(app: FastAPI) -> None:
    """Make every failure of the app's routes leave as a problem document."""
    app.add_exception_handler(errors.JobstewardError, _known)
    app.add_exception_handler(ProblemError, _raised)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_middleware(UnexpectedErrors)


class UnexpectedErrors:
    """Answers 500 ``internal`` for what nothing else named, and logs where it arose.

    The text of a foreign exception may quote a document or a credential, and the server
    below would print it (S40). So it ends here: the log gets the exception's type, the
    request id and the code positions, nothing else (SEC-6).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def note_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, note_start)
        except ClientDisconnect:
            return
        except Exception as error:
            _log_unexpected(error, request_id_of(scope))
            if not started:
                await _internal().response(request_id_of(scope))(scope, receive, send)


def request_id_of(scope: Scope) -> str:
    """The id that the boundary gave to this request; empty where none stands before us."""
    return str(scope.get("state", {}).get("request_id", ""))


def problem_of(error: errors.JobstewardError) -> Problem:
    """The problem that a failure of ours is at this edge."""
    return Problem(
        status=_nearest(type(error), STATUS_OF, 500),
        code=error.code,
        detail=error.message,
        members=_members(error),
        headers=_nearest(type(error), _HEADERS_OF, {}),
    )


def validation_fields(
    problems: Iterable[Mapping[str, Any]], skip: Sequence[str] = ("body", "query", "path")
) -> dict[str, str]:
    """Field path → what it must be, from pydantic's list of errors, without any value sent."""
    found: dict[str, str] = {}
    for item in problems:
        parts = list(item["loc"])
        if parts and parts[0] in skip:
            parts = parts[1:]
        name = ".".join(safe_name(part) for part in parts) or "body"
        found.setdefault(name, _demand(item))
    return found


_ECHOING = frozenset({"union_tag_invalid", "json_invalid"})


def _demand(item: Mapping[str, Any]) -> str:
    kind, text, sent = item["type"], str(item["msg"]), item.get("input")
    if kind == "extra_forbidden":
        return "is not known here; remove it"
    echoes = isinstance(sent, str) and len(sent) > 2 and sent in text
    return "does not fit the schema" if kind in _ECHOING or echoes else text


async def _known(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, errors.JobstewardError)
    return problem_of(error).response(request_id_of(request.scope))


async def _raised(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ProblemError)
    return error.problem.response(request_id_of(request.scope))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    refusal = errors.InvalidInputError(
        "some arguments do not fit; correct the named fields", validation_fields(error.errors())
    )
    return problem_of(refusal).response(request_id_of(request.scope))


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code, detail = _ROUTER_WORDS.get(
        error.status_code, (f"http_{error.status_code}", _title(error.status_code))
    )
    problem = Problem(error.status_code, code, detail, headers=error.headers or {})
    return problem.response(request_id_of(request.scope))


_ROUTER_WORDS = {
    404: (errors.NotFoundError.code, "nothing is here; see /openapi.json for the paths"),
    405: ("method_not_allowed", "this path takes other methods; see the Allow header"),
}


def _internal() -> Problem:
    return Problem(500, INTERNAL, "an unexpected failure; the log has it under the request id")


def _members(error: errors.JobstewardError) -> dict[str, Any]:
    match error:
        case errors.KeyReusedError():
            return {"execution_id": error.execution_id}
        case errors.UnknownWorkflowError():
            return {"near": error.near}
        case errors.InvalidInputError(fields=fields) if fields:
            return {"fields": fields}
    return {}


def _nearest(kind: type, table: Mapping[type[errors.JobstewardError], Any], default: Any) -> Any:
    return next((table[base] for base in kind.__mro__ if base in table), default)


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def _log_unexpected(error: Exception, request_id: str) -> None:
    places = traceback.extract_tb(error.__traceback__)[-8:]
    where = " < ".join(f"{place.name}:{place.lineno}" for place in reversed(places))
    logger.error("unexpected %s request_id=%s at %s", type(error).__name__, request_id, where)
