"""The documented demo holds, and says where it does not (issue: TOP-4, ADM-3, MCP-1, F10)."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
import pytest

from jobsteward_server.demo import journey
from jobsteward_server.demo.journey import StepFailed, must, step

COMMAND = [sys.executable, "-m", "jobsteward_server.cli", "demo"]


@pytest.mark.slow
def test_the_demo_holds_and_leaves_nothing(tmp_path: Path) -> None:
    """Every step holds, in a readable page, and neither process nor file stays behind."""
    done = subprocess.run(
        COMMAND,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert [line[:2] for line in lines if line[0].isdigit()] == [f"{n}." for n in range(1, 8)]
    assert "Night Dispatcher" in done.stdout
    assert list(tmp_path.iterdir()) == []
    assert processes_of(tmp_path) == []


@pytest.mark.slow
def test_an_interrupted_demo_leaves_nothing(tmp_path: Path) -> None:
    """Ctrl-C in the middle ends the stack and removes the app directory."""
    running = subprocess.Popen(
        COMMAND,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("1. The stack is up")
        running.send_signal(signal.SIGINT)
        assert running.wait(30) != 0
    assert list(tmp_path.iterdir()) == []
    deadline = time.monotonic() + 15
    while processes_of(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of(tmp_path) == []


def processes_of(folder: Path) -> list[str]:
    """Command lines of processes that were started for an app directory below the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                environment = (entry / "environ").read_bytes()
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if f"JOBSTEWARD_HOME={folder}".encode() in environment:
                found.append(words.decode(errors="replace"))
    return found


def test_a_failing_step_is_named() -> None:
    """What a reader of a broken demo sees first is the step, then what was seen."""
    seen = pytest.raises(StepFailed, match=r"3\. discover jobs: 2 postings")
    with seen, step("1. outside"), step("3. discover jobs"):
        must(False, "2 postings")


def test_a_step_behind_a_task_group_keeps_its_name() -> None:
    """Task groups wrap errors; the inner step's name still comes out."""
    with pytest.raises(StepFailed, match=r"6\. kill"), step("1. outside"):
        raise ExceptionGroup("group", [ExceptionGroup("inner", [StepFailed("6. kill")])])


def test_a_stack_that_does_not_start_fails_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused start-up is a named failure, not a hang."""
    monkeypatch.setattr(journey, "_SETTINGS", {"PORT": "70000"})
    home = Path(tempfile.mkdtemp(dir=tmp_path))
    with pytest.raises(StepFailed, match=r"1\. .*did not come up"):
        anyio.run(journey.run_demo, home, lambda line: None)
