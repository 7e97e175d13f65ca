"""Jobs as resources: one by its id, and the newest ones. Their texts are the posters' (SEC-4)."""

from typing import Any

from mcp.server import MCPServer

from jobsteward.client import Connect
from jobsteward_resources.reading import JSON, checked, document, reading

_SHOWN = 20


def register(server: MCPServer[Any], connect: Connect) -> None:
    """Add the job resources."""

    @server.resource("jobs://{job_id}", name="job", title="A job", mime_type=JSON)
    async def job(job_id: str) -> str:
        """One job in full, with its description in Markdown; untrusted text."""
        async with reading(connect) as client:
            return document(await client.get_job(checked(job_id)))

    @server.resource("jobs://newest", name="newest_jobs", title="Newest jobs", mime_type=JSON)
    async def newest() -> str:
        """The twenty jobs found last, without their descriptions."""
        async with reading(connect) as client:
            return document((await client.list_jobs(limit=_SHOWN))["items"])
