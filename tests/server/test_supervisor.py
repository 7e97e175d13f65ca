"""One stack per app directory: up, held, restarted, shared and gone when told."""

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from jobsteward.kernel.errors import ConfigurationError, ConflictError
from jobsteward.settings import Settings, load_settings
from jobsteward_server import app_directory
from jobsteward_server.app_directory import StackRecord
from jobsteward_server.supervisor import choose_port, ensure_stack, http_status

STAND_IN = Path(__file__).with_name("stand_in.py")
NAMES = {"temporal", "api", "worker"}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="reads /proc and expects Linux's parent-death signal"
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An app directory whose stack runs stand-ins for API and worker."""
    monkeypatch.setenv("JOBSTEWARD_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JOBSTEWARD_TEST_MODE", "1")
    monkeypatch.setenv("JOBSTEWARD_PORT", "0")
    monkeypatch.setenv("JOBSTEWARD_CHILD_COMMAND", f"{sys.executable} {STAND_IN}")
    return tmp_path / "home"


class Stack:
    """A running ``jobsteward up`` and what a test asks of it."""

    def __init__(self, home: Path, process: subprocess.Popen[str]) -> None:
        self.home = home
        self.process = process
        self.ready_line = ""

    @property
    def record(self) -> StackRecord:
        record = app_directory.running_stack(self.home)
        assert record is not None
        return record

    def children(self) -> dict[str, int]:
        """Name → pid of the three processes, once all of them run."""
        eventually(lambda: set(self._children()) >= NAMES)
        return self._children()

    def _children(self) -> dict[str, int]:
        found = {}
        pid = self.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            name = process_name(int(child))
            if name in NAMES:
                found[name] = int(child)
        return found


def process_name(pid: int) -> str:
    """Which of the three a process is, "" for one that just starts or ends."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return ""
    if "start-dev" in words:
        return "temporal"
    return words[2] if words[1:2] == [str(STAND_IN)] else ""


@contextmanager
def up(home: Path) -> Iterator[Stack]:
    """Start the stack, wait for its line; whatever happens, nothing stays behind."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jobsteward_server.cli", "up"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    stack = Stack(home, process)
    try:
        assert process.stdout is not None
        stack.ready_line = process.stdout.readline()
        yield stack
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def eventually(what: Callable[[], bool], within: float = 15.0) -> None:
    deadline = time.monotonic() + within
    while not what():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


def gone(pid: int) -> bool:
    """Whether the process ended (one that nobody has collected yet counts)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_up_announces_itself_once_and_stops_cleanly(home: Path) -> None:
    """TOP-3: one ready line; SIGTERM ends everything within 10 s."""
    with up(home) as stack:
        url = stack.record.url
        assert stack.ready_line == f"ready url={url}\n"
        assert http_status(f"{url}/readyz") == 200
        children = stack.children()
        assert set(children) == NAMES
        assert os.getpriority(os.PRIO_PROCESS, children["worker"]) == 10
        assert os.getpriority(os.PRIO_PROCESS, children["api"]) == 0
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in [home, *home.rglob("*")]}
        assert not [path for path, mode in modes.items() if mode & 0o077]

        stack.process.terminate()
        rest, errors = stack.process.communicate(timeout=10)

        assert stack.process.returncode == 0, errors
        assert rest == ""
        assert "Traceback" not in errors
        assert all(map(gone, children.values()))
        assert app_directory.running_stack(home) is None
        assert not (home / app_directory.RECORD_FILE).exists()


