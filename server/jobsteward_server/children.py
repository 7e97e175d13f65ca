"""Child processes that start leashed, stop politely and never stay behind."""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

LOOPBACK = "127.0.0.1"
_OWN_PORTS = range(20_000, 32_000)
_LEASH = Path(__file__).with_name("leash.py")


class Child:
    """One running process in a session of its own; `start` makes it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        output: int,
        death_signal: signal.Signals,
        niceness: int = 0,
    ) -> "Child":
        """Start the command (absolute path first) with both streams going to ``output``.

        ``death_signal`` is what the kernel sends it when this process dies. Call from the
        main thread: the kernel means the thread that started the child.
        """
        leash = [sys.executable, "-I", "-S", str(_LEASH), str(os.getpid())]
        process = await asyncio.create_subprocess_exec(
            *leash,
            str(int(death_signal)),
            str(niceness),
            *command,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """Process id, also the id of its process group."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, negative for a signal; None while it runs."""
        return self._process.returncode

    async def exited(self) -> int:
        """Wait for the end; returns the exit code."""
        return await self._process.wait()

    async def stop(self, grace: float) -> int:
        """SIGTERM, up to ``grace`` seconds, then SIGKILL to its whole group."""
        if self.exit_code is None:
            self._process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self.exited()
        return await self.kill()

    async def kill(self) -> int:
        """SIGKILL the process and whatever it left in its group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return await self.exited()


def free_ports(count: int) -> list[int]:
    """Distinct loopback ports that nothing listens on at this moment.

    They lie below the range that systems draw from when a program asks for any port or opens
    a connection, so that nobody takes one by chance before it is used, or while its server
    is being restarted.
    """
    free = filter(port_is_free, random.sample(_OWN_PORTS, len(_OWN_PORTS)))
    return list(itertools.islice(free, count))


def port_is_free(port: int) -> bool:
    """Whether a server could listen on that loopback port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
