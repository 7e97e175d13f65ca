"""Searching and reading jobs: short rows, bounded bytes, whole texts in parts (P116, SEC-4)."""

import json
from typing import Any

import pytest

from jobsteward_tools.results import MAX_BYTES
from tests.tools.fake_api import FakeApi
from tests.tools.sessions import connected, facts, text

pytestmark = pytest.mark.anyio


async def call(api: FakeApi, tool: str, arguments: dict[str, Any]) -> Any:
    async with connected(api) as client:
        return await client.call_tool(tool, arguments)


async def test_p116_a_list_holds_short_rows_without_texts(api: FakeApi) -> None:
    api.add_job(1, description="long " * 5000)
    result = await call(api, "search_jobs", {})
    [row] = facts(result)["jobs"]
    assert row["title"] == "Engineer 1"
    assert "description" not in row
    assert row["job_id"] in text(result)


async def test_p116_whatever_a_board_sends_a_page_stays_below_20_kb_and_loses_nothing(
    api: FakeApi,
) -> None:
    for number in range(60):
        api.add_job(number, title="職" * 500, company="é" * 900, locations=["Ü" * 400] * 30)
    found: list[str] = []
    cursor = ""
    for _ in range(60):
        result = await call(api, "search_jobs", {"limit": 50, "cursor": cursor})
        assert len(text(result).encode()) <= MAX_BYTES
        assert len(json.dumps(facts(result), ensure_ascii=False).encode()) <= MAX_BYTES * 1.1
        found += [row["job_id"] for row in facts(result)["jobs"]]
        cursor = facts(result).get("next_cursor", "")
        if not cursor:
            break
    assert found == [job["job_id"] for job in api.jobs]


async def test_a_search_without_matches_says_what_to_do(api: FakeApi) -> None:
    assert "discover_jobs" in text(await call(api, "search_jobs", {"query": "nothing"}))


async def test_pay_is_shown_as_the_posting_states_it(api: FakeApi) -> None:
    pay = [
        {
            "minimum": 60000.0,
            "maximum": None,
            "currency": "EUR",
            "period": "year",
            "swapped": False,
        }
    ]
    api.add_job(1, pay=pay, remote="yes")
    result = await call(api, "search_jobs", {})
    assert facts(result)["jobs"][0]["pay"] == [
        {"minimum": 60000.0, "currency": "EUR", "period": "year"}
    ]
    assert "60,000 EUR a year" in text(result)
    assert "remote: yes" in text(result)


async def test_a_long_description_is_read_whole_in_parts(api: FakeApi) -> None:
    whole = "".join(f"{number}: naïve Straße 職務 🙂\n" for number in range(2500))
    job = api.add_job(1, description=whole)
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        result = await call(api, "get_job", {"job_id": job["job_id"], "description_offset": offset})
        assert len(text(result).encode()) <= MAX_BYTES
        parts.append(facts(result)["description"])
        offset = facts(result).get("next_offset")
    assert "".join(parts) == whole
    assert len(parts) > 2


async def test_an_unknown_job_is_told_with_where_to_look(api: FakeApi) -> None:
    result = await call(api, "get_job", {"job_id": "job_0"})
    assert result.is_error
    assert "[not_found]" in text(result)
    assert "search_jobs" in text(result)
