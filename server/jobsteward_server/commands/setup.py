"""``jobsteward setup``: asks what you look for and keeps the answers (DIS-5)."""

import asyncio
import re
from typing import Any

import click

from jobsteward.kernel.errors import InvalidInputError
from jobsteward_server.commands.connection import connect

_QUESTIONS = (
    ("titles", "Job titles to look for, separated by commas"),
    ("places", "Cities, regions or countries"),
    ("remote", "Kinds of remote work that will do: yes, no, unknown"),
    ("exclusions", "Words that rule a posting out"),
    ("boards", "URLs of job boards or careers pages"),
)
_PAY = re.compile(r"([\d.,]+)\s*([A-Za-z]{3})\s*(?:(?:per|/)\s*(year|month|week|day|hour))?")
_NONE = "-"


@click.command("setup")
@click.pass_obj
def command(overrides: dict[str, Any]) -> None:
    """Ask for titles, places, pay, exclusions and boards. Enter keeps what is in brackets; a
    single - clears it."""
    asyncio.run(_set_up(overrides))


async def _set_up(overrides: dict[str, Any]) -> None:
    async with connect(overrides) as api:
        wanted = await api.preferences()
        wanted = wanted | {name: _ask_list(text, wanted[name]) for name, text in _QUESTIONS}
        wanted["least_pay"] = _ask_pay(wanted["least_pay"])
        await api.save_preferences(wanted)
    click.echo("saved. Next: jobsteward run discover, or jobsteward schedule add --at 07:30")


def _ask_list(text: str, now: list[str]) -> list[str]:
    answer: str = click.prompt(text, default=", ".join(now), show_default=bool(now))
    if answer.strip() == _NONE:
        return []
    return [part for item in answer.split(",") if (part := item.strip())]


def _ask_pay(now: dict[str, Any] | None) -> dict[str, Any] | None:
    shown = f"{now['amount']:g} {now['currency']} per {now['period']}" if now else ""
    question = "Least pay, as 60000 EUR per year"
    answer: str = click.prompt(question, default=shown, show_default=bool(now))
    if answer == shown:
        return now
    return parse_pay(answer)


def parse_pay(text: str) -> dict[str, Any] | None:
    """The pay in a text such as ``60000 EUR per year``; None for ``-`` or nothing.

    Raises InvalidInputError for anything else.
    """
    if text.strip() in {"", _NONE}:
        return None
    found = _PAY.fullmatch(text.strip())
    digits = re.sub(r"[.,](?=\d{3}\b)", "", found[1]) if found else ""
    try:
        amount = float(digits)
    except ValueError:
        raise InvalidInputError("write the pay as an amount and a currency: 60000 EUR") from None
    assert found is not None
    return {"amount": amount, "currency": found[2].upper(), "period": found[3] or "year"}
