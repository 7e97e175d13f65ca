"""A host's end of the stdio server: real pipes, raw lines."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mcp.types import (
    CLIENT_CAPABILITIES_META_KEY,
    CLIENT_INFO_META_KEY,
    PROTOCOL_VERSION_META_KEY,
)

META = {
    PROTOCOL_VERSION_META_KEY: "2026-07-28",
    CLIENT_CAPABILITIES_META_KEY: {},
    CLIENT_INFO_META_KEY: {"name": "host", "version": "1"},
}
COMMAND = [sys.executable, "-m", "jobsteward_server.cli", "mcp"]


class Host:
    """The server as a child process. Every line of its standard output must be JSON-RPC."""

    def __init__(self, home: Path, **environment: str) -> None:
        # Hosts pass a nearly empty environment.
        own = {"PATH": os.environ["PATH"], "JOBSTEWARD_HOME": str(home)}
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=own | environment,
        )
        self.first_answer_after = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def send(self, message: Mapping[str, Any] | str | bytes) -> None:
        """Write one line."""
        text = json.dumps(message) if isinstance(message, Mapping) else message
        line = text.encode() if isinstance(text, str) else text
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """Read one line; pytest's time limit bounds the wait."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.first_answer_after = self.first_answer_after or time.monotonic() - self._began
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return dict(message)

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, *, era: str = "modern"
    ) -> dict[str, Any]:
        """The answer to a request; its ``result`` or its ``error``."""
        body = dict(params or {}) | ({"_meta": META} if era == "modern" else {})
        self.send({"jsonrpc": "2.0", "id": method, "method": method, "params": body})
        answer = self.receive()
        assert answer["id"] == method
        return answer

    def shake_hands(self) -> dict[str, Any]:
        """The older protocol's beginning."""
        info = {"name": "host", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
        answer = self.ask("initialize", params, era="legacy")
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def end_of_input(self) -> None:
        """Close its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def ended(self, within: float = 10) -> tuple[int, bytes, bytes]:
        """Exit code and what was left on standard output and error."""
        code = self.process.wait(timeout=within)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        return code, self.process.stdout.read(), self.process.stderr.read()

    def memory(self) -> int:
        """The memory that it holds, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024
