"""Two copies of the stdio server on an empty machine: one stack, which outlives both.

TOP-4, MCP-7, F28.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobsteward_server.app_directory import running_stack
from tests.mcp.wire import Host

pytestmark = pytest.mark.slow


@pytest.fixture
def stack_home(home: Path) -> Iterator[Path]:
    """An empty app directory whose stack is stopped afterwards."""
    yield home
    record = running_stack(home)
    if record:
        os.kill(record.pid, signal.SIGTERM)
        gone_by = time.monotonic() + 20
        while running_stack(home) and time.monotonic() < gone_by:
            time.sleep(0.05)
    assert running_stack(home) is None


def call(host: Host, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of a tool call."""
    result = host.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
    return dict(result)


def test_top_4_two_hosts_share_the_stack_that_the_first_call_waited_for(stack_home: Path) -> None:
    with Host(stack_home) as first, Host(stack_home) as second:
        for host in (first, second):
            assert host.ask("tools/list")["result"]["tools"], "answered before there is a stack"
        answers: dict[int, dict[str, Any]] = {}

        def start(number: int, host: Host) -> None:
            call(host, "list_workflows")  # waits until the stack admits
            board = "https://boards.greenhouse.io/acme-example"
            answers[number] = call(
                host, "discover_jobs", boards=[board], workflow_idempotency_key="both"
            )

        sending = [threading.Thread(target=start, args=pair) for pair in enumerate((first, second))]
        for thread in sending:
            thread.start()
        for thread in sending:
            thread.join(timeout=120)
        record = running_stack(stack_home)
        assert record is not None
        receipts = {answer["structuredContent"]["execution_id"] for answer in answers.values()}
        assert len(receipts) == 1, "the same key from two hosts is one execution"
        for host in (first, second):
            host.end_of_input()
            assert host.ended()[0] == 0
    assert running_stack(stack_home) == record, "closing the hosts leaves the stack"
    assert _pids_of_stacks(stack_home) == [record.pid]
    with Host(stack_home) as third:
        runs = call(third, "list_runs")["structuredContent"]["runs"]
    assert {run["execution_id"] for run in runs} == receipts


def _pids_of_stacks(home: Path) -> list[int]:
    """Processes of `jobsteward up` for that app directory."""
    listed = subprocess.run(
        ["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True
    ).stdout
    command = f"{sys.executable} -P -m jobsteward_server.cli up"
    found = [int(line.split()[0]) for line in listed.splitlines() if command in line]
    wanted = f"JOBSTEWARD_HOME={home}".encode()
    return [pid for pid in found if wanted in Path(f"/proc/{pid}/environ").read_bytes()]
