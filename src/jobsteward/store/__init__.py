"""Durable storage: one engine for SQLite and PostgreSQL, the event log and its projections."""
