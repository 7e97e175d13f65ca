"""The chain of revisions; a file's name starts with its revision."""
