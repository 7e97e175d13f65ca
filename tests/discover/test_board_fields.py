"""Field by field, what the sources of career sites read (DIS-4, P021, P041, P112)."""

import json
from typing import Any

import pytest

from jobsteward.discover.model import Board, ParsedBoard, Pay, Posting
from jobsteward.discover.source import Detailed
from jobsteward.discover.sources import SOURCES
from tests.discover.boards import BOARDS, SHAPES


def parse(provider: str, *rows: Any) -> ParsedBoard:
    return SOURCES[provider].parse(BOARDS[provider], SHAPES[provider].payload(list(rows)))


def only(provider: str, **changes: Any) -> Posting:
    return parse(provider, SHAPES[provider].item(**changes)).postings[0]


def whole(provider: str, **changes: Any) -> Posting:
    """The posting after its detail was read; ``changes`` are to the list's row."""
    source = SOURCES[provider]
    assert isinstance(source, Detailed)
    payload = json.dumps(SHAPES[provider].detail).encode()
    return source.parse_detail(BOARDS[provider], only(provider, **changes), payload)


def test_workday_lists_have_no_date_and_that_is_unknown_not_old() -> None:
    found = only("workday")
    assert (
        found.url == "https://acme.wd3.myworkdayjobs.com/Careers/job/Oslo/Bridge-Inspector_R-1042-1"
    )
    assert found.apply_url == found.url + "/apply"
    assert (found.key.board, found.key.posting_id) == ("acme/careers", "R-1042-1")
    assert (found.locations, found.employment_type) == (("Oslo",), "Full time")
    assert found.posted_at is None


@pytest.mark.parametrize("text", ["2 Locations", "3 Standorte", "12 emplacements", "", None])
def test_workday_a_count_of_places_is_no_place(text: str | None) -> None:
    assert only("workday", locationsText=text).locations == ()


def test_workday_details() -> None:
    found = whole("workday", locationsText="2 Locations")
    assert (found.company, found.locations) == ("Acme Bridges AS", ("Oslo", "Bergen"))
    assert (found.remote, found.workplace) == ("no", "Hybrid")
    assert found.description == "Walk every **bridge**." and found.posted_at == "2026-07-07"


def test_workday_remote_type_is_the_workplace() -> None:
    assert only("workday", remoteType="Fully Remote").remote == "yes"
    assert only("workday", remoteType="Flexible").remote == "unknown"


def test_p041_the_locale_stays_in_the_url_and_out_of_the_identity() -> None:
    source = SOURCES["workday"]
    payload = SHAPES["workday"].payload([SHAPES["workday"].item()])
    german = Board("workday", "acme/Careers@wd3/de-DE")
    plain = Board("workday", "acme/Careers@wd3")
    in_german, in_any = (source.parse(board, payload).postings[0] for board in (german, plain))
    assert in_german.url.startswith("https://acme.wd3.myworkdayjobs.com/de-DE/Careers/job/")
    assert in_german.key == in_any.key and german.key == plain.key
    assert source.list_requests(german)[0].headers == (("Accept-Language", "de-DE"),)
    assert isinstance(source, Detailed)
    detail = source.detail_request(german, in_german)
    assert detail.url == (
        "https://acme.wd3.myworkdayjobs.com/wday/cxs/acme/Careers"
        "/job/Oslo/Bridge-Inspector_R-1042-1"
    )


def test_workday_lists_are_asked_for_by_post() -> None:
    request = SOURCES["workday"].list_requests(BOARDS["workday"])[0]
    assert request.url == "https://acme.wd3.myworkdayjobs.com/wday/cxs/acme/Careers/jobs"
    assert json.loads(request.body or b"") == {
        "appliedFacets": {},
        "limit": 20,
        "offset": 0,
        "searchText": "",
    }


def test_workday_sites_on_the_shared_host() -> None:
    board = Board("workday", "acme/Careers@wd5-site")
    source = SOURCES["workday"]
    assert source.list_requests(board)[0].url == (
        "https://wd5.myworkdaysite.com/wday/cxs/acme/Careers/jobs"
    )
    found = source.parse(board, SHAPES["workday"].payload([SHAPES["workday"].item()])).postings[0]
    assert found.url.startswith("https://wd5.myworkdaysite.com/recruiting/acme/Careers/job/")
    assert found.key == only("workday").key


def test_smartrecruiters_fields() -> None:
    found = only("smartrecruiters")
    assert found.url == "https://jobs.smartrecruiters.com/acme/744000100000001"
    assert (found.company, found.locations) == ("Acme Looms", ("Łódź, Poland",))
    assert (found.remote, found.workplace, found.department) == ("no", "Hybrid", "Production")
    assert found.posted_at == "2026-06-30T17:49:03.000000Z"


