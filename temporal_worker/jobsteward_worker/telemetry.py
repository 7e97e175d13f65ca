"""What this process works on right now, exactly counted and safe to show (ACT-5)."""

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from temporalio import activity
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.runs.heartbeats import MAX_DETAILS, ActiveDetail, ActiveWork

SHOWN_KINDS = frozenset(
    {
        "plan_discovery_sources",
        "discovery_source_family",
        "close_failed_source",
    }
)
"""Activity kinds whose details may be shown; others are counted only."""

_SAFE_ID = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}")
_SALT = secrets.token_bytes(16)

T = TypeVar("T")


def shown_id(text: str) -> str:
    """The id where it fits the safe grammar, else a hash that only this process can repeat."""
    if _SAFE_ID.fullmatch(text):
        return text
    return "op_" + hashlib.blake2s(text.encode(), key=_SALT, digest_size=6).hexdigest()


@dataclass(frozen=True, slots=True)
class _Slot:
    queue: str
    kind: str
    workflow_id: str
    since: str


class Telemetry(Interceptor):
    """Counts the activities that hold a slot, by queue. One for all workers of a process."""

    def __init__(self, shown_kinds: frozenset[str] = SHOWN_KINDS) -> None:
        self._shown_kinds = shown_kinds
        self._slots: dict[int, _Slot] = {}
        self._next = 0

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        """The counting of one activity."""
        return _Counting(next, self)

    def enter(self, info: activity.Info) -> int:
        """Take a slot; returns what `leave` takes."""
        self._next += 1
        self._slots[self._next] = _Slot(
            info.task_queue, info.activity_type, info.workflow_id or "", timestamp(utc_now())
        )
        return self._next

    def leave(self, slot: int | None) -> None:
        """Give the slot back."""
        self._slots.pop(slot or 0, None)

    def active(self) -> Counter[str]:
        """How many slots are taken, by queue."""
        return Counter(slot.queue for slot in self._slots.values())

    def work_on(self, queue: str) -> ActiveWork:
        """The queue's exact total, and details of its 20 oldest activities."""
        slots = [slot for slot in self._slots.values() if slot.queue == queue]
        shown = [slot for slot in slots if slot.kind in self._shown_kinds]
        details = tuple(
            ActiveDetail(slot.kind, shown_id(slot.workflow_id), slot.since)
            for slot in shown[:MAX_DETAILS]
        )
        return ActiveWork(len(slots), details, truncated=len(shown) > MAX_DETAILS)


class _Counting(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, telemetry: Telemetry) -> None:
        super().__init__(next)
        self._telemetry = telemetry

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        if activity.info().is_local:
            return await self.next.execute_activity(input)
        slot = _quietly(lambda: self._telemetry.enter(activity.info()))
        try:
            return await self.next.execute_activity(input)
        finally:
            _quietly(lambda: self._telemetry.leave(slot))


def _quietly(count: Callable[[], T]) -> T | None:
    # Whatever goes wrong in the counting must never disturb the activity (ACT-5).
    with suppress(Exception):
        return count()
    return None
