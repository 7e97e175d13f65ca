"""Types of arguments that several tools take, with the words a model reads about them."""

from typing import Annotated, TypeAlias

from pydantic import Field

from jobsteward.client import ID_PATTERN

ExecutionId: TypeAlias = Annotated[
    str, Field(pattern=ID_PATTERN, description="The execution_id that the start gave you.")
]
AnyRunId: TypeAlias = Annotated[
    str, Field(pattern=ID_PATTERN, description="An execution_id (exe_…) or a run id.")
]
JobId: TypeAlias = Annotated[
    str, Field(pattern=ID_PATTERN, description="The job_id that search_jobs gave you.")
]
IdempotencyKey: TypeAlias = Annotated[
    str,
    Field(
        max_length=255,
        pattern=r"^[!-~]*$",
        description=(
            "A key of your own for this piece of work. Repeating a call with its key joins the"
            " first one and never starts a second."
        ),
    ),
]
Cursor: TypeAlias = Annotated[
    str, Field(max_length=1000, description="next_cursor of the page before; empty for the first.")
]