def test_smartrecruiters_details() -> None:
    found = whole("smartrecruiters")
    assert found.description == (
        "### Company Description\n\nWe weave.\n\n### Job Description\n\nYou weave."
    )
    assert found.pay == (Pay(34, 47, "PLN", "hour"),)
    assert found.apply_url.endswith("-weaver?oga=true")


def test_smartrecruiters_flags_that_are_not_set_say_nothing() -> None:
    place = {"fullLocation": "Łódź, , Poland", "remote": False, "hybrid": False}
    assert only("smartrecruiters", location=place).remote == "unknown"
    assert only("smartrecruiters", location=place | {"remote": True}).remote == "yes"


def test_workable_fields() -> None:
    found = only("workable")
    assert found.locations == ("Cobh, County Cork, Ireland",), "hidden places stay hidden"
    assert (found.department, found.employment_type) == ("Coast", "Full-time")
    assert (found.remote, found.posted_at) == ("unknown", "2026-06-22")
    assert found.description == "Keep the **light**."


def test_workable_rows_of_one_posting_become_its_places() -> None:
    item = SHAPES["workable"].item
    spain = [{"country": "Spain", "city": "", "hidden": False}]
    portugal = [{"country": "Portugal", "city": "", "hidden": False}]
    found = parse("workable", item(locations=spain), item(locations=portugal)).postings
    assert [posting.locations for posting in found] == [("Spain", "Portugal")]


def test_workable_names_the_company_and_declares_remote_work() -> None:
    rows = [SHAPES["workable"].item(telecommuting=True)]
    payload = json.dumps({"name": "Acme Coast", "jobs": rows}).encode()
    found = SOURCES["workable"].parse(BOARDS["workable"], payload).postings[0]
    assert (found.company, found.remote) == ("Acme Coast", "yes")


def test_recruitee_fields() -> None:
    found = only("recruitee")
    assert found.locations == ("Rotterdam, Zuid-Holland, Netherlands", "Anywhere")
    assert (found.remote, found.workplace, found.company) == ("no", "Hybrid", "Acme Pilots")
    assert found.pay == (Pay(60000, 75000.5, "EUR", "year"),)
    assert found.description == "Bring ships in.\n\n- A steady hand"
    assert found.posted_at == "2026-07-22T14:20:52.000000Z"


def test_recruitee_offers_that_are_not_published_are_not_on_offer() -> None:
    assert parse("recruitee", SHAPES["recruitee"].item(status="closed")) == ParsedBoard(())


@pytest.mark.parametrize(
    ("flags", "remote"),
    [({"remote": True}, "yes"), ({"on_site": True}, "no"), ({}, "unknown"),
     ({"remote": True, "on_site": True}, "unknown")],
)  # fmt: skip
def test_p011_recruitee_several_flags_leave_it_open(flags: dict[str, bool], remote: str) -> None:
    none = {"remote": False, "hybrid": False, "on_site": False}
    found = only("recruitee", **none | flags, locations=[], location="Rotterdam")
    assert found.remote == remote


def test_personio_fields() -> None:
    found = only("personio")
    assert found.url == "https://acme.jobs.personio.de/job/4103"
    assert found.locations == ("Kassel", "Remote, Germany")
    assert (found.company, found.department) == ("Acme Brot GmbH", "Bakery")
    assert (found.employment_type, found.remote) == ("permanent, full-time", "yes")
    assert found.pay == (Pay(30000, 36000, "EUR", "year"),)
    assert found.description == (
        "### Your tasks\n\nBake & sell.\n\n### Your profile\n\n- Early hours"
    )
    assert found.posted_at == "2026-08-15T06:00:00.000000Z"


def test_personio_with_one_office_and_one_text() -> None:
    text = {"jobDescription": {"name": "Tasks", "value": "Bake."}}
    found = only("personio", additionalOffices={"office": "Fulda"}, jobDescriptions=text)
    assert (found.locations, found.description) == (("Kassel", "Fulda"), "### Tasks\n\nBake.")


def test_p042_personio_is_asked_where_it_was_found_then_at_its_other_door() -> None:
    source = SOURCES["personio"]
    given = source.list_requests(Board("personio", "acme@com"))
    assert [request.url for request in given] == [
        "https://acme.jobs.personio.com/xml",
        "https://acme.jobs.personio.de/xml",
    ]
    assert given[::-1] == source.list_requests(Board("personio", "acme"))
    assert Board("personio", "acme@com").key == Board("personio", "acme").key


