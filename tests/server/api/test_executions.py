"""Admission through the API: receipts, keys, refusals, and nothing half-written (ADM)."""

import anyio
import pytest
from sqlalchemy import func, select

from jobsteward.client import ApiError
from jobsteward.kernel.errors import (
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    PermissionDeniedError,
    UnknownWorkflowError,
)
from jobsteward.runs.model import RunStatus
from jobsteward.runs.tables import EXECUTIONS, SCHEDULED_JOBS
from jobsteward.runs.wire import API
from tests.support.api import Api

pytestmark = pytest.mark.anyio

EXECUTE = f"{API}/workflows/echo/execute"


async def count(api: Api, table: object = EXECUTIONS) -> int:
    statement = select(func.count()).select_from(table)  # type: ignore[arg-type]
    return await api.services.library.database.read(lambda conn: conn.scalar(statement)) or 0


async def test_a_receipt_is_durable_before_any_run_exists(api: Api) -> None:
    """ADM-2, ADM-5, ADM-11: without Temporal, work is taken in and waits."""
    async with api.agent() as agent:
        receipt = await agent.execute("echo", {"text": "hello"})
        run = await agent.get_run(receipt.execution_id)
        reason = await agent.why(receipt.execution_id)
    assert receipt.status == "submitted"
    assert run.status is RunStatus.PENDING
    assert run.run_id is None
    assert run.started_at is None
    assert reason.code == "temporal_unreachable"
    assert await count(api) == await count(api, SCHEDULED_JOBS) == 1


async def test_a_hundred_equal_requests_are_one_execution(api: Api) -> None:
    """ADM-3, F25: one execution, a hundred times 200."""
    answers: list[tuple[int, str, str | None]] = []
    async with api.http(api.secret("agent.token")) as http:

        async def call() -> None:
            answer = await http.post(
                EXECUTE, json={"inputs": {"text": "x"}}, headers={"idempotency-key": "one"}
            )
            replayed = answer.headers.get("idempotent-replayed")
            answers.append((answer.status_code, answer.json()["execution_id"], replayed))

        async with anyio.create_task_group() as group:
            for _ in range(100):
                group.start_soon(call)
    assert {status for status, _, _ in answers} == {200}
    assert len({execution_id for _, execution_id, _ in answers}) == 1
    assert [replayed for _, _, replayed in answers].count("true") == 99
    assert await count(api) == 1


async def test_a_key_stands_for_its_arguments(api: Api) -> None:
    """ADM-3, S22: equal JSON joins; 1 and 1.0 differ, and the answer names the first."""
    async with api.agent() as agent:
        first = await agent.execute("echo", {"text": "a", "count": 1}, idempotency_key="k")
        again = await agent.execute("echo", {"count": 1, "text": "a"}, idempotency_key="k")
        with pytest.raises(KeyReusedError) as refused:
            await agent.execute("echo", {"text": "a", "count": 1.0}, idempotency_key="k")
    assert again.execution_id == first.execution_id
    assert again.replayed
    assert refused.value.execution_id == first.execution_id


async def test_the_same_key_of_another_tenant_is_another_execution(api: Api) -> None:
    """S16, I11: a foreign key and body join nothing and show nothing."""
    other = await api.tenant("other")
    body, headers = {"inputs": {"text": "x"}}, {"idempotency-key": "k"}
    async with api.http(api.secret("agent.token")) as mine, api.http(other) as theirs:
        first = (await mine.post(EXECUTE, json=body, headers=headers)).json()["execution_id"]
        second = (await theirs.post(EXECUTE, json=body, headers=headers)).json()["execution_id"]
        foreign = await theirs.get(f"{API}/workflow-runs/{first}")
        random = await theirs.get(f"{API}/workflow-runs/exe_{'0' * 32}")
    assert first != second
    assert foreign.status_code == random.status_code == 404
    keep = {"type", "title", "status", "code", "detail"}
    shown = [{k: v for k, v in answer.json().items() if k in keep} for answer in (foreign, random)]
    assert shown[0] == shown[1]


