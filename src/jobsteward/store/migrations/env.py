"""Alembic's entry: run the asked revisions on the connection that the caller opened."""

from alembic import context

from jobsteward.kernel import failpoints

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transactional_ddl=True,
    render_as_batch=True,
    on_version_apply=lambda **_: failpoints.reach("migration.step"),
)
context.run_migrations()
