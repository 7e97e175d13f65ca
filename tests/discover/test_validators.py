"""ETags of stored lists: asked with again only where the answer would say the same (DIS-11)."""

import pytest
from sqlalchemy import Connection, select

from jobsteward.discover.validators import (
    WEB_VALIDATORS,
    Validators,
    forget_validators,
    keep_validators,
    known_validators,
)
from jobsteward.net import Fetched
from jobsteward.store.engine import Database

pytestmark = pytest.mark.anyio
URL = "https://api.acme.example/jobs?app_key=k-12345"
DATE = "Mon, 02 Mar 2026 12:00:00 GMT"


def answer(**headers: str) -> Fetched:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fetched(200, URL, named, b"[]")


async def keep(database: Database, tenant: str, basis: str, fetched: Fetched) -> None:
    await database.write(lambda conn: keep_validators(conn, tenant, URL, basis, fetched))


async def known(database: Database, tenant: str, basis: str, url: str = URL) -> Validators:
    return await database.read(lambda conn: known_validators(conn, tenant, url, basis))


async def test_they_come_back_for_the_same_tenant_url_and_basis_only(database: Database) -> None:
    await keep(database, "local", "reader-1", answer(etag='W/"a"', last_modified=DATE))
    assert await known(database, "local", "reader-1") == Validators('W/"a"', DATE)
    assert await known(database, "local", "reader-2") == Validators()
    assert await known(database, "other", "reader-1") == Validators()
    assert await known(database, "local", "reader-1", URL + "&page=2") == Validators()


async def test_a_later_answer_replaces_them_even_with_none(database: Database) -> None:
    await keep(database, "local", "reader-1", answer(etag='"a"'))
    await keep(database, "local", "reader-1", answer(last_modified=DATE))
    assert await known(database, "local", "reader-1") == Validators(None, DATE)
    await keep(database, "local", "reader-2", answer())
    assert await known(database, "local", "reader-1") == Validators()


async def test_a_tenants_lists_can_all_be_read_anew(database: Database) -> None:
    for tenant in ("local", "other"):
        await keep(database, tenant, "reader-1", answer(etag='"a"'))
    await database.write(lambda conn: forget_validators(conn, "local"))
    assert await known(database, "local", "reader-1") == Validators()
    assert await known(database, "other", "reader-1") == Validators('"a"')


async def test_they_go_with_the_transaction_that_stores_the_list(database: Database) -> None:
    """A crash before the list is stored must not make the next answer a 304."""

    def work(conn: Connection) -> None:
        keep_validators(conn, "local", URL, "reader-1", answer(etag='"a"'))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(work)
    assert await known(database, "local", "reader-1") == Validators()


async def test_neither_a_key_nor_a_hostile_header_is_kept(database: Database) -> None:
    hostile = answer(etag="a\r\nX-Injected: 1", last_modified="x" * 2_000)
    await keep(database, "local", "reader-1", hostile)
    rows = await database.read(lambda conn: conn.execute(select(WEB_VALIDATORS)).all())
    assert "k-12345" not in repr(rows) and "Injected" not in repr(rows)
    assert await known(database, "local", "reader-1") == Validators()