async def test_equal_calls_without_a_key_join_within_seconds(api: Api) -> None:
    """ADM-3a, F28: hosts that send every call twice get one execution."""
    async with api.agent() as agent, api.owner() as owner:
        first = await agent.execute("echo", {"text": "x"})
        twin = await agent.execute("echo", {"text": "x"})
        other = await agent.execute("echo", {"text": "y"})
        owners = await owner.execute("echo", {"text": "x"})
    assert twin.execution_id == first.execution_id
    assert other.execution_id != first.execution_id
    assert owners.execution_id != first.execution_id


async def test_bad_requests_leave_no_row(api: Api) -> None:
    """ADM-6, ADM-10: each refusal has its status and code, and echoes no value."""
    canary = "canary@person.example"
    cases = [
        ("/workflows/ecko/execute", {"inputs": {"text": "x"}}, 404, "unknown_workflow"),
        ("/workflows/echo/execute", {"inputs": {"text": 5}}, 422, "invalid_input"),
        ("/workflows/echo/execute", {"inputs": {"text": "", "x": canary}}, 422, "invalid_input"),
        ("/workflows/echo/execute", {"input": {"text": canary}}, 422, "invalid_input"),
        ("/workflows/echo/execute", {"inputs": {"text": canary * 15000}}, 413, "payload_too_large"),
    ]
    async with api.http(api.secret("agent.token")) as http:
        for path, body, status, code in cases:
            answer = await http.post(f"{API}{path}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (status, code), path
            assert answer.headers["content-type"] == "application/problem+json"
            assert canary not in answer.text
    assert await count(api) == 0


async def test_refusals_say_what_to_do(api: Api) -> None:
    """Bad input: near names, field names, the missing scope."""
    reader = await api.tenant("local", ("read",))
    async with api.agent() as agent:
        with pytest.raises(UnknownWorkflowError) as unknown:
            await agent.execute("ecko", {"text": "x"})
        with pytest.raises(InvalidInputError) as invalid:
            await agent.execute("echo", {"text": "", "colour": "red"})
        with pytest.raises(InvalidInputError) as private:
            await agent.execute("echo", {"text": "x", "me@canary.test": 1, "x" * 5000: 2})
    assert unknown.value.near == ["echo"]
    assert set(invalid.value.fields) == {"inputs.text", "inputs.colour"}
    assert set(private.value.fields) == {"inputs.?"}, "a name that a caller made up is a value"
    async with api.http(reader) as http:
        refused = await http.post(EXECUTE, json={"inputs": {"text": "x"}})
        allowed = await http.get(f"{API}/workflow-runs")
    assert refused.status_code == 403
    assert refused.json()["code"] == PermissionDeniedError.code
    assert allowed.status_code == 200


async def test_a_live_deterministic_id_attaches_equal_requests_and_queues_others(api: Api) -> None:
    """ADM-13: equal work shares the run; other work waits behind it and says so."""
    async with api.agent() as agent:
        first = await agent.execute("solo", {"text": "x"}, idempotency_key="a")
        equal = await agent.execute("solo", {"text": "x"}, idempotency_key="b")
        other = await agent.execute("solo", {"text": "y"}, idempotency_key="c")
        waiting = await agent.get_run(other.execution_id)
        reason = await agent.why(other.execution_id)
    assert len({first.execution_id, equal.execution_id, other.execution_id}) == 3
    assert waiting.metadata.waits_for == equal.execution_id
    assert reason.code == "behind_another_run"
    assert await count(api, SCHEDULED_JOBS) == 2


async def test_tokens_are_checked_on_every_call(api: Api) -> None:
    """S18: unknown, revoked and malformed tokens are refused at once."""
    async with api.http(api.secret("owner.token")) as owner:
        made = (await owner.post(f"{API}/tokens", json={"name": "t", "scopes": ["read"]})).json()
        async with api.http(made["secret"]) as http:
            assert (await http.get(f"{API}/workflow-runs")).status_code == 200
            await owner.delete(f"{API}/tokens/{made['token_id']}")
            refused = await http.get(f"{API}/workflow-runs")
    assert refused.status_code == 401
    assert "www-authenticate" in refused.headers
    for secret in (None, "x", "jobs_" + "0" * 72):
        async with api.http(secret) as http:
            assert (await http.get(f"{API}/workflow-runs")).status_code == 401
    async with api.agent() as agent:
        with pytest.raises(PermissionDeniedError):
            await agent._request("GET", f"{API}/tokens")


async def test_the_list_pages_through_everything_once(api: Api) -> None:
    """ADM-7: newest first, each execution exactly once, and a foreign cursor is refused."""
    async with api.agent() as agent:
        made = [(await agent.execute("echo", {"text": str(n)})).execution_id for n in range(7)]
        seen: list[str] = []
        cursor = None
        while True:
            page = await agent.list_runs(limit=3, cursor=cursor)
            seen += [item.execution_id for item in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        pending = await agent.list_runs(status="pending")
        none = await agent.list_runs(status="failed")
        with pytest.raises(InvalidInputError):
            await agent.list_runs(cursor="bm9uc2Vuc2U")
    assert seen == made[::-1]
    assert len(pending.items) == 7
    assert none.items == []


async def test_waiting_for_what_cannot_end_returns_the_state(api: Api) -> None:
    """ADM-7: a long poll that runs out answers with the truth, not with an error."""
    async with api.agent() as agent:
        receipt = await agent.execute("echo", {"text": "x"})
        with anyio.fail_after(5):
            run = await agent.get_run(receipt.execution_id, wait=0.3)
        with pytest.raises((ApiError, InvalidInputError)):
            await agent.get_run(receipt.execution_id, wait=500)
    assert run.status is RunStatus.PENDING


async def test_cancelling_what_has_not_started_ends_it(api: Api) -> None:
    """ADM-8: no run, canceled, once."""
    async with api.agent() as agent:
        receipt = await agent.execute("echo", {"text": "x"})
        first = await agent.cancel(receipt.execution_id, "changed my mind")
        second = await agent.cancel(receipt.execution_id)
        run = await agent.get_run(receipt.execution_id)
    assert first.outcome == "cancel_requested"
    assert second.outcome == "already_terminal"
    assert run.status is RunStatus.CANCELED
    assert run.run_id is None


async def test_cancelling_one_of_two_holders_detaches_it(api: Api) -> None:
    """ADM-8: the other keeps the work; only the last cancel ends it."""
    async with api.agent() as agent:
        first = await agent.execute("solo", {"text": "x"}, idempotency_key="a")
        second = await agent.execute("solo", {"text": "x"}, idempotency_key="b")
        detached = await agent.cancel(first.execution_id)
        kept = await agent.get_run(second.execution_id)
        last = await agent.cancel(second.execution_id)
        ended = await agent.get_run(second.execution_id)
    assert detached.outcome == "detached"
    assert detached.status is RunStatus.CANCELED
    assert kept.status is RunStatus.PENDING
    assert last.outcome == "cancel_requested"
    assert ended.status is RunStatus.CANCELED


async def test_draining_needs_an_administrator_and_reports_what_is_left(api: Api) -> None:
    """ENV-7: held starts keep being accepted and counted; an agent may not hold them."""
    async with api.agent() as agent, api.owner() as owner:
        with pytest.raises(PermissionDeniedError):
            await agent.drain("PUT")
        begun = await owner.drain("PUT")
        receipt = await agent.execute("echo", {"text": "x"})
        reason = await agent.why(receipt.execution_id)
        held = await owner.drain("GET")
        ended = await owner.drain("DELETE")
    assert begun.done
    assert reason.code == "draining"
    assert (held.running, held.waiting) == (0, 1)
    assert ended.since is None


async def test_an_id_never_leads_to_another_route(api: Api) -> None:
    """S15: whatever an agent passes as an id is looked up as one."""
    async with api.agent() as agent:
        for text in ("../jobs", "..", ".", "x/events", "?wait=1", "%2e%2e"):
            with pytest.raises(NotFoundError):
                await agent.get_run(text)


async def test_a_request_without_priority_takes_the_workflows_own(api: Api) -> None:
    """LANE-1: the catalogue's lane is the one that is used, unless the caller asks for another."""
    async with api.agent() as agent:
        own = await agent.execute("later", {"text": "a"})
        asked = await agent.execute("later", {"text": "b"}, priority=9)
        lanes = [
            (await agent.get_run(receipt.execution_id)).metadata.lane for receipt in (own, asked)
        ]
    assert lanes == ["background", "interactive"]
