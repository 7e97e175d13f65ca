"""Jobs by the words that theirs begin with, from FTS5 or tsvector, whichever there is.

The index only proposes: a condition on the job itself has to hold too. Both databases keep
it by themselves, from columns that hold words in one form with a blank before each.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, text

_LONGEST = 200


def proposed_jobs(
    conn: Connection,
    tenant_id: str,
    *,
    words: Sequence[str],
    places: Sequence[str] = (),
    provider: str | None = None,
    remote: Sequence[str] = (),
    most: int,
) -> list[str]:
    """Ids of at most ``most`` jobs in no order: each word begins one of the job's words, each
    place one of its places' words.

    Words hold letters of any script, digits, ``_``, ``+`` and ``#`` only, the provider's
    name those of ASCII; at least one of the three is given.
    """
    values: dict[str, object] = {"tenant": tenant_id, "most": most}
    if conn.dialect.name == "sqlite":
        values["match"] = _match(words, places, provider, remote)
        return list(conn.scalars(_SQLITE, values))
    values["provider"] = provider
    if words:
        values["words"] = _vector_query(words)
    if places:
        values["places"] = _vector_query(places)
    return list(conn.scalars(_POSTGRESQL[bool(words), bool(places)], values))


def _match(
    words: Sequence[str], places: Sequence[str], provider: str | None, remote: Sequence[str]
) -> str:
    terms = [f'words:"{word}"*' for word in words] + [f'places:"{word}"*' for word in places]
    if provider:
        terms.append(f'marks:"provider_{provider}"')
    if remote:
        either = " OR ".join(f'marks:"remote_{value}"' for value in remote)
        terms.append(f"({either})")
    return " AND ".join(terms)


def _vector_query(words: Sequence[str]) -> str:
    return " & ".join(f"'{word[:_LONGEST]}':*" for word in words)


_SQLITE = text(
    "SELECT job_id FROM job_words WHERE job_words MATCH :match AND tenant_id = :tenant LIMIT :most"
)


def _by_vectors(words: bool, places: bool) -> str:
    conditions = [
        "tenant_id = :tenant",
        "(CAST(:provider AS text) IS NULL OR provider = CAST(:provider AS text))",
    ]
    conditions += ["word_vector(search_text) @@ CAST(:words AS tsquery)"] if words else []
    conditions += ["word_vector(place_text) @@ CAST(:places AS tsquery)"] if places else []
    return f"SELECT job_id FROM jobs WHERE {' AND '.join(conditions)} LIMIT :most"


_POSTGRESQL = {
    (words, places): text(_by_vectors(words, places))
    for words in (True, False)
    for places in (True, False)
}
