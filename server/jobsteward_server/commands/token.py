"""``jobsteward token``: access tokens, on the database itself (TOP-1, SEC-1)."""

import asyncio
from datetime import timedelta
from typing import Any, TypeVar

import click

from jobsteward.kernel.clock import utc_now
from jobsteward.runs.tokens import AGENT_SCOPES, SCOPES, Token
from jobsteward.runs.tokens import create_token as create
from jobsteward.runs.tokens import list_tokens as list_all
from jobsteward.runs.tokens import revoke_token as revoke
from jobsteward.settings import load_settings
from jobsteward.store.engine import Work
from jobsteward.store.schema import prepare_database
from jobsteward_server import app_directory

T = TypeVar("T")


@click.group("token")
def command() -> None:
    """Create, list and revoke access tokens."""


@command.command("create")
@click.option("--name", default="cli", show_default=True, help="What the token is for.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(SCOPES),
    default=AGENT_SCOPES,
    show_default=True,
    help="May be given several times.",
)
@click.option("--days", type=click.IntRange(1, 3650), help="Days until it expires.")
@click.pass_obj
def create_command(
    overrides: dict[str, Any], name: str, scopes: tuple[str, ...], days: int | None
) -> None:
    """Print a new token, alone on standard output; it is never shown again."""
    expires_at = utc_now() + timedelta(days=days) if days else None
    token, secret = _on_database(
        overrides,
        lambda conn: create(conn, name=name, scopes=scopes, expires_at=expires_at),
    )
    click.echo(f"token {token.token_id} may: {', '.join(token.scopes)}", err=True)
    click.echo(secret)


@command.command("list")
@click.pass_obj
def list_command(overrides: dict[str, Any]) -> None:
    """List tokens, oldest first, without their secrets."""
    for token in _on_database(overrides, list_all):
        click.echo(_line(token))


@command.command("revoke")
@click.argument("token_id")
@click.pass_obj
def revoke_command(overrides: dict[str, Any], token_id: str) -> None:
    """Refuse TOKEN_ID from now on."""
    token = _on_database(overrides, lambda conn: revoke(conn, token_id))
    click.echo(_line(token))


def _line(token: Token) -> str:
    state = "revoked" if token.revoked_at else f"expires {token.expires_at or 'never'}"
    used = token.last_used_at or "never"
    scopes = ",".join(token.scopes)
    return f"{token.token_id}  {token.prefix}…  {scopes}  {token.name}  {state}  used {used}"


def _on_database(overrides: dict[str, Any], work: Work[T]) -> T:
    return asyncio.run(_write(overrides, work))


async def _write(overrides: dict[str, Any], work: Work[T]) -> T:
    settings = load_settings(**overrides)
    app_directory.prepare(settings.home)
    database = await prepare_database(settings.store_url, settings.home)
    try:
        return await database.write(work)
    finally:
        await database.close()