def test_teamtailor_fields() -> None:
    found = only("teamtailor")
    assert (found.key.posting_id, found.title) == ("5012345", "Ferry Captain")
    assert found.locations == ("Helsingborg, Sweden", "Helsingør")
    assert (found.remote, found.workplace, found.department) == ("no", "Hybrid", "Crossing")
    assert found.description == "Cross the **sound**."
    assert found.posted_at == "2026-09-07T08:30:00.000000Z"


def test_teamtailor_keeps_the_url_on_the_companys_own_domain() -> None:
    found = only("teamtailor", link="https://careers.acme.example/jobs/77-mate")
    assert (found.url, found.key.posting_id) == ("https://careers.acme.example/jobs/77-mate", "77")


@pytest.mark.parametrize(
    ("status", "remote"),
    [("fully", "yes"), ("hybrid", "no"), ("none", "unknown"), (None, "unknown")],
)
def test_teamtailor_remote_status(status: str | None, remote: str) -> None:
    assert only("teamtailor", remoteStatus=status).remote == remote


def test_bamboohr_fields() -> None:
    found = only("bamboohr")
    assert (found.locations, found.department) == (("Graz, Steiermark",), "Meadow")
    assert (found.remote, found.employment_type) == ("no", "Part Time")
    assert only("bamboohr", locationType="1").remote == "yes"
    assert only("bamboohr", locationType=None).remote == "unknown"


def test_bamboohr_details() -> None:
    found = whole("bamboohr")
    assert (found.locations, found.remote) == (("Graz, Austria",), "no")
    assert found.pay == (Pay(40000, 50000, "USD", "year"),)
    assert (found.description, found.posted_at) == ("Mind the **bees**.", "2026-05-11")


def test_bamboohr_advertises_a_total() -> None:
    payload = {"meta": {"totalCount": 3}, "result": [SHAPES["bamboohr"].item()]}
    parsed = SOURCES["bamboohr"].parse(BOARDS["bamboohr"], json.dumps(payload).encode())
    assert parsed.advertised == 3


def test_breezy_fields() -> None:
    found = only("breezy")
    assert (found.company, found.locations) == ("Acme Trams", ("Lisbon, PT",))
    assert (found.remote, found.employment_type) == ("yes", "Full-Time")
    assert found.pay == (Pay(30000, 36000, "EUR", "year"),)
    assert found.posted_at == "2026-08-12T13:18:43.218000Z"


def test_pinpoint_fields() -> None:
    found = only("pinpoint")
    assert (found.locations, found.department) == (("Bath, England",), "Workshop")
    assert (found.remote, found.employment_type) == ("no", "Full Time")
    assert found.pay == (Pay(30000, 40000, "GBP", "year"),)
    assert found.description == (
        "Make clocks.\n\n### What you will do\n\n- Wind them.\n\nPatience."
    )
    assert found.posted_at is None


def test_pinpoint_pay_that_is_not_shown_is_not_read() -> None:
    assert only("pinpoint", compensation_visible=False).pay == ()


def test_pinpoint_builds_the_url_from_the_path() -> None:
    found = only("pinpoint", url=None, path="/postings/770001")
    assert found.url == "https://acme.pinpointhq.com/postings/770001"
    assert "evil" not in only("pinpoint", url=None, path="//evil.example/postings/1").url


def test_rippling_rows_of_one_posting_become_its_places() -> None:
    item = SHAPES["rippling"].item
    other = item(workLocation={"label": "Remote (Belgium)"})
    found = parse("rippling", item(), other).postings
    assert [posting.locations for posting in found] == [("Ghent, BE", "Remote (Belgium)")]
    assert found[0].remote == "yes"


def test_rippling_details() -> None:
    found = whole("rippling")
    assert (found.company, found.employment_type) == ("Acme Libraries", "Salaried, full-time")
    assert found.locations == ("Ghent, BE", "Remote (Belgium)")
    assert found.description == "We lend.\n\nYou guard."
    assert found.pay == (Pay(18, 25, "EUR", "hour"),)
    assert found.posted_at == "2026-04-01T00:37:26.093000Z"


def test_rippling_reads_the_newer_form_of_the_list() -> None:
    place = {"name": "Ghent, BE", "city": "Ghent", "workplaceType": "ON_SITE"}
    row = {"id": "u1", "name": "Librarian", "department": {"name": "Stacks"}, "locations": [place]}
    payload = json.dumps({"items": [row], "totalPages": 1}).encode()
    found = SOURCES["rippling"].parse(BOARDS["rippling"], payload).postings[0]
    assert (found.key.posting_id, found.department) == ("u1", "Stacks")
    assert (found.locations, found.remote) == (("Ghent, BE",), "no")
