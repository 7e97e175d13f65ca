"""What MCP costs over the HTTP API: a call over stdio and over HTTP, first answer, memory."""

import json
import os
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.machinery import measured_stack, rss_mb, temporary_home
from benchmarks.report import Report, percentile, say
from jobsteward.client import ApiClient
from jobsteward_server.demo.stack import Stack

CALLS = 200
STARTS = 7
_MS = 1e3


async def mcp() -> Report:
    """Calls in turn: the API itself, the stdio adapter, and MCP over HTTP."""
    report = Report("mcp")
    async with temporary_home() as home, measured_stack(home) as stack:
        async with stack.api() as api:
            run = await _ended_run(api)
            say(f"mcp: {CALLS} calls each of the API, stdio and HTTP")
            await _overheads(report, stack, api, run)
        say(f"mcp: {STARTS} cold starts")
        _starts(report, stack)
    report.settings = {"calls": CALLS, "starts": STARTS, "tool": "check_workflow_status"}
    return report


async def _ended_run(api: ApiClient) -> str:
    receipt = await api.execute("measured", {})
    view = await api.get_run(receipt.execution_id, wait=30)
    assert view.terminal
    return receipt.execution_id


async def _overheads(report: Report, stack: Stack, api: ApiClient, run: str) -> None:
    arguments = {"execution_id": run}
    async with _stdio(stack) as stdio, _http(stack) as http:
        targets: dict[str, Callable[[], Awaitable[Any]]] = {
            "api": lambda: api.get_run(run),
            "stdio": lambda: stdio.call_tool("check_workflow_status", arguments),
            "http": lambda: http.call_tool("check_workflow_status", arguments),
        }
        samples = await _in_turn(targets)
    for percent in (50, 95):
        base = percentile(samples["api"], percent)
        report.set(f"api_p{percent}_ms", base)
        report.set(f"overhead_p{percent}_ms", percentile(samples["stdio"], percent) - base)
        report.set(f"http_overhead_p{percent}_ms", percentile(samples["http"], percent) - base)
    for name, values in samples.items():
        report.keep(f"{name}_ms", values)


async def _in_turn(targets: dict[str, Callable[[], Awaitable[Any]]]) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in targets}
    for number in range(CALLS + 10):
        for name, call in targets.items():
            began = time.perf_counter()
            await call()
            if number >= 10:
                samples[name].append((time.perf_counter() - began) * _MS)
    return samples


@asynccontextmanager
async def _stdio(stack: Stack) -> AsyncIterator[Client]:
    async with Client(stdio_client(stack.mcp())) as client:
        yield client


@asynccontextmanager
async def _http(stack: Stack) -> AsyncIterator[Client]:
    headers = {"authorization": f"Bearer {stack.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{stack.url}/mcp", http_client=http)) as client,
    ):
        yield client


def _starts(report: Report, stack: Stack) -> None:
    """Launch to the answer of ``tools/list``, by raw pipes, while the stack runs."""
    first: list[float] = []
    memory: list[float] = []
    for _ in range(STARTS):
        began = time.monotonic()
        with _launched(stack) as server:
            _ask(server, 1, "initialize", _HELLO)
            _tell(server, "notifications/initialized")
            _ask(server, 2, "tools/list", {})
            first.append(time.monotonic() - began)
            memory.append(rss_mb(server.pid))
            assert server.stdin
            server.stdin.close()
            server.wait(10)
    report.set("first_answer_s", percentile(first, 50))
    report.set("first_answer_slowest_s", max(first))
    report.set("rss_mb", percentile(memory, 50))
    report.keep("first_answer_s", first)
    report.keep("rss_mb", memory)


_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


def _launched(stack: Stack) -> subprocess.Popen[str]:
    how = stack.mcp()
    return subprocess.Popen(
        [how.command, *how.args],
        env=os.environ | (how.env or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _ask(server: subprocess.Popen[str], number: int, method: str, params: dict[str, Any]) -> None:
    _write(server, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    assert server.stdout
    while json.loads(server.stdout.readline()).get("id") != number:
        pass


def _tell(server: subprocess.Popen[str], method: str) -> None:
    _write(server, {"jsonrpc": "2.0", "method": method})


def _write(server: subprocess.Popen[str], message: dict[str, Any]) -> None:
    assert server.stdin
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()
