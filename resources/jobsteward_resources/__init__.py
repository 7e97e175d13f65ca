"""What an agent can read and be told of: runs and jobs as resources, prompts, completions (MCP-9).

They read through the HTTP API with the caller's credential, and change nothing (TOP-1).
"""

from typing import Any

from mcp.server import MCPServer

from jobsteward.client import Connect
from jobsteward_resources import completions, jobs, prompts, runs


def register(server: MCPServer[Any], connect: Connect) -> None:
    """Add every resource, prompt and completion to the server."""
    for family in (runs, jobs, completions):
        family.register(server, connect)
    prompts.register(server)
