"""Which run an activity works for, and on which database: the first argument of each one."""

from dataclasses import dataclass

from temporalio import workflow

from jobsteward.runs.model import RunRef
from jobsteward_worker.spec import WorkflowStart


@dataclass(frozen=True, slots=True)
class RunKey:
    """One run, by ids only. ``execution_id`` is empty for a child's run.

    ``run_id`` is that of the chain's first run, so that a run which continues as new stays
    one run to everybody outside Temporal.
    """

    tenant_id: str
    runtime: str
    workflow_id: str
    run_id: str
    execution_id: str = ""

    @property
    def ref(self) -> RunRef:
        """The run as the library names it."""
        return RunRef(self.tenant_id, self.workflow_id, self.run_id)


def this_run(start: WorkflowStart) -> RunKey:
    """The run that the calling workflow is (DIS-1)."""
    info = workflow.info()
    return RunKey(
        start.tenant_id,
        start.runtime,
        info.workflow_id,
        info.first_execution_run_id,
        start.execution_id,
    )
