"""Telling subscribers that a run has changed; nothing is polled while nobody subscribes (MCP-9)."""

from collections.abc import Awaitable, Callable, Iterable

import anyio

from jobsteward.client import Connect
from jobsteward.kernel.errors import JobstewardError
from jobsteward.runs import wire
from jobsteward_resources.reading import is_id

SCHEME = "runs://"
_EVERY = 2.0


def run_uris(uris: Iterable[str]) -> list[str]:
    """Those of the URIs that name one run, which can change."""
    return [uri for uri in uris if uri.startswith(SCHEME) and is_id(_id_of(uri))]


async def watch_run(uri: str, connect: Connect, changed: Callable[[str], Awaitable[None]]) -> None:
    """Call ``changed`` with the URI at each change of the run until it has ended; returns then.

    What cannot be read now is read again later; an unknown run never publishes.
    """
    seen: tuple[object, ...] | None = None
    while True:
        view = await _read(uri, connect)
        if view is not None:
            state = (view.status, view.stuck, view.metadata.gate_id)
            # One that has ended already may have done so before anybody listened.
            if view.terminal or (seen is not None and state != seen):
                await changed(uri)
            seen = state
            if view.terminal:
                return
        await anyio.sleep(_EVERY)


async def _read(uri: str, connect: Connect) -> wire.RunView | None:
    try:
        async with connect() as client:
            return await client.get_run(_id_of(uri))
    except JobstewardError:
        return None


def _id_of(uri: str) -> str:
    return uri.removeprefix(SCHEME)
