"""Runs and jobs as resources, with completions, in both eras (MCP-9, SEC-5)."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import (
    PromptReference,
    ResourceTemplateReference,
    TextResourceContents,
)

from jobsteward.runs.model import RunStatus
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import ERAS, connected, names

pytestmark = pytest.mark.anyio
BOTH = pytest.mark.parametrize("mode", ERAS)


async def read(client: Client, uri: str) -> Any:
    [content] = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "application/json"
    return json.loads(content.text)


@BOTH
async def test_mcp_9_a_run_is_read_with_its_state_and_result(api: FakeApi, mode: str) -> None:
    run = api.add_run(1)
    api.move(run.execution_id, RunStatus.SUCCEEDED, result={"found": 3})
    async with connected(api, mode) as client:
        document = await read(client, f"runs://{run.execution_id}")
    assert document["status"] == "succeeded"
    assert document["result"] == {"found": 3}


async def test_mcp_9_a_job_is_read_whole_and_the_newest_are_short(api: FakeApi) -> None:
    job = api.add_job(1, description="long " * 9000)
    api.add_run(1)
    async with connected(api) as client:
        assert await read(client, f"jobs://{job['job_id']}") == job
        [newest] = await read(client, "jobs://newest")
        assert "description" not in newest
        [run] = await read(client, "runs://newest")
        assert run["execution_id"] in api.runs
        listed = (await client.list_resources()).resources
    assert names(listed) == ["newest_runs", "newest_jobs"]


@BOTH
@pytest.mark.parametrize(
    "uri",
    [
        "runs://exe_" + "0" * 32,
        "runs://" + "a" * 200,
        "runs://..",
        "runs://%2e%2e%2fjobs",
        "runs://a%2Fcancel",
        "jobs://job_1%00",
        "jobs://../runs",
        "profile://me",
    ],
)
async def test_sec_5_what_is_no_id_of_ours_is_not_found(api: FakeApi, mode: str, uri: str) -> None:
    api.add_run(1, owner="mallory")
    async with connected(api, mode) as client:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
    assert refused.value.code == -32602
    assert all(path.startswith("/api/v1/workflow-runs/exe_0") for _, path, _ in api.requests)


async def test_an_api_in_trouble_is_an_error_with_its_code(api: FakeApi) -> None:
    api.down = True
    async with connected(api) as client:
        with pytest.raises(MCPError, match=r"\[transient_network\]") as refused:
            await client.read_resource("runs://newest")
    assert refused.value.code == -32603


RUN = ResourceTemplateReference(type="ref/resource", uri="runs://{execution_id}")
JOB = ResourceTemplateReference(type="ref/resource", uri="jobs://{job_id}")
REVIEW = PromptReference(type="ref/prompt", name="review_runs")


@BOTH
@pytest.mark.parametrize(
    ("ref", "name", "typed", "values"),
    [
        (RUN, "execution_id", "exe_", [f"exe_{1:032x}"]),
        (JOB, "job_id", "job_", [f"job_{1:024x}"]),
        (REVIEW, "status", "t", ["timed_out", "terminated"]),
        (REVIEW, "workflow", "", ["discover"]),
        (REVIEW, "workflow", "x", []),
        (REVIEW, "other", "", []),
    ],
)
async def test_mcp_9_arguments_are_completed(
    api: FakeApi, mode: str, ref: Any, name: str, typed: str, values: list[str]
) -> None:
    api.add_run(1)
    api.add_job(1)
    async with connected(api, mode) as client:
        done = await client.complete(ref, {"name": name, "value": typed})
        api.down = True
        await client.complete(ref, {"name": name, "value": typed})
    assert done.completion.values == values


@BOTH
async def test_mcp_9_prompts_name_the_tools_in_their_order(api: FakeApi, mode: str) -> None:
    async with connected(api, mode) as client:
        arguments = {"boards": "https://jobs.acme.example", "wishes": "part time"}
        found = await client.get_prompt("find_jobs", arguments)
        checked = await client.get_prompt("check_on_run", {"execution_id": "exe_1"})
        review = await client.get_prompt("review_runs", {"status": "failed"})
    text = str(found.messages[0].content)
    steps = [text.index(tool) for tool in ("discover_jobs", "wait_for_result", "search_jobs")]
    assert steps == sorted(steps)
    assert "part time" in text
    assert "exe_1" in str(checked.messages[0].content)
    assert "in the state failed" in str(review.messages[0].content)
