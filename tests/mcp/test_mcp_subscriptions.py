"""Hearing of a changed run: only while listening, and to the true end (MCP-9)."""

import anyio
import pytest
from mcp import Client
from mcp.types import ResourceUpdatedNotification

from jobsteward.runs.model import RunStatus
from jobsteward_resources import watching
from jobsteward_server.mcp import build_server
from jobsteward_server.mcp_subscriptions import serve_legacy_subscriptions
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import connected

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poll often, so that tests need not wait."""
    monkeypatch.setattr(watching, "_EVERY", 0.01)


async def test_mcp_9_a_listener_hears_of_each_change_of_its_run(api: FakeApi) -> None:
    run = api.add_run(1)
    other = api.add_run(2)
    uri = f"runs://{run.execution_id}"
    async with connected(api) as client:
        with anyio.fail_after(10):
            async with client.listen(resource_subscriptions=[uri]) as heard:
                await api.has_had(2)
                api.move(other.execution_id, RunStatus.SUCCEEDED)
                api.move(run.execution_id, RunStatus.AWAITING_APPROVAL)
                event = await anext(aiter(heard))
                assert getattr(event, "uri", None) == uri
                api.move(run.execution_id, RunStatus.SUCCEEDED)
                await anext(aiter(heard))
        polls = len(api.requests)
        await anyio.sleep(0.05)
        assert len(api.requests) == polls, "nothing is polled after the end"


async def test_what_cannot_change_is_not_polled(api: FakeApi) -> None:
    uris = ["jobs://job_1", "runs://newest", "runs://../x", "runs://a/b?c", "no uri"]
    async with connected(api) as client, client.listen(resource_subscriptions=uris):
        await anyio.sleep(0.05)
    assert not api.requests


async def test_a_listener_survives_an_api_that_is_away(api: FakeApi) -> None:
    run = api.add_run(1)
    api.answer_with = (503, {"code": "storage_error"})
    async with connected(api) as client:
        with anyio.fail_after(10):
            async with client.listen(
                resource_subscriptions=[f"runs://{run.execution_id}"]
            ) as heard:
                await api.has_had(2)
                api.answer_with = None
                api.move(run.execution_id, RunStatus.FAILED)
                await anext(aiter(heard))


@pytest.mark.filterwarnings("ignore:resources/")  # the older protocol is the point
async def test_subscribers_of_the_older_protocol_hear_too(api: FakeApi) -> None:
    run = api.add_run(1)
    uri = f"runs://{run.execution_id}"
    heard: list[str] = []
    told = anyio.Event()

    async def listen(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.append(str(message.params.uri))
            told.set()

    server = build_server(api.connect)
    async with (
        serve_legacy_subscriptions(server, api.connect),
        Client(server, mode="legacy", message_handler=listen) as client,
    ):
        await client.subscribe_resource(uri)
        with anyio.fail_after(10):
            await api.has_had(2)
            api.move(run.execution_id, RunStatus.AWAITING_APPROVAL)
            await told.wait()
        await client.unsubscribe_resource(uri)
        polls = len(api.requests)
        api.move(run.execution_id, RunStatus.SUCCEEDED)
        await anyio.sleep(0.05)
        assert len(api.requests) <= polls + 1
    assert heard == [uri]
