"""The server: admission, dispatch, the HTTP API, the MCP endpoints and the command line."""
