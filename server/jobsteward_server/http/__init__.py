"""The HTTP API: one file for each family of routes."""
