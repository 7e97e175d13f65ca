"""What happened: events as they are proposed and as the log keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

EntityKind = Literal["execution", "run", "job", "source", "schedule"]


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A fact to append.

    ``idempotency_key`` makes a retried append a no-op within its tenant (ENV-4).
    ``payload`` holds JSON with ids, kinds, codes, counts and times, never free text
    of a person or posting (OUT-7, SEC-6).
    """

    tenant_id: str
    entity_kind: EntityKind
    entity_ref: str
    event_type: str
    idempotency_key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    job_id: str | None = None
    workflow_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An appended fact. ``event_id`` orders the whole log; ``seq`` is gapless from 1
    within its entity; ``occurred_at`` is for people, never for ordering (I13)."""

    event_id: int
    seq: int
    tenant_id: str
    entity_kind: str
    entity_ref: str
    event_type: str
    payload: Mapping[str, Any]
    occurred_at: str
    job_id: str | None
    workflow_id: str | None
    run_id: str | None
