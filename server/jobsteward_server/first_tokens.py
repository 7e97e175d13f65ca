"""The two tokens that the first start makes: the owner's and the agent's (SEC-1)."""

from sqlalchemy import Connection

from jobsteward.library import Library
from jobsteward.runs.tokens import AGENT_SCOPES, SCOPES, create_token, list_tokens
from jobsteward_server.app_directory import AGENT_FILE, OWNER_FILE, write_private

_FIRST = (("owner", OWNER_FILE, SCOPES), ("agent", AGENT_FILE, AGENT_SCOPES))


async def ensure_first_tokens(library: Library) -> None:
    """Write both secrets to files of mode 0600, where the database has no token yet.

    The files come before the commit: a crash in between leaves files that name nothing,
    and the next start writes new ones.
    """

    def work(conn: Connection) -> None:
        if list_tokens(conn):
            return
        for name, file, scopes in _FIRST:
            _, secret = create_token(conn, name=name, scopes=scopes)
            write_private(library.settings.home / file, secret + "\n")

    await library.database.write(work)
