"""Generated requests against every operation of the real API (ADM-10, SEC-1, SEC-8).

Each answer must be one that the API's own description promises: no 5xx, a declared status
and type, a body of the declared form, and nothing at all without a token.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode, checks
from schemathesis.core.result import Ok

from jobsteward_server.app_directory import OWNER_FILE

pytestmark = pytest.mark.slow

checks.load_all_checks()
CHECKS: list[Any] = checks.CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    ]
)
_STREAM = "/api/v1/workflow-runs/{any_id}/events"
_GENEROUS = settings(
    deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@dataclass(frozen=True)
class Api:
    """A running API process."""

    url: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """The real API without Temporal: what it admits waits."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    own = {name: value for name, value in os.environ.items() if "JOBSTEWARD" not in name}
    own |= {"JOBSTEWARD_HOME": str(home), "JOBSTEWARD_TEMPORAL_ADDRESS": "127.0.0.1:1"}
    command = [sys.executable, "-m", "jobsteward_server.cli", "api", "--port", "0"]
    with subprocess.Popen(command, env=own, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _started(process, home)
        finally:
            process.terminate()
            assert process.wait(timeout=10) == 0


def _started(process: "subprocess.Popen[str]", home: Path) -> Api:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"listening url=(\S+)", line):
            secret = (home / OWNER_FILE).read_text(encoding="utf-8").strip()
            return Api(found[1], {"authorization": f"Bearer {secret}"})
    raise AssertionError("the API ended before it listened")


@pytest.fixture(scope="module")
def described(api: Api) -> list[Any]:
    """Every operation of the API's own description but the endless one."""
    schema = schemathesis.openapi.from_url(f"{api.url}/openapi.json")
    found = [
        cast(Ok[Any], result).ok() for result in schema.exclude(path=_STREAM).get_all_operations()
    ]
    assert len(found) > 15
    return found


def each_case(
    operation: Any,
    examples: int,
    check: Callable[[Any], None],
    mode: GenerationMode = GenerationMode.POSITIVE,
) -> None:
    """Run the check on so many generated requests of the operation."""

    @settings(_GENEROUS, max_examples=examples)
    @given(case=operation.as_strategy(generation_mode=mode))
    def run(case: Any) -> None:
        check(case)

    run()


def test_answers_are_as_described(described: list[Any], api: Api) -> None:
    """ADM-10: a declared status, type and form, whether what is sent fits or not."""

    def check(case: Any) -> None:
        answer = case.call(headers=api.headers, timeout=20)
        case.validate_response(answer, checks=CHECKS)
        assert "x-request-id" in answer.headers

    for operation in described:
        each_case(operation, 15, check)
        if operation.body or operation.query or operation.headers:
            each_case(operation, 15, check, GenerationMode.NEGATIVE)


def test_no_operation_answers_without_a_token(described: list[Any], api: Api) -> None:
    """SEC-1, S13."""

    def check(case: Any) -> None:
        answer = case.call(headers={"authorization": "Bearer jobs_unknown"}, timeout=20)
        assert 400 <= answer.status_code < 500, case.as_curl_command()

    for operation in described:
        if operation.path.startswith("/api/"):
            each_case(operation, 3, check)
