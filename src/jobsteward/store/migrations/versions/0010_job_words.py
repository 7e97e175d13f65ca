"""An index of the words by which jobs are searched, kept by the database itself."""

from alembic import op

revision = "0010"
down_revision = "0009"

_OF_OLD = """
  WHERE rowid IN (SELECT rowid FROM job_words WHERE job_words MATCH 'marks:' || OLD.job_id)
    AND tenant_id = OLD.tenant_id"""
_SQLITE = (
    # The words come separated by blanks and in one form, so every other character is part of one.
    """
CREATE VIRTUAL TABLE job_words USING fts5(
  words, places, marks, tenant_id UNINDEXED, job_id UNINDEXED,
  tokenize = "ascii tokenchars '+#_'", detail = column)
""",
    """
CREATE TRIGGER job_words_add AFTER INSERT ON jobs BEGIN
  INSERT INTO job_words (words, places, marks, tenant_id, job_id)
  VALUES (NEW.search_text, NEW.place_text,
    NEW.job_id || ' provider_' || NEW.provider || ' remote_' || NEW.remote,
    NEW.tenant_id, NEW.job_id);
END
""",
    f"""
CREATE TRIGGER job_words_change AFTER UPDATE ON jobs
WHEN OLD.search_text <> NEW.search_text OR OLD.place_text <> NEW.place_text
  OR OLD.remote <> NEW.remote
BEGIN
  UPDATE job_words SET words = NEW.search_text, places = NEW.place_text,
    marks = NEW.job_id || ' provider_' || NEW.provider || ' remote_' || NEW.remote
  {_OF_OLD};
END
""",
    f"""
CREATE TRIGGER job_words_remove AFTER DELETE ON jobs BEGIN DELETE FROM job_words {_OF_OLD}; END
""",
    """
INSERT INTO job_words (words, places, marks, tenant_id, job_id)
SELECT search_text, place_text, job_id || ' provider_' || provider || ' remote_' || remote,
  tenant_id, job_id
FROM jobs ORDER BY first_seen_at
""",
)
_POSTGRESQL = (
    # Lexemes as they are: no language may stem or drop a word of a title.
    """
CREATE FUNCTION word_vector(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY(
    SELECT left(word, 200) FROM unnest(string_to_array(words, ' ')) AS word WHERE word <> ''))
$$
""",
    "CREATE INDEX jobs_words ON jobs USING gin (word_vector(search_text))",
    "CREATE INDEX jobs_place_words ON jobs USING gin (word_vector(place_text))",
)


def upgrade() -> None:
    """Create the index and fill it."""
    for statement in _POSTGRESQL if _on_postgresql() else _SQLITE:
        op.execute(statement)


def downgrade() -> None:
    """Drop it; the words themselves stay with the jobs."""
    if _on_postgresql():
        op.execute("DROP INDEX jobs_words, jobs_place_words")
        op.execute("DROP FUNCTION word_vector(text)")
        return
    for trigger in ("job_words_add", "job_words_change", "job_words_remove"):
        op.execute(f"DROP TRIGGER {trigger}")
    op.execute("DROP TABLE job_words")


def _on_postgresql() -> bool:
    return op.get_bind().dialect.name == "postgresql"
