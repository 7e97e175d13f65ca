"""Executions (accepted requests), their outbox, and the Temporal runs that serve them."""
