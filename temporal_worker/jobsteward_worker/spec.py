"""What a workflow declares about itself, and the one argument every workflow takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from jobsteward.runs.model import INTERACTIVE_PRIORITY, Lane
from jobsteward.settings import Settings


@dataclass(frozen=True, slots=True)
class WorkflowStart:
    """The argument of every workflow: ids and digests only (TOP-2a).

    ``execution_id`` names the accepted request whose inputs the activities load; it is empty
    for a child, which then carries what it works on in ``subject`` (ids only). ``runtime``
    names the database and app directory that activities must run against (ACT-4).
    ``heartbeat_seconds`` is the silence after which a long step counts as lost (ACT-1).
    """

    tenant_id: str
    runtime: str
    execution_id: str = ""
    inputs_sha256: str = ""
    lane: Lane = Lane.INTERACTIVE
    subject: Mapping[str, str] = field(default_factory=dict)
    heartbeat_seconds: float = 120.0


def _no_config(_settings: Settings) -> dict[str, Any]:
    return {}


def _no_summary(_inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class WorkflowSpec:
    """One entry of the catalogue: all that admission, the worker and the docs need to know.

    ``name`` is what callers say, ``workflow`` the Temporal workflow class. ``workflow_id``
    maps (tenant id, validated inputs) to the deterministic id, or is None where the id
    derives from the execution (WID). ``config`` gives what is frozen at admission (ADM-4),
    ``summary`` the compact camelCase summary of the inputs (ENV-2), of ids, kinds and counts.
    ``version`` rises with every change of its contract.
    """

    name: str
    description: str
    workflow: type
    inputs: type[BaseModel]
    version: int = 1
    priority: int = INTERACTIVE_PRIORITY
    spendful: bool = False
    workflow_id: Callable[[str, BaseModel], str] | None = None
    config: Callable[[Settings], dict[str, Any]] = _no_config
    summary: Callable[[Mapping[str, Any]], dict[str, Any]] = _no_summary
    activities: Sequence[type] = ()
    """Classes whose activity methods this workflow calls."""


class Catalogue:
    """The workflows that a process knows, by name."""

    def __init__(self, specs: Sequence[WorkflowSpec]) -> None:
        self.specs = {spec.name: spec for spec in specs}

    def __iter__(self) -> Iterator[WorkflowSpec]:
        return iter(self.specs.values())

    def find(self, name: str) -> WorkflowSpec | None:
        """The workflow of that name."""
        return self.specs.get(name)

    def by_type(self, workflow_type: str) -> WorkflowSpec | None:
        """The workflow with that Temporal type name."""
        return next((s for s in self if s.workflow.__name__ == workflow_type), None)


QUEUE_PREFIX = "jobsteward"
CONTROL_QUEUE = f"{QUEUE_PREFIX}-control"
"""Tiny steps that never wait for a business slot: outcomes, gates (LANE-2)."""


def workflow_queue(lane: Lane) -> str:
    """Where the lane's workflow tasks and quick activities run."""
    return f"{QUEUE_PREFIX}-{lane}"


def work_queue(lane: Lane) -> str:
    """Where the lane's long activities run, in a worker process."""
    return f"{QUEUE_PREFIX}-{lane}-work"
