"""The API without a Temporal: it admits, and keeps what it admitted (ADM-11)."""

from collections.abc import AsyncIterator

import pytest
from pydantic import BaseModel, ConfigDict, Field
from temporalio import workflow

from jobsteward.settings import Settings
from jobsteward_worker.spec import Catalogue, WorkflowSpec, WorkflowStart
from tests.support.api import Api, open_api


class EchoInputs(BaseModel):
    """Inputs of a workflow that exists to be admitted."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1)
    count: float = 1


@workflow.defn
class EchoWorkflow:
    """Does nothing."""

    @workflow.run
    async def run(self, start: WorkflowStart) -> None:
        """End at once."""


def echo_id(tenant_id: str, inputs: BaseModel) -> str:
    """One live run a tenant, whatever the inputs."""
    return f"solo-{tenant_id}"


CATALOGUE = Catalogue(
    [
        WorkflowSpec("echo", "Says nothing.", EchoWorkflow, EchoInputs),
        WorkflowSpec("later", "Can wait.", EchoWorkflow, EchoInputs, priority=1),
        WorkflowSpec("solo", "One at a time.", EchoWorkflow, EchoInputs, workflow_id=echo_id),
    ]
)


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[Api]:
    """The application, with no Temporal behind it."""
    async with open_api(settings, CATALOGUE) as opened:
        yield opened
