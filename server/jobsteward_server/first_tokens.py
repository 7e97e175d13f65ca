"""The two tokens that the first start makes: the owner's and the agent's (SEC-1)."""

import os
from pathlib import Path

from sqlalchemy import Connection

from jobsteward.library import Library
from jobsteward.runs.tokens import AGENT_SCOPES, SCOPES, create_token, list_tokens

OWNER_FILE = "owner.token"
AGENT_FILE = "agent.token"
_FIRST = (("owner", OWNER_FILE, SCOPES), ("agent", AGENT_FILE, AGENT_SCOPES))


async def ensure_first_tokens(library: Library) -> None:
    """Write both secrets to files of mode 0600, where the database has no token yet.

    The files come before the commit: a crash in between leaves files that name nothing,
    and the next start writes new ones.
    """

    def work(conn: Connection) -> None:
        if list_tokens(conn):
            return
        for name, file, scopes in (
            ("owner", OWNER_FILE, SCOPES),
            ("agent", AGENT_FILE, AGENT_SCOPES),
        ):
            _, secret = create_token(conn, name=name, scopes=scopes)
            write_secret(library.settings.home / file, secret)

    await library.database.write(work)


def write_secret(path: Path, secret: str) -> None:
    """Replace the file by one that holds the secret, readable by its owner alone."""
    temporary = path.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secret + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
