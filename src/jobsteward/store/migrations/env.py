"""Alembic's entry: run the asked revisions on the connection that the caller opened."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
