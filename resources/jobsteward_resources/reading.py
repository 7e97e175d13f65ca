"""Reading through the API, with its errors as a resource's reader expects them."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from jobsteward.client import ID_PATTERN, ApiClient, Connect
from jobsteward.kernel.errors import JobstewardError, NotFoundError

JSON = "application/json"
NEWEST = "newest"
"""What stands in place of an id for the latest few."""


@asynccontextmanager
async def reading(connect: Connect) -> AsyncIterator[ApiClient]:
    """A client for one read. Raises ResourceNotFoundError for what is not there or not ours,
    ResourceError for everything else that the API refuses."""
    try:
        async with connect() as client:
            yield client
    except NotFoundError as error:
        raise ResourceNotFoundError(f"[{error.code}] {error.message}") from None
    except JobstewardError as error:
        raise ResourceError(f"[{error.code}] {error.message}") from None


def is_id(text: str) -> bool:
    """Whether the text can be an id, and is safe to be part of a path (SEC-5)."""
    return re.fullmatch(ID_PATTERN, text) is not None and text != NEWEST


def checked(any_id: str) -> str:
    """The id. Raises ResourceNotFoundError for what cannot be one."""
    if not is_id(any_id):
        raise ResourceNotFoundError("[not_found] no id looks like this one; use one of a list")
    return any_id


def document(value: Any) -> str:
    """The value as the text of a JSON resource."""
    return json.dumps(value, ensure_ascii=False)
