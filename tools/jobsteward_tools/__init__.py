"""The MCP tools: what an agent can do. They speak to the HTTP API and to nothing else (TOP-1).

A family of tools is one file with a ``TOOLS`` tuple; adding one here makes it served.
"""

from mcp.server.mcpserver.tools import Tool

from jobsteward_tools import discover, generic, jobs

TOOLS: tuple[Tool, ...] = (*generic.TOOLS, *discover.TOOLS, *jobs.TOOLS)
"""Every tool, in the order of ``tools/list``; at most 25 (MCP-2)."""
