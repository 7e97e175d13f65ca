"""``setup``, ``schedule`` and ``digest`` from the command line, against a prepared API."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jobsteward.client import ApiClient
from jobsteward.kernel.errors import InvalidInputError
from jobsteward.runs.wire import SchedulePage, ScheduleRequest, ScheduleView
from jobsteward_server.cli import cli
from jobsteward_server.commands.setup import parse_pay

EMPTY: dict[str, Any] = {
    "titles": [],
    "places": [],
    "remote": [],
    "least_pay": None,
    "exclusions": [],
    "boards": [],
}
JOB = {
    "job_id": "job_1",
    "title": "Weaver \x1b[31m",
    "company": "Acme",
    "locations": ["Łódź"],
    "remote": "no",
    "url": "https://jobs.lever.co/acme/1",
    "first_seen_at": "2026-01-31T09:30:00.000000Z",
}


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """What the API has; calls of the client read and change it."""
    state: dict[str, Any] = {"preferences": dict(EMPTY), "schedules": [], "asked": []}

    async def preferences(_api: ApiClient) -> dict[str, Any]:
        return dict(state["preferences"])

    async def save_preferences(_api: ApiClient, wanted: dict[str, Any]) -> dict[str, Any]:
        state["preferences"] = wanted
        return wanted

    async def add_schedule(_api: ApiClient, request: ScheduleRequest) -> ScheduleView:
        view = ScheduleView(
            **request.model_dump(),
            schedule_id="sch_1",
            created_at="2026-01-31T09:30:00.000000Z",
            next_at="2026-02-02T06:30:00.000000Z",
            last_at=None,
            last_execution_id=None,
            skipped=0,
        )
        state["schedules"].append(view)
        return view

    async def schedules(_api: ApiClient) -> SchedulePage:
        return SchedulePage(items=state["schedules"])

    async def digest(_api: ApiClient, method: str) -> dict[str, Any]:
        state["asked"].append(method)
        return {"since": "2026-01-30T09:30:00.000000Z", "made_at": None, "count": 2, "jobs": [JOB]}

    for call in (preferences, save_preferences, add_schedule, schedules, digest):
        monkeypatch.setattr(ApiClient, call.__name__, call)
    monkeypatch.setenv("JOBSTEWARD_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("JOBSTEWARD_HOME", str(tmp_path / "home"))
    yield state


def call(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=stdin, catch_exceptions=False)


def test_setup_keeps_the_answers(kept: dict[str, Any]) -> None:
    """DIS-5."""
    answers = "Weaver, Potter\nŁódź\nyes,unknown\nunpaid\nhttps://jobs.lever.co/acme\n60,000 eur\n"
    assert call("setup", stdin=answers).exit_code == 0
    assert kept["preferences"] == {
        "titles": ["Weaver", "Potter"],
        "places": ["Łódź"],
        "remote": ["yes", "unknown"],
        "least_pay": {"amount": 60000.0, "currency": "EUR", "period": "year"},
        "exclusions": ["unpaid"],
        "boards": ["https://jobs.lever.co/acme"],
    }


def test_setup_keeps_what_is_not_answered_and_clears_on_a_dash(kept: dict[str, Any]) -> None:
    pay = {"amount": 25.5, "currency": "USD", "period": "hour"}
    kept["preferences"] |= {"titles": ["Weaver"], "places": ["Łódź"], "least_pay": pay}
    assert call("setup", stdin="\n-\n\n\n\n\n").exit_code == 0
    assert kept["preferences"] == EMPTY | {"titles": ["Weaver"], "least_pay": pay}


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("", None),
        ("-", None),
        ("60000 EUR", (60000.0, "EUR", "year")),
        ("60.000 EUR per year", (60000.0, "EUR", "year")),
        ("25.50 usd / hour", (25.5, "USD", "hour")),
    ],
)
def test_pay_is_an_amount_and_a_currency(text: str, pay: tuple[float, str, str] | None) -> None:
    found = parse_pay(text)
    assert (tuple(found.values()) if found else None) == pay


@pytest.mark.parametrize("text", ["lots", "EUR", "60000", ". EUR"])
def test_other_pay_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError):
        parse_pay(text)


def test_a_schedule_is_added_and_listed(kept: dict[str, Any]) -> None:
    added = call("schedule", "add", "--at", "07:30", "--day", "mon", "--zone", "Europe/Berlin")
    assert added.exit_code == 0 and "mon 07:30 Europe/Berlin" in added.output
    [made] = kept["schedules"]
    assert (made.workflow, made.name, made.inputs) == ("discover", "discover", {})
    assert call("schedule", "list").output == added.output


def test_a_digest_shows_titles_and_steers_no_terminal(kept: dict[str, Any]) -> None:
    shown = call("digest")
    assert "2 new jobs since 2026-01-30 09:30 UTC" in shown.output
    assert "Weaver" in shown.output and "\x1b" not in shown.output
    assert "… and 1 more" in shown.output
    assert json.loads(call("digest", "--peek", "--json").output)["count"] == 2
    assert kept["asked"] == ["POST", "GET"]
