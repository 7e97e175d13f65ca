"""Failures leave as RFC 9457 documents that say what to do and nothing else (ADM-10, S40)."""

import logging
from collections.abc import AsyncIterator, Iterator
from typing import Annotated

import httpx
import pytest
from fastapi import FastAPI, Query

from jobsteward.kernel import errors
from jobsteward_server.http import problems
from jobsteward_server.http.boundary import Boundary
from jobsteward_server.http.problems import Problem, ProblemError

CANARIES = (
    "robin.vale@example.test",
    "+1 555 010 7788",
    "078-05-1120",
    "password=hunter2",
    "/home/robin/resume.pdf",
)
MEMBERS = {"type", "title", "status", "code", "detail", "request_id"}


def every_error(
    kind: type[errors.JobstewardError] = errors.JobstewardError,
) -> Iterator[type[errors.JobstewardError]]:
    """The whole tree."""
    yield kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from every_error(child)


def instance(kind: type[errors.JobstewardError]) -> errors.JobstewardError:
    """An error of that kind."""
    match kind:
        case errors.UnknownWorkflowError:
            return errors.UnknownWorkflowError("list them", ["discover"])
        case errors.KeyReusedError:
            return errors.KeyReusedError("use another key", "exe_1")
    return kind("do this next")


def make_app() -> FastAPI:
    """Routes that fail in every way."""
    app = FastAPI(redirect_slashes=False)

    @app.get("/fail/{name}")
    async def fail(name: str) -> None:
        raise instance(next(kind for kind in every_error() if kind.__name__ == name))

    @app.get("/fields")
    async def fields() -> None:
        raise errors.InvalidInputError("correct them", {"inputs.text": "must be a string"})

    @app.get("/problem")
    async def problem() -> None:
        raise ProblemError(Problem(429, "slow_down", "wait", headers={"retry-after": "3"}))

    @app.get("/unexpected")
    async def unexpected() -> None:
        raise RuntimeError(" ".join(CANARIES))

    @app.get("/query")
    async def query(limit: Annotated[int, Query(ge=1)], kind: str = "") -> None:
        return None

    @app.post("/only-post")
    async def only_post() -> None:
        return None

    problems.install(app)
    app.add_middleware(Boundary, allowed_hosts=lambda: {"api.test"})
    return app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    """A client of these routes; an exception that leaves the application fails the test."""
    transport = httpx.ASGITransport(make_app(), raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://api.test") as opened:
        yield opened


def checked(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    """The document, which has the standard members."""
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, object] = answer.json()
    assert set(document) >= MEMBERS
    assert (document["status"], document["code"]) == (status, code)
    assert document["request_id"] == answer.headers["x-request-id"]
    return document


@pytest.mark.anyio
@pytest.mark.parametrize("kind", list(every_error()), ids=lambda kind: kind.__name__)
async def test_every_error_of_the_tree_has_its_answer(
    kind: type[errors.JobstewardError], client: httpx.AsyncClient
) -> None:
    answer = await client.get(f"/fail/{kind.__name__}")
    document = checked(answer, problems.problem_of(instance(kind)).status, kind.code)
    assert document["detail"] == instance(kind).message
    if kind is not errors.JobstewardError:
        mapped = [base for base in kind.__mro__ if base in problems.STATUS_OF]
        assert mapped[0] is not errors.JobstewardError, "give this error a status of its own"


@pytest.mark.parametrize(
    ("kind", "status", "header"),
    [
        (errors.AuthenticationError, 401, "www-authenticate"),
        (errors.PermissionDeniedError, 403, "www-authenticate"),
        (errors.StorageFullError, 503, "retry-after"),
        (errors.StorageError, 503, "retry-after"),
        (errors.CapacityExceededError, 429, "retry-after"),
        (errors.NotFoundError, 404, None),
        (errors.KeyReusedError, 409, None),
        (errors.PayloadTooLargeError, 413, None),
        (errors.BadJsonError, 400, None),
        (errors.InvalidTextError, 422, None),
        (errors.UrlInvalidError, 422, None),
    ],
)
def test_statuses_and_headers_that_callers_rely_on(
    kind: type[errors.JobstewardError], status: int, header: str | None
) -> None:
    """S18, F32: credentials say how to authenticate, full disks when to come back."""
    problem = problems.problem_of(instance(kind))
    assert problem.status == status
    assert header is None or header in problem.headers


@pytest.mark.anyio
async def test_further_members_help_the_caller_on(client: httpx.AsyncClient) -> None:
    reused = await client.get("/fail/KeyReusedError")
    assert checked(reused, 409, "idempotency_key_reused")["execution_id"] == "exe_1"
    unknown = await client.get("/fail/UnknownWorkflowError")
    assert checked(unknown, 404, "unknown_workflow")["near"] == ["discover"]
    fields = checked(await client.get("/fields"), 422, "invalid_input")["fields"]
    assert fields == {"inputs.text": "must be a string"}
    slow = await client.get("/problem")
    checked(slow, 429, "slow_down")
    assert slow.headers["retry-after"] == "3"


@pytest.mark.anyio
async def test_the_router_speaks_problems_too(client: httpx.AsyncClient) -> None:
    checked(await client.get("/nowhere"), 404, "not_found")
    wrong = await client.get("/only-post")
    checked(wrong, 405, "method_not_allowed")
    assert wrong.headers["allow"] == "POST"
    options = await client.options("/only-post")
    checked(options, 405, "method_not_allowed")
    assert "access-control-allow-origin" not in options.headers
    head = await client.head("/only-post")
    assert head.status_code == 405


@pytest.mark.anyio
@pytest.mark.parametrize("canary", CANARIES)
async def test_a_422_never_repeats_what_was_sent(canary: str, client: httpx.AsyncClient) -> None:
    """S40."""
    answer = await client.get("/query", params={"limit": canary, canary: "1"})
    fields = checked(answer, 422, "invalid_input")["fields"]
    assert fields == {
        "limit": "Input should be a valid integer, unable to parse string as an integer"
    }
    assert canary not in answer.text


@pytest.mark.anyio
async def test_a_500_and_its_log_hold_no_canary(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    """S40, SEC-6: the log leads to the place by request id, the exception's text stays out."""
    with caplog.at_level(logging.DEBUG):
        answer = await client.get("/unexpected")
    document = checked(answer, 500, "internal")
    assert set(document) == MEMBERS
    for canary in CANARIES:
        assert canary not in answer.text
        assert canary not in caplog.text
    assert "RuntimeError" in caplog.text
    assert str(document["request_id"]) in caplog.text
    assert "unexpected:" in caplog.text


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (
            {"type": "extra_forbidden", "loc": ("body", "dryrun"), "msg": "Extra", "input": 1},
            {"dryrun": "is not known here; remove it"},
        ),
        (
            {"type": "extra_forbidden", "loc": ("body", "robin@example.test"), "msg": "Extra"},
            {"?": "is not known here; remove it"},
        ),
        (
            {"type": "union_tag_invalid", "loc": ("body", "a", 0), "msg": "tag 'hunter2' is"},
            {"a.0": "does not fit the schema"},
        ),
        (
            {
                "type": "value_error",
                "loc": ("query", "b"),
                "msg": "bad hunter2",
                "input": "hunter2",
            },
            {"b": "does not fit the schema"},
        ),
        (
            {"type": "missing", "loc": ("body",), "msg": "Field required"},
            {"body": "Field required"},
        ),
    ],
)
def test_fields_say_what_must_be_and_never_what_was(
    item: dict[str, object], expected: dict[str, str]
) -> None:
    assert problems.validation_fields([item]) == expected
