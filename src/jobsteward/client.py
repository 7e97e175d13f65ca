"""A typed client of the HTTP API, for MCP tools, the command line and tests.

The transport is injectable: real HTTP in life, ASGI in process. Failures of the API come
back as the errors of `jobsteward.kernel.errors`, by their codes.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Literal, Self, TypeAlias, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel

from jobsteward.kernel import errors
from jobsteward.kernel.canonical import canonical_json
from jobsteward.runs import wire

M = TypeVar("M", bound=BaseModel)
API = wire.API
_TIMEOUT = httpx.Timeout(10.0)
_JSON = {"content-type": "application/json"}
_TOKEN = re.compile(r"[\x21-\x7e]+")
_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class ApiError(errors.JobstewardError):
    """A problem document of the API (RFC 9457) that no narrower error fits."""

    def __init__(self, status: int, code: str, message: str, problem: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.status = status
        self.code = code  # type: ignore[misc]
        self.problem = dict(problem)


Connect: TypeAlias = Callable[[], AbstractAsyncContextManager["ApiClient"]]
"""Gives a client that acts for the caller of the request in hand (MCP-4)."""
ID_PATTERN = r"^[A-Za-z0-9_-]{1,100}$"
"""Form of every id that goes into a path of the API."""


class ApiUnreachableError(errors.TransientNetworkError):
    """No answer from the API; whether the request took effect is unknown."""


class ApiClient:
    """Calls of one principal against one API."""

    def __init__(
        self,
        base_url: str,
        token: str | None,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        fixed = dict(headers or {})
        if token:
            fixed["authorization"] = f"Bearer {_visible(token)}"
        self._http = httpx.AsyncClient(
            base_url=base_url,
            headers=fixed,
            transport=transport,
            timeout=_TIMEOUT,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def execute(
        self,
        workflow: str,
        inputs: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        priority: int | None = None,
    ) -> wire.Receipt:
        """The receipt of durable work; the same key with the same inputs gives the same one."""
        body: dict[str, Any] = {"execution_mode": "async", "inputs": dict(inputs)}
        if priority is not None:
            body["priority"] = priority
        headers = {} if idempotency_key is None else {"idempotency-key": _key(idempotency_key)}
        path = f"{API}/workflows/{_part(workflow)}/execute"
        return await self._call(wire.Receipt, "POST", path, json=body, headers=headers)

    async def get_run(self, any_id: str, *, wait: float | None = None) -> wire.RunView:
        """The execution with this receipt or run id; with ``wait``, held up to that many
        seconds until it is terminal or needs a person."""
        params = {} if wait is None else {"wait": f"{wait:g}"}
        timeout = httpx.Timeout(10.0, read=10.0 + (wait or 0))
        path = f"{API}/workflow-runs/{_part(any_id)}"
        return await self._call(wire.RunView, "GET", path, params=params, timeout=timeout)

    async def list_runs(self, **filters: Any) -> wire.RunPage:
        """A page of executions; filters: workflow, status, cursor, limit."""
        return await self._call(wire.RunPage, "GET", f"{API}/workflow-runs", params=_given(filters))

    async def why(self, any_id: str) -> wire.Reason:
        """Why the run waits and what to do next."""
        return await self._call(wire.Reason, "GET", f"{API}/workflow-runs/{_part(any_id)}/why")

    async def cancel(self, any_id: str, reason: str | None = None) -> wire.CancelAnswer:
        """What the cancel request came to."""
        path = f"{API}/workflow-runs/{_part(any_id)}/cancel"
        return await self._call(wire.CancelAnswer, "POST", path, json={"reason": reason})

    async def decide(self, any_id: str, decision: Mapping[str, Any]) -> wire.DecisionAnswer:
        """Deliver a decision on a gate of the run."""
        path = f"{API}/workflow-runs/{_part(any_id)}/decisions"
        return await self._call(wire.DecisionAnswer, "POST", path, json=dict(decision))

    async def drain(self, method: Literal["GET", "PUT", "DELETE"]) -> wire.DrainView:
        """Read, begin or end draining; needs the scope ``admin``."""
        return await self._call(wire.DrainView, method, f"{API}/drain")

    async def schedules(self) -> wire.SchedulePage:
        """The tenant's schedules, oldest first."""
        return await self._call(wire.SchedulePage, "GET", f"{API}/schedules")

    async def add_schedule(self, request: wire.ScheduleRequest) -> wire.ScheduleView:
        """The new schedule; needs the scope ``admin``."""
        body = request.model_dump(exclude_none=True)
        return await self._call(wire.ScheduleView, "POST", f"{API}/schedules", json=body)

    async def remove_schedule(self, schedule_id: str) -> wire.ScheduleView:
        """The schedule that is now gone; needs the scope ``admin``."""
        path = f"{API}/schedules/{_part(schedule_id)}"
        return await self._call(wire.ScheduleView, "DELETE", path)

    async def preferences(self) -> dict[str, Any]:
        """What the person looks for."""
        return dict((await self._request("GET", f"{API}/preferences")).json())

    async def save_preferences(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """What the person looks for from now on."""
        answer = await self._request("PUT", f"{API}/preferences", json=dict(wanted))
        return dict(answer.json())

    async def digest(self, method: Literal["GET", "POST"]) -> dict[str, Any]:
        """What is new; POST makes the digest, so that the next one begins after it."""
        return dict((await self._request(method, f"{API}/digest")).json())

    async def workflows(self) -> wire.WorkflowPage:
        """The workflow catalogue."""
        return await self._call(wire.WorkflowPage, "GET", f"{API}/workflows")

    async def list_jobs(self, **filters: Any) -> dict[str, Any]:
        """A page of jobs: ``items`` and ``next_cursor``."""
        answer = await self._request("GET", f"{API}/jobs", params=_given(filters))
        return dict(answer.json())

    async def get_job(self, job_id: str) -> dict[str, Any]:
        """One job with its description."""
        return dict((await self._request("GET", f"{API}/jobs/{_part(job_id)}")).json())

    @asynccontextmanager
    async def events(
        self, any_id: str, *, after: int = 0
    ) -> AsyncIterator[AsyncIterator[wire.EventView]]:
        """The run's events as they happen, from the one after ``after``."""
        headers = {"last-event-id": str(after)} if after else {}
        path = f"{API}/workflow-runs/{_part(any_id)}/events"
        timeout = httpx.Timeout(10.0, read=60.0)
        async with self._http.stream("GET", path, headers=headers, timeout=timeout) as answer:
            if answer.is_error:
                await answer.aread()
                raise _problem(answer)
            yield _events(answer)

    async def ready(self) -> bool:
        """Whether the API admits work now."""
        try:
            return (await self._http.get("/readyz")).status_code == 200
        except httpx.TransportError:
            return False

    async def _call(self, model: type[M], method: str, path: str, **options: Any) -> M:
        answer = await self._request(method, path, **options)
        return model.model_validate_json(answer.content)

    async def _request(
        self, method: str, path: str, *, json: Any = None, **options: Any
    ) -> httpx.Response:
        if json is not None:
            options["content"] = _body(json)
            options["headers"] = _JSON | dict(options.get("headers", {}))
        try:
            answer = await self._http.request(method, path, **options)
        except httpx.TransportError as error:
            raise ApiUnreachableError(
                "the jobsteward API does not answer; start it with: jobsteward up"
            ) from error
        if answer.is_error:
            raise _problem(answer)
        return answer


async def _events(answer: httpx.Response) -> AsyncIterator[wire.EventView]:
    async for line in answer.aiter_lines():
        if line.startswith("data:"):
            yield wire.EventView.model_validate_json(line[5:])


def _body(value: Any) -> bytes:
    """The value as strict JSON. Raises BadJsonError, or InvalidTextError for half an emoji."""
    try:
        return canonical_json(value).encode()
    except UnicodeEncodeError:
        raise errors.InvalidTextError(
            "a string holds half a surrogate pair; send whole text"
        ) from None
    except (ValueError, RecursionError):
        raise errors.BadJsonError("numbers must be finite and nesting at most 64 deep") from None


def _visible(token: str) -> str:
    """The token, which a header can carry. Raises AuthenticationError."""
    if not _TOKEN.fullmatch(token):
        raise errors.AuthenticationError(
            "the token holds characters that no token has: set JOBSTEWARD_TOKEN to what"
            " jobsteward token create printed"
        )
    return token


def _key(text: str) -> str:
    """The key, which a header can carry. Raises InvalidInputError (ADM-3)."""
    if not _KEY.fullmatch(text):
        rule = "1 to 255 visible ASCII characters"
        raise errors.InvalidInputError(
            f"the idempotency key must be {rule}", {"idempotency_key": rule}
        )
    return text


def _part(text: str) -> str:
    """The text as one segment of a path, so that no id can lead to another route."""
    return quote(text, safe="").replace(".", "%2E")


def _given(filters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in filters.items() if value is not None}


_PLAIN: Mapping[str, type[errors.JobstewardError]] = {
    error.code: error
    for error in (
        errors.NotFoundError,
        errors.AuthenticationError,
        errors.PermissionDeniedError,
        errors.ConflictError,
        errors.PayloadTooLargeError,
        errors.CapacityExceededError,
    )
}
"""Failures that are nothing but their code and message."""


def _problem(answer: httpx.Response) -> errors.JobstewardError:
    try:
        body = answer.json()
    except ValueError:
        body = {}
    code = body.get("code", f"http_{answer.status_code}")
    message = body.get("detail") or body.get("title") or f"the API answered {answer.status_code}"
    if code == errors.KeyReusedError.code:
        return errors.KeyReusedError(message, body.get("execution_id", ""))
    if code == errors.UnknownWorkflowError.code:
        return errors.UnknownWorkflowError(message, list(body.get("near", [])))
    if code == errors.InvalidInputError.code:
        return errors.InvalidInputError(message, dict(body.get("fields", {})))
    if known := _PLAIN.get(code):
        return known(message)
    return ApiError(answer.status_code, code, message, body)