@pytest.mark.parametrize("same_port", [False, True])
def test_second_stack_is_refused_with_one_line(home: Path, same_port: bool) -> None:
    """SEC-9: the line names the stack that is there, also where its port is what is in the way."""
    with up(home) as first:
        port = ["--port", str(first.record.port)] if same_port else []
        second = subprocess.run(
            [sys.executable, "-m", "jobsteward_server.cli", "up", *port],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        assert second.returncode == 1
        assert second.stdout == ""
        assert second.stderr.startswith("error[conflict]: a stack already runs")
        assert f"process {first.process.pid}, {first.record.url}" in second.stderr
        assert second.stderr.count("\n") == 1
        assert http_status(f"{first.record.url}/readyz") == 200


@pytest.mark.parametrize("victim", sorted(NAMES))
def test_killed_part_comes_back_at_the_same_address(home: Path, victim: str) -> None:
    """TOP-3, F12: each is restarted alone; the others and the addresses stay."""
    with up(home) as stack:
        before, record = stack.children(), stack.record
        os.kill(before[victim], signal.SIGKILL)
        eventually(lambda: gone(before[victim]))
        after = stack.children()
        eventually(lambda: http_status(f"{record.url}/readyz") == 200)
        if victim == "temporal":
            host, _, port = record.temporal_address.partition(":")
            eventually(lambda: connects(host, int(port)))
        assert {name for name in NAMES if after[name] != before[name]} == {victim}
        assert stack.record == record


def connects(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def test_killed_supervisor_leaves_no_orphan_and_the_next_stack_starts(home: Path) -> None:
    """TOP-3: after kill -9 of the supervisor its children end, and a stack can start."""
    with up(home) as stack:
        children = stack.children()
        stack.process.kill()
        eventually(lambda: all(map(gone, children.values())))
        eventually(lambda: app_directory.running_stack(home) is None)
    with up(home) as stack:
        assert stack.ready_line == f"ready url={stack.record.url}\n"


def test_stop_does_not_wait_for_a_part_that_clings(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TOP-3: ten seconds hold although the worker ignores SIGTERM."""
    monkeypatch.setenv("STAND_IN", "worker-clings")
    with up(home) as stack:
        eventually((home / "worker.pid").exists)
        children = stack.children()
        stack.process.terminate()
        stack.process.communicate(timeout=10)
        assert stack.process.returncode == 0
        assert all(map(gone, children.values()))


def test_api_that_refuses_to_start_ends_the_stack(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ADM-11: its line reaches the user, and nothing stays behind."""
    monkeypatch.setenv("STAND_IN", "api-fails")
    with up(home) as stack:
        _, errors = stack.process.communicate(timeout=20)
        assert stack.ready_line == ""
        assert stack.process.returncode == 1
        assert "error[configuration]: this stand-in refuses\n" in errors
        assert "error[configuration]: the API stopped while starting" in errors
        assert "Traceback" not in errors


def test_loose_permissions_are_refused_with_the_remedy(home: Path) -> None:
    """SEC-9."""
    home.mkdir(mode=0o755)
    home.chmod(0o755)
    with up(home) as stack:
        _, errors = stack.process.communicate(timeout=20)
        assert stack.process.returncode == 1
        assert errors == (
            f"error[configuration]: others can enter the app directory: run chmod 700 {home}\n"
        )


def test_supervisor_stays_small(home: Path) -> None:
    """TOP-3: watching costs little memory."""
    with up(home) as stack:
        status = Path(f"/proc/{stack.process.pid}/status").read_text()
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        assert int(resident.split()[1]) < 60_000


def test_clients_share_one_stack_that_outlives_them(home: Path) -> None:
    """TOP-4: three clients at once get one stack, and it stays when they leave."""

    async def three() -> list[str]:
        return await asyncio.gather(*(ensure_stack(load_settings()) for _ in range(3)))

    urls = anyio.run(three)
    record = app_directory.running_stack(home)
    assert record is not None
    try:
        assert set(urls) == {record.url}
        assert http_status(f"{record.url}/readyz") == 200
        assert stat.S_IMODE((home / "logs" / "stack.log").stat().st_mode) == 0o600
        assert os.getsid(record.pid) != os.getsid(0)
    finally:
        os.kill(record.pid, signal.SIGTERM)
        eventually(lambda: gone(record.pid))


@pytest.mark.anyio
async def test_client_learns_that_the_stack_cannot_start(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TOP-4: an answer instead of a long wait."""
    monkeypatch.setenv("STAND_IN", "api-fails")
    with anyio.fail_after(30), pytest.raises(ConfigurationError, match=r"stack\.log"):
        await ensure_stack(load_settings())


def test_given_url_starts_nothing(home: Path) -> None:
    """TOP-4: a client of a remote API needs no stack here."""
    settings = load_settings(url="https://jobs.example/")
    assert anyio.run(ensure_stack, settings) == "https://jobs.example"
    assert not home.exists()


def test_port_that_was_asked_for_must_be_free(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"port {port} is taken"):
            choose_port(Settings(home=tmp_path, port=port))


def test_usual_port_gives_way_when_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobsteward_server.supervisor.port_is_free", lambda port: False)
    settings = Settings(home=tmp_path)
    assert choose_port(settings) not in {0, settings.port}


def test_lock_is_held_once_and_asking_does_not_take_it(tmp_path: Path) -> None:
    """SEC-9: the record counts only while the lock is held."""
    app_directory.prepare(tmp_path / "home")
    home = tmp_path / "home"
    record = StackRecord(1, "http://127.0.0.1:1", 1, "127.0.0.1:2", "n", "now")
    with app_directory.held(home):
        app_directory.write_record(home, record)
        assert app_directory.running_stack(home) == record
        with pytest.raises(ConflictError, match="process 1"), app_directory.held(home):
            pass
    assert json.loads((home / "stack.json").read_text())["pid"] == 1
    assert app_directory.running_stack(home) is None
