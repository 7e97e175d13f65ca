"""The API process from start to end: what it refuses, how it stops (S13, ADM-11, TOP-3)."""

import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from anyio.abc import Process

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import Settings
from jobsteward_server.app_directory import AGENT_FILE
from jobsteward_server.http.serve import bind, check_address, is_loopback

pytestmark = pytest.mark.anyio


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of a process that works on this app directory alone."""
    own = {name: value for name, value in os.environ.items() if "JOBSTEWARD" not in name}
    own |= {"JOBSTEWARD_HOME": str(home), "JOBSTEWARD_PORT": "0"}
    # Nothing listens there; the API admits without Temporal.
    return own | {"JOBSTEWARD_TEMPORAL_ADDRESS": "127.0.0.1:1"} | more


COMMAND = [sys.executable, "-m", "jobsteward_server.cli", "api"]


@asynccontextmanager
async def api_process(home: Path) -> AsyncIterator[tuple[Process, str]]:
    """A running API process and its URL; killed if it does not end by itself."""
    async with await anyio.open_process(COMMAND, env=environment(home), stderr=None) as process:
        try:
            assert process.stdout is not None
            line = b""
            with anyio.fail_after(60):
                while b"listening url=" not in line:
                    line += await process.stdout.receive()
            found = re.search(rb"listening url=(\S+)", line)
            assert found is not None
            yield process, found[1].decode()
        finally:
            if process.returncode is None:
                process.kill()


@pytest.mark.slow
async def test_sigterm_ends_streams_and_the_process_within_five_seconds(
    home: Path, sqlite_url: str
) -> None:
    """Open streams and long polls end, a new connection is refused, the exit code is 0."""
    async with api_process(home) as (process, url):
        token = (home / AGENT_FILE).read_text(encoding="utf-8").strip()
        headers = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=10) as client:
            receipt = await client.post("/api/v1/workflows/discover/execute", json=DISCOVER)
            assert receipt.status_code == 200, receipt.text
            run = receipt.json()
            async with client.stream("GET", run["events_path"]) as stream:
                parts = stream.aiter_text()
                assert "open" in await anext(parts)
                async with anyio.create_task_group() as tasks:
                    waited: list[httpx.Response] = []

                    async def wait() -> None:
                        waited.append(await client.get(run["run_path"], params={"wait": 100}))

                    tasks.start_soon(wait)
                    await anyio.sleep(0.2)  # the poll is under way; an earlier end is no error
                    told = time.monotonic()
                    process.send_signal(signal.SIGTERM)
                    with anyio.fail_after(5):
                        async for _ in parts:
                            pass
                with anyio.fail_after(5):
                    assert await process.wait() == 0
        assert time.monotonic() - told < 5
        assert waited[0].json()["status"] == "pending"


DISCOVER = {"inputs": {"boards": ["https://boards.greenhouse.io/acme"]}}


@pytest.mark.slow
async def test_a_request_in_progress_is_answered_before_the_end(
    home: Path, sqlite_url: str
) -> None:
    """A body under way when SIGTERM comes is still taken in: nothing acknowledged is lost."""
    async with api_process(home) as (process, url):
        token = (home / AGENT_FILE).read_text(encoding="utf-8").strip()
        host, _, port = url.removeprefix("http://").partition(":")
        wire = await anyio.connect_tcp(host, int(port))
        async with wire:
            await wire.send(
                f"GET /healthz HTTP/1.1\r\nHost: {host}:{port}\r\n"
                f"Authorization: Bearer {token}\r\nContent-Length: 2\r\n\r\n{{".encode()
            )
            await anyio.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            await anyio.sleep(0.2)
            await wire.send(b"}")
            with anyio.fail_after(5):
                assert (await wire.receive()).startswith(b"HTTP/1.1 200")
        with anyio.fail_after(5):
            assert await process.wait() == 0


async def refusal(environment: Mapping[str, str]) -> tuple[int, str]:
    """Exit code and standard error of an API process that must not come up."""
    with anyio.fail_after(60):
        ended = await anyio.run_process(COMMAND, env=environment, check=False)
    return ended.returncode, ended.stderr.decode()


@pytest.mark.slow
async def test_it_refuses_to_listen_for_everybody_without_names(home: Path) -> None:
    """S13: one line, exit code 1."""
    code, text = await refusal(environment(home, JOBSTEWARD_HOST="0.0.0.0"))
    assert code == 1
    assert text.startswith("error[configuration]: ") and text.count("\n") == 1
    assert "JOBSTEWARD_ALLOWED_HOSTS" in text


@pytest.mark.slow
async def test_it_refuses_a_damaged_database_with_one_line(home: Path) -> None:
    """ADM-11, SEC-9: no traceback between the person and the remedy."""
    path = home / "jobsteward.db"
    path.write_bytes(b"not a database" * 100)
    path.chmod(0o600)
    code, text = await refusal(environment(home))
    assert code == 1
    assert text.startswith("error[configuration]: ") and text.count("\n") == 1


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.0.2.7", False),
        ("steward.example", False),
        ("127.0.0.1.example", False),
    ],
)
def test_what_counts_as_this_machine(host: str, expected: bool, home: Path) -> None:
    """S13."""
    assert is_loopback(host) is expected
    settings = Settings(home=home, host=host)
    if expected:
        check_address(settings)
    else:
        with pytest.raises(ConfigurationError, match="JOBSTEWARD_ALLOWED_HOSTS"):
            check_address(settings)
    check_address(settings.model_copy(update={"allowed_hosts": ("steward.example:8765",)}))


def test_a_taken_port_and_a_foreign_address_are_named(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"port {port} is taken"):
            bind(Settings(home=home, port=port))
    with pytest.raises(ConfigurationError, match="JOBSTEWARD_HOST"):
        bind(Settings(home=home, host="192.0.2.7", port=0))


def test_answers_never_wait_for_an_acknowledgement(home: Path) -> None:
    """asyncio turns Nagle's delay off only for sockets that name TCP; with it on, an answer
    in two writes takes 40 ms longer."""
    with bind(Settings(home=home, port=0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP
