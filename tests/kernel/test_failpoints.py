"""Failpoints bite in test mode only, at the asked time, and leave a trace (FAULTS)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

_CODE = "from jobsteward.kernel.failpoints import reach\nfor n in range(3): reach('here'); print(n)"


def _run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _CODE],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_inert_outside_test_mode() -> None:
    """The setting alone does nothing."""
    result = _run(JOBSTEWARD_TEST_MODE="", JOBSTEWARD_FAILPOINTS="here=kill")
    assert (result.returncode, result.stdout) == (0, "0\n1\n2\n")


def test_kills_at_the_asked_time(tmp_path: Path) -> None:
    """The second pass dies, and the file says which place was reached."""
    trace = tmp_path / "trace"
    result = _run(
        JOBSTEWARD_TEST_MODE="1",
        JOBSTEWARD_FAILPOINTS="other=error,here=kill@2",
        JOBSTEWARD_FAILPOINT_LOG=str(trace),
    )
    assert result.returncode == -signal.SIGKILL
    assert trace.read_text() == "here\n"


def test_raises_where_asked() -> None:
    """``error`` is an ordinary exception."""
    result = _run(JOBSTEWARD_TEST_MODE="1", JOBSTEWARD_FAILPOINTS="here=error")
    assert result.returncode == 1
    assert "failpoint here" in result.stderr
