"""The desktop hears that something waits, and nothing about what it is."""

from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from jobsteward.library import Library
from jobsteward.runs.gates import open_gate
from jobsteward.runs.model import RunRef, RunStatus
from jobsteward_server import notices
from tests.worker.facts import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a made-up notify-send writes its arguments."""
    path = tmp_path / "shown"
    program = tmp_path / "notify-send"
    program.write_text(f'#!/bin/sh\necho "$@" >> {path}\n')
    program.chmod(0o700)
    monkeypatch.setattr(notices, "command", lambda: [str(program), notices.TITLE, notices.TEXT])
    return path


async def test_a_gate_is_announced_once(library: Library, shown: Path) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(notices.notice_forever, library.database, 0.02)
        await anyio.lowlevel.checkpoint()
        for number in (1, 2):
            ref = RunRef("local", f"apply-{number}", f"run-{number}")
            await library.database.write(
                lambda conn, ref=ref: open_gate(  # type: ignore[misc]
                    conn, library.log, ref, f"gate_{ref.run_id}", RunStatus.NEEDS_INPUT
                )
            )
            lines = number
            await eventually(lambda lines=lines: shown.exists() and len(_lines(shown)) == lines)  # type: ignore[misc]
        tasks.cancel_scope.cancel()
    assert set(_lines(shown)) == {f"{notices.TITLE} {notices.TEXT}"}


async def test_without_a_program_it_gives_up(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "command", lambda: None)
    with anyio.fail_after(5):
        await notices.notice_forever(library.database, 0.01)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines()
