"""The stdio server over real pipes: purity, bad lines, both openings, clean ends (MCP-7, P115)."""

import io
import json
import signal
import sys
from pathlib import Path

import anyio
import pytest

from jobsteward_server.mcp_stdio import MAX_LINE, Lines
from jobsteward_tools import TOOLS
from tests.mcp.wire import META, Host

NO_STACK = {"JOBSTEWARD_URL": "http://127.0.0.1:1", "JOBSTEWARD_TOKEN": "jobs_unused"}


def host(home: Path) -> Host:
    """A server whose API does not answer, so that nothing else is started."""
    return Host(home, **NO_STACK)


@pytest.mark.slow
def test_mcp_7_it_answers_soon_lists_its_tools_and_stays_small(home: Path) -> None:
    with host(home):
        pass  # the first start may still compile
    with host(home) as one:
        tools = one.ask("tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
        assert one.first_answer_after < 10, "2.5 s on a machine that is not shared"
        if sys.platform == "linux":
            assert one.memory() < 90 * 2**20, "80 MB where no development packages are loaded"


@pytest.mark.slow
def test_p115_whatever_is_called_every_line_is_json_rpc(home: Path) -> None:
    with host(home) as one:
        for tool in TOOLS:
            sample = {
                "execution_id": "exe_1",
                "timeout_seconds": 0,
                "workflow": "discover",
                "inputs": {},
                "boards": ["https://jobs.acme.example"],
                "job_id": "job_1",
            }
            arguments = {
                name: sample[name] for name in tool.parameters.get("required", ()) if name in sample
            }
            if tool.name == "wait_for_result":
                arguments["timeout_seconds"] = 0
            answer = one.ask("tools/call", {"name": tool.name, "arguments": arguments})
            assert "[transient_network]" in str(answer["result"]["content"])
        one.end_of_input()
        code, rest, errors = one.ended()
    assert (code, rest) == (0, b"")
    assert b"Traceback" not in errors


@pytest.mark.slow
def test_a_host_may_probe_first_and_then_shake_hands_in_the_older_way(home: Path) -> None:
    with host(home) as one:
        found = one.ask("server/discover")["result"]
        assert found["supportedVersions"] == ["2026-07-28"]
        assert found["instructions"]
        assert one.shake_hands()["result"]["protocolVersion"] == "2025-06-18"
        assert one.ask("tools/list", era="legacy")["result"]["tools"]
    with host(home) as one:
        one.ask("server/discover")
        assert one.ask("tools/list")["result"]["tools"], "or go on in the current one"


@pytest.mark.slow
def test_s26_a_line_that_is_no_message_gets_an_error_and_the_next_one_is_served(
    home: Path,
) -> None:
    bad: list[str | bytes] = [
        "no json {",
        "[" * 100_000,
        '{"jsonrpc":"2.0","id":1,"method":"x","params":' + '{"a":' * 5000 + "1" + "}" * 5001,
        '"' + "x" * (2 * MAX_LINE) + '"',
        b"\xff\xfe\x00",
        "[]",
    ]
    with host(home) as one:
        for line in bad:
            one.send(line)
            answer = one.receive()
            assert answer["error"]["code"] == -32700
            assert answer.get("id") in (None, 1), "1 where it can still be read"
        assert one.ask("tools/list")["result"]["tools"]


@pytest.mark.slow
def test_s24_a_call_with_half_an_emoji_is_answered_under_its_id(home: Path) -> None:
    """Else the host waits for the call until it gives up; models do cut text like that."""
    with host(home) as one:
        one.send(r'{"jsonrpc":"2.0","id":"cut","method":"tools/call","params":{"name":"\ud83d"}}')
        answer = one.receive()
        assert answer["error"]["code"] == -32700
        assert answer["id"] == "cut"


@pytest.mark.slow
@pytest.mark.parametrize("meta", ["text", [1], 5, True])
def test_s26_a_first_message_with_odd_metadata_ends_nothing(home: Path, meta: object) -> None:
    with host(home) as one:
        message = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
        one.send(message | {"params": {"_meta": meta}})
        assert "error" in one.receive()
        assert one.process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_mcp_7_a_signal_ends_it_cleanly_even_during_a_wait(home: Path, number: int) -> None:
    with host(home) as one:
        call = {
            "name": "wait_for_result",
            "arguments": {"execution_id": "exe_1"},
            "_meta": META | {"progressToken": "p"},
        }
        one.send({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
        assert one.receive()["method"] == "notifications/progress", "it waits"
        one.process.send_signal(number)
        code, rest, errors = one.ended(within=10)
    assert code == 0
    assert all(json.loads(line)["method"] for line in rest.splitlines())
    assert b"Traceback" not in errors


@pytest.mark.slow
def test_mcp_7_the_end_of_input_ends_it(home: Path) -> None:
    with host(home) as one:
        one.shake_hands()
        one.end_of_input()
        assert one.ended()[0] == 0
    with host(home) as one:
        one.end_of_input()
        assert one.ended()[0] == 0, "also before the first message"


async def lines_of(data: bytes) -> list[str]:
    return [line async for line in Lines(io.BytesIO(data))]


@pytest.mark.anyio
async def test_lines_are_bounded_and_a_long_one_is_skipped_whole() -> None:
    long = b"y" * (3 * MAX_LINE)
    with anyio.fail_after(10):
        assert await lines_of(b"a\n\n" + long + b"\nb\n") == ["a\n", "", "b\n"]
        assert await lines_of(b"x" * MAX_LINE + b"\nz") == ["", "z"]
        assert await lines_of(long) == [""]
