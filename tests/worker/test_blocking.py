"""Blocking work in threads: cancelled within a bound, never able to write afterwards (ACT-2)."""

import asyncio
import threading

import anyio
import pytest
from temporalio.testing import ActivityEnvironment

from jobsteward.kernel.errors import ConflictError
from jobsteward_worker.blocking import BlockingPool, CancelToken
from tests.worker.facts import eventually

pytestmark = pytest.mark.anyio


def pool(grace: float = 5.0) -> BlockingPool:
    return BlockingPool(1, heartbeat_seconds=0.02, grace_seconds=grace)


async def cancelled_run(
    threads: BlockingPool, work: "threading.Event", token: CancelToken, release: threading.Event
) -> None:
    """Start work that waits for ``release``, and cancel its activity once it runs."""

    def block(_token: CancelToken) -> None:
        work.set()
        release.wait(20)

    environment = ActivityEnvironment()
    running = asyncio.ensure_future(
        environment.run(threads.run_blocking_with_heartbeat, block, token)
    )
    await eventually(work.is_set)
    running.cancel()
    with anyio.fail_after(10), pytest.raises(asyncio.CancelledError):
        await running


async def test_it_beats_while_the_work_runs_and_gives_its_result() -> None:
    environment = ActivityEnvironment()
    beats: list[object] = []
    environment.on_heartbeat = lambda *details: beats.append(details)
    seen = threading.Event()

    def work(_token: CancelToken) -> str:
        seen.wait(10)
        return "done"

    def release(*_: object) -> None:
        beats.append(_)
        if len(beats) > 3:
            seen.set()

    environment.on_heartbeat = release
    with anyio.fail_after(10):
        found = await environment.run(pool().run_blocking_with_heartbeat, work)
    assert found == "done"
    assert len(beats) > 3


async def test_an_error_of_the_work_comes_out() -> None:
    def work(_token: CancelToken) -> None:
        raise ConflictError("decide first")

    with pytest.raises(ConflictError):
        await ActivityEnvironment().run(pool().run_blocking_with_heartbeat, work)


async def test_a_cancel_calls_the_hook_and_waits_for_the_thread() -> None:
    """ACT-2: cooperative work ends, and nothing counts as abandoned."""
    threads, release, hooked = pool(), threading.Event(), threading.Event()

    def hook() -> None:
        hooked.set()
        release.set()

    token = CancelToken(hook)
    await cancelled_run(threads, threading.Event(), token, release)
    assert hooked.is_set()
    assert token.is_cancelled
    assert threads.abandoned == 0


async def test_a_thread_that_ignores_its_cancel_is_counted_and_fenced() -> None:
    """ACT-2: its writes are refused, and new work does not wait for it."""
    threads, release = pool(grace=0.05), threading.Event()
    token = CancelToken()
    await cancelled_run(threads, threading.Event(), token, release)
    assert threads.abandoned == 1
    with pytest.raises(ConflictError):
        token.check()
    with anyio.fail_after(10):
        found = await ActivityEnvironment().run(
            threads.run_blocking_with_heartbeat, lambda _token: "fresh"
        )
    assert found == "fresh"
    release.set()


async def test_a_fresh_generation_takes_over_before_the_grace_wait() -> None:
    """ACT-2: the pool of one thread serves new work while the old thread still has its grace."""
    threads, release, started = pool(grace=20), threading.Event(), threading.Event()
    token = CancelToken()
    async with anyio.create_task_group() as group:
        group.start_soon(cancelled_run, threads, started, token, release)
        await eventually(lambda: token.is_cancelled)
        with anyio.fail_after(10):
            found = await ActivityEnvironment().run(
                threads.run_blocking_with_heartbeat, lambda _token: "fresh"
            )
        assert found == "fresh"
        release.set()
