"""Clients that use the API in every way that can go wrong, and write down what they are told."""

import random
import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.lowlevel
import httpx

from jobsteward.kernel.canonical import canonical_json
from jobsteward.runs.wire import API
from tests.chaos.history import Accepted, CancelTold, History, Refused, Told

_IDS = re.compile(r"exe_[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ENDINGS: tuple[list[str], ...] = (
    ["ok"],
    [],
    ["ok", "ok"],
    ["fail:configuration"],
    ["value:rejected"],
)
_RETRY_PAUSE = 0.25
_RECENT = 30
HOT = 30


@dataclass(frozen=True, slots=True)
class Request:
    """A keyed request that was acknowledged."""

    key: str
    inputs: dict[str, Any]
    execution_id: str


class Traffic:
    """Concurrent clients of several tenants; all they hear goes into ``history``.

    A keyed request is repeated for ``patience`` seconds while no answer comes.
    """

    def __init__(
        self,
        clients: Mapping[str, httpx.AsyncClient],
        history: History,
        seed: int,
        patience: float = 20.0,
    ) -> None:
        self._clients = clients
        self._patience = patience
        self._history = history
        self._random = random.Random(seed)
        self._made: defaultdict[str, list[Request]] = defaultdict(list)
        self._count = 0
        self._usual = 0.1
        """Seconds from acceptance to end, as last seen."""

    async def client(
        self,
        tenant: str,
        goes_on: Callable[[], bool],
        *,
        pause: float = 0.0,
        crowded: Callable[[], bool] = lambda: False,
    ) -> None:
        """One operation after another, ``pause`` seconds apart, until told to stop.

        While it is crowded, only operations that make no new execution.
        """
        old = {self._repeat: 2, self._changed: 2, self._cancel: 2, self._watch: 3}
        old |= {self._list: 1, self._foreign: 1}
        new = {self._new: 6, self._twins: 2, self._to_the_end: 1, self._raced_cancel: 2}
        while goes_on():
            chosen = old if crowded() else old | new
            [operation] = self._random.choices([*chosen], [*chosen.values()])
            await operation(tenant)
            await anyio.sleep(pause)

    async def hot_key(self, tenant: str) -> None:
        """Many calls of one key at the same moment, a few of them with other arguments."""
        key, inputs = self._fresh_key(), self._inputs()
        other = {**inputs, "name": f"other-{inputs['name']}"}
        ready = anyio.Event()

        async def call(number: int) -> None:
            await ready.wait()
            await self._execute(tenant, other if number % 6 == 5 else inputs, key)

        async with anyio.create_task_group() as group:
            for number in range(HOT):
                group.start_soon(call, number)
            await anyio.lowlevel.checkpoint()
            ready.set()

    async def _new(self, tenant: str) -> Request | None:
        return await self._make(tenant, self._inputs())

    async def _make(self, tenant: str, inputs: dict[str, Any]) -> Request | None:
        key = self._fresh_key()
        execution_id = await self._execute(tenant, inputs, key)
        if execution_id is None:
            return None
        made = Request(key, inputs, execution_id)
        self._made[tenant].append(made)
        return made

    async def _repeat(self, tenant: str) -> None:
        if made := self._any(tenant):
            await self._execute(tenant, made.inputs, made.key)

    async def _changed(self, tenant: str) -> None:
        if made := self._any(tenant):
            await self._execute(tenant, self._inputs(), made.key)

    async def _twins(self, tenant: str) -> None:
        inputs = self._inputs()
        async with anyio.create_task_group() as group:
            group.start_soon(self._execute, tenant, inputs, None)
            await anyio.sleep(self._random.uniform(0, 0.004))
            group.start_soon(self._execute, tenant, inputs, None)

    async def _cancel(self, tenant: str) -> None:
        if made := self._any(tenant):
            await self._cancel_one(tenant, made.execution_id)

    async def _raced_cancel(self, tenant: str) -> None:
        """A cancel about when the run ends, and a look at what came of it."""
        made = await self._make(tenant, {"steps": ["ok"], "name": self._name()})
        if made:
            await anyio.sleep(self._usual * self._random.uniform(0.4, 1.1))
            await self._cancel_one(tenant, made.execution_id)
            await self._view(tenant, made.execution_id, wait=1)

    async def _to_the_end(self, tenant: str) -> None:
        made = await self._make(tenant, {"steps": ["ok"], "name": self._name()})
        began = time.monotonic()
        if made and await self._view(tenant, made.execution_id, wait=3) == "succeeded":
            self._usual = time.monotonic() - began

    async def _watch(self, tenant: str) -> None:
        if made := self._any(tenant):
            await self._view(tenant, made.execution_id, wait=self._random.choice([0, 1]))

    async def _foreign(self, tenant: str) -> None:
        others = [name for name in self._clients if name != tenant and self._made[name]]
        if others:
            made = self._any(self._random.choice(others))
            assert made is not None
            await self._view(tenant, made.execution_id)

    async def _list(self, tenant: str) -> None:
        await self._call(tenant, "GET", f"{API}/workflow-runs", params={"limit": "20"})

    async def _cancel_one(self, tenant: str, execution_id: str) -> None:
        asked = time.monotonic()
        path = f"{API}/workflow-runs/{execution_id}/cancel"
        answer = await self._call(tenant, "POST", path, json={"reason": "storm"})
        if answer is not None and answer.is_success:
            outcome = answer.json()["outcome"]
            told = CancelTold(execution_id, outcome, asked, time.monotonic())
            self._history.cancels.append(told)

    async def _view(self, tenant: str, execution_id: str, wait: float = 0) -> str | None:
        """The status that was told, None where there was no answer or no such run."""
        asked = time.monotonic()
        path = f"{API}/workflow-runs/{execution_id}"
        answer = await self._call(tenant, "GET", path, params={"wait": f"{wait:g}"})
        if answer is None or answer.is_error:
            return None
        status = str(answer.json()["status"])
        self._history.told.append(Told(execution_id, status, asked, time.monotonic()))
        return status

    async def _execute(self, tenant: str, inputs: dict[str, Any], key: str | None) -> str | None:
        """One request, repeated with its key until it is answered; without a key, never."""
        headers = {} if key is None else {"idempotency-key": key}
        priority = self._random.choice([0, 5])
        asked = time.monotonic()
        while True:
            answer = await self._call(
                tenant,
                "POST",
                f"{API}/workflows/probe/execute",
                json={"inputs": inputs, "priority": priority},
                headers=headers,
            )
            if answer is not None and answer.status_code < 500:
                break
            if key is None or time.monotonic() - asked > self._patience:
                return None
            await anyio.sleep(_RETRY_PAUSE)
        arguments = canonical_json(inputs)
        if answer.status_code == 409:
            named = answer.json()["execution_id"]
            self._history.refused.append(Refused(tenant, key or "", arguments, named))
            return None
        assert answer.is_success, answer.text
        made = str(answer.json()["execution_id"])
        self._history.accepted.append(
            Accepted(tenant, key, arguments, made, asked, time.monotonic())
        )
        return made

    async def _call(
        self, tenant: str, method: str, path: str, **options: Any
    ) -> httpx.Response | None:
        """The answer, None where none came."""
        try:
            answer = await self._clients[tenant].request(method, path, **options)
        except httpx.TransportError:
            self._history.unanswered += 1
            await anyio.sleep(_RETRY_PAUSE)
            return None
        ids = set(_IDS.findall(answer.text))
        if answer.is_error:
            ids -= set(_IDS.findall(path))  # an error may repeat what was asked for
        self._history.shown |= {(tenant, any_id) for any_id in ids}
        return answer

    def _any(self, tenant: str) -> Request | None:
        made = self._made[tenant]
        return self._random.choice(made[-_RECENT:]) if made else None

    def _inputs(self) -> dict[str, Any]:
        return {"steps": self._random.choice(_ENDINGS), "name": self._name()}

    def _fresh_key(self) -> str:
        return f"key-{self._name()}"

    def _name(self) -> str:
        self._count += 1
        return f"{self._count:06}"
