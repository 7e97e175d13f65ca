"""What pages declare about their jobs is read in every shape (quality.jsonld, P016, P112)."""

import json
from typing import Any

import pytest

from jobsteward.discover.jsonld import page_text, read_postings
from jobsteward.discover.model import Pay
from jobsteward.discover.schema_org import JobMarkup


def posting(**changes: Any) -> dict[str, Any]:
    return {
        "@context": "https://schema.org/",
        "@type": "JobPosting",
        "title": "Glassblower &amp; Cutter",
        "hiringOrganization": {"@type": "Organization", "name": "Acme Glass"},
        "jobLocation": {
            "@type": "Place",
            "address": {"addressLocality": "Turku", "addressRegion": "-", "addressCountry": "FI"},
        },
        "datePosted": "2026-10-20",
    } | changes


def page(*values: Any) -> str:
    scripts = [
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in values
    ]
    body = "".join(f'<script type="application/ld+json">{text}</script>' for text in scripts)
    return f"<!doctype html><html><head>{body}</head><body><h1>Jobs</h1></body></html>"


def only(**changes: Any) -> JobMarkup:
    (found,) = read_postings(page(posting(**changes)))
    return found


def test_a_plain_posting() -> None:
    found = only(
        identifier={"@type": "PropertyValue", "name": "Acme Glass", "value": 4711},
        employmentType=["FULL_TIME", "INTERN"],
        validThrough="2026-11-19 20:28:32 UTC",
        url="/jobs/4711",
        directApply="true",
        industry="Glass",
        occupationalCategory={"@type": "CategoryCode", "name": "Crafts", "codeValue": "51"},
    )
    assert (found.title, found.company) == ("Glassblower & Cutter", "Acme Glass")
    assert (found.identifier, found.url, found.locations) == ("4711", "/jobs/4711", ("Turku, FI",))
    assert (found.employment_type, found.department) == ("FULL_TIME, INTERN", "Crafts")
    assert (found.industry, found.direct_apply) == ("Glass", True)
    assert (found.posted_at, found.valid_through) == ("2026-10-20", "2026-11-19T20:28:32.000000Z")
    assert (found.remote, found.pay, found.description) == ("unknown", (), None)


@pytest.mark.parametrize(
    "value",
    [
        [posting()],
        {"@graph": [{"@type": "WebPage"}, posting()]},
        {"@type": "WebPage", "mainEntity": {"itemListElement": [{"item": posting()}]}},
        posting(**{"@type": ["JobPosting", "Thing"]}),
        posting(**{"@type": "https://schema.org/JobPosting"}),
        {f"schema:{name}" if name[0] != "@" else name: part for name, part in posting().items()},
        json.dumps(posting())[:-1] + ",}",
        "<!--" + json.dumps(posting()) + "-->",
    ],
)
def test_where_and_how_a_posting_may_be_declared(value: Any) -> None:
    (found,) = read_postings(page(value))
    assert (found.title, found.company) == ("Glassblower & Cutter", "Acme Glass")
    assert found.locations == ("Turku, FI",)


def test_a_broken_script_loses_only_itself_and_order_is_kept() -> None:
    found = read_postings(page("not even json {{{", posting(title="A"), [posting(title="B")]))
    assert [each.title for each in found] == ["A", "B"]


def test_a_repeated_posting_counts_once_and_one_without_a_title_not_at_all() -> None:
    assert len(read_postings(page(posting(), posting(), posting(title=" ")))) == 1


def test_references_by_id_are_followed() -> None:
    graph = [
        {"@type": "Organization", "@id": "#acme", "name": "Acme Glass"},
        posting(hiringOrganization={"@id": "#acme"}),
        {"@type": "Organization", "@id": "#self", "parent": {"@id": "#self"}},
        {"@type": "Place", "@id": "#works", "address": {"@id": "#street"}},
        {"@type": "PostalAddress", "@id": "#street", "addressLocality": "Pori"},
    ]
    graph[1]["jobLocation"] = [{"@id": "#works"}]
    (found,) = read_postings(page({"@graph": graph}))
    assert (found.company, found.locations) == ("Acme Glass", ("Pori",))


@pytest.mark.parametrize(
    "kind", ["application/ld+json; charset=utf-8", "APPLICATION/LD+JSON", " application/ld+json "]
)
def test_script_types_in_any_spelling(kind: str) -> None:
    assert read_postings(f"<script type='{kind}'>{json.dumps(posting())}</script>")


@pytest.mark.parametrize(
    ("salary", "pay"),
    [
        ({"currency": "USD", "unitText": "HOUR", "value": 25}, Pay(25, 25, "USD", "hour")),
        ({"currency": "USD", "value": {"value": 25, "unitText": "HOUR"}},
         Pay(25, 25, "USD", "hour")),
        ({"currency": "eur", "value": {"minValue": "50.000", "maxValue": "70.000,00",
                                       "unitText": "YEAR"}}, Pay(50000, 70000, "EUR", "year")),
        ({"currency": "VND", "value": {"unitText": "MONTH", "maxValue": 80000000}},
         Pay(None, 80000000, "VND", "month")),
        ({"currency": "USD", "value": "5500", "unitCode": "ANN"}, Pay(5500, 5500, "USD", "year")),
        ({"currency": "GBP", "minValue": 300, "maxValue": 400, "unitText": "per day"},
         Pay(300, 400, "GBP", "day")),
        ({"currency": "USD", "value": {"minValue": 90, "maxValue": 60, "unitText": "HOUR"}},
         Pay(60, 90, "USD", "hour", True)),
        ({"currency": "USD", "value": {"minValue": 0, "maxValue": 0, "value": 20}},
         Pay(20, 20, "USD", "unknown")),
        ("100000", Pay(100000, 100000, "", "unknown")),
        ("$60,000 - $80,000", Pay(60000, 80000, "", "unknown")),
        ({"currency": "USD", "value": {"value": "60,000-80,000", "unitText": "YEAR"}},
         Pay(60000, 80000, "USD", "year")),
        ("$60,000 per year", Pay(60000, 60000, "USD", "year")),
    ],
)  # fmt: skip
def test_p016_pay_in_every_shape(salary: Any, pay: Pay) -> None:
    assert only(baseSalary=salary).pay == (pay,)


@pytest.mark.parametrize(
    "salary",
    [None, 0, "competitive", "", [], {}, {"value": None}, {"value": {"value": "DOE"}}, True],
)
def test_pay_that_says_nothing_is_none(salary: Any) -> None:
    assert only(baseSalary=salary).pay == ()


def test_pay_takes_the_postings_currency_and_several_ranges() -> None:
    found = only(baseSalary=[{"value": {"minValue": 1, "maxValue": 2}}, 3], salaryCurrency="CAD")
    assert found.pay == (Pay(1, 2, "CAD", "unknown"), Pay(3, 3, "CAD", "unknown"))


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        ("Oslo", ("Oslo",)),
        ({"name": "Bergen, NO"}, ("Bergen, NO",)),
        ({"address": "Austin, TX"}, ("Austin, TX",)),
        ({"address": {"addressLocality": "Singapore", "addressCountry": "Singapore"}},
         ("Singapore",)),
        ({"address": {"addressLocality": "UNAVAILABLE", "addressCountry": {"name": ["US", "US"]}}},
         ("US",)),
        ([{"address": {"addressCountry": "SE"}}, {"address": {"addressCountry": "DK"}}],
         ("SE", "DK")),
        ([{"name": "Malmö", "address": {"addressLocality": "Lund"}},
          {"name": "Ystad", "address": {"addressLocality": "Lund"}}], ("Malmö", "Ystad")),
        ({"address": {"addressLocality": "n/a"}}, ()),
        (None, ()),
        (7.5, ("7.5",)),
    ],
)  # fmt: skip
def test_places(place: Any, lines: tuple[str, ...]) -> None:
    assert only(jobLocation=place).locations == lines


def test_remote_with_the_places_that_applicants_may_live_in() -> None:
    found = only(
        jobLocation=None,
        jobLocationType="TELECOMMUTE",
        applicantLocationRequirements=[{"@type": "Country", "name": "USA"}, {"name": "Canada"}],
    )
    assert (found.remote, found.workplace) == ("yes", "TELECOMMUTE")
    assert found.locations == ("Remote, USA", "Remote, Canada")
    assert found.applicant_places == ("USA", "Canada")
    assert only(jobLocation={"@type": "VirtualLocation"}).remote == "yes"


def test_p011_applicant_places_alone_do_not_make_a_job_remote() -> None:
    assert only(applicantLocationRequirements={"name": "USA"}).remote == "unknown"


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("<p>Blow <b>glass</b>.</p>", "Blow **glass**."),
        ("&lt;p&gt;Blow &lt;b&gt;glass&lt;/b&gt;.&lt;/p&gt;", "Blow **glass**."),
        ("&amp;lt;p&amp;gt;Blow&amp;lt;/p&amp;gt;", "Blow"),
        ("Line one\n\n\n\nR&amp;D line", "Line one\n\nR&D line"),
        ("\\nOne\\n\\nTwo in C:\\new", "One\n\nTwo in C:\\new"),
        (["Cut", "Polish"], "- Cut\n- Polish"),
        ({"@value": "Cut", "@language": "en"}, "Cut"),
        ("<p style='display:none'>SECRET</p><p>Cut</p>", "Cut"),
    ],
)
def test_p034_descriptions_are_unescaped_as_often_as_they_were_escaped(
    given: Any, text: str
) -> None:
    assert only(description=given).description == text


def test_fields_apart_become_sections_unless_the_text_says_them_already() -> None:
    found = only(
        description="<p>Blow glass. Calm hands.</p>",
        qualifications="Calm hands",
        skills=["Cutting", "Polishing"],
        experienceRequirements={"@type": "OccupationalExperienceRequirements",
                                "monthsOfExperience": 24},
        educationRequirements={"credentialCategory": "apprenticeship"},
    )  # fmt: skip
    assert found.description == (
        "Blow glass. Calm hands.\n\n## Skills\n\n- Cutting\n- Polishing\n\n"
        "## Experience\n\n24 months of experience\n\n## Education\n\napprenticeship"
    )


@pytest.mark.parametrize(
    ("given", "stated"),
    [
        ("2026-04-22T00:00:00", "2026-04-22T00:00:00"),
        ("2026-04-22", "2026-04-22"),
        ("2026-04-22T00:00:00+09:00", "2026-04-21T15:00:00.000000Z"),
        ("Wed, 22 Apr 2026 00:00:00 +0000", "2026-04-22T00:00:00.000000Z"),
        (["2026-04-22"], "2026-04-22"),
        ({"@type": "Date", "@value": "2026-04-22"}, "2026-04-22"),
        ("soon", None), (True, None), ({}, None), (10**40, None),
    ],
)  # fmt: skip
def test_p112_a_date_without_a_zone_stays_as_given(given: Any, stated: str | None) -> None:
    assert only(datePosted=given).posted_at == stated


MICRODATA = """
<div itemscope itemtype="https://schema.org/JobPosting">
  <h2 itemprop="title">Potter</h2> <meta itemprop="datePosted" content="2026-10-20">
  <div itemprop="description"><p>Throw pots at
    <span itemprop="hiringOrganization" itemscope itemtype="http://schema.org/Organization">
      <span itemprop="name">Acme Clay</span></span>.</p></div>
  <span itemprop="jobLocation" itemscope><span itemprop="address" itemscope>
    <span itemprop="addressLocality">Faenza</span>, <span itemprop="addressCountry">IT</span>
  </span></span>
  <span itemprop="salaryCurrency">EUR</span> <span itemprop="baseSalary">30.000</span>
  <a itemprop="url" href="/jobs/potter">Read on</a>
  <ul itemprop="skills"><li>Wheel</li><li>Kiln</li></ul>
</div>"""


@pytest.mark.parametrize("dialect", ["microdata", "rdfa"])
def test_microdata_and_rdfa_say_the_same(dialect: str) -> None:
    html = MICRODATA
    if dialect == "rdfa":
        html = html.replace('itemscope itemtype="https://schema.org/', 'typeof="')
        html = html.replace('itemscope itemtype="http://schema.org/', 'typeof="')
        html = html.replace("itemscope", 'typeof="Place"').replace("itemprop", "property")
    (found,) = read_postings(html)
    assert (found.title, found.company, found.url) == ("Potter", "Acme Clay", "/jobs/potter")
    assert (found.locations, found.posted_at) == (("Faenza, IT",), "2026-10-20")
    assert found.pay == (Pay(30000, 30000, "EUR", "unknown"),)
    assert found.description == "Throw pots at Acme Clay.\n\n## Skills\n\n- Wheel\n- Kiln"


def test_json_ld_counts_before_microdata() -> None:
    assert [found.title for found in read_postings(page(posting(title="A")) + MICRODATA)] == ["A"]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        ("Łódź".encode(), "Łódź"),
        ("\ufeffŁódź".encode(), "Łódź"),
        ("Łódź".encode("utf-16"), "Łódź"),
        ("<meta charset=iso-8859-2>Łódź".encode("iso-8859-2"), "<meta charset=iso-8859-2>Łódź"),
        ("Café “x”".encode("cp1252"), "Café “x”"),
        ("<meta charset='utf-8'>Łódź żółw ".encode() * 9 + b"\xff", None),
        ("<meta charset='base64'>Łódź".encode(), "<meta charset='base64'>Łódź"),
    ],
)  # fmt: skip
def test_pages_in_other_encodings(payload: bytes, text: str | None) -> None:
    found = page_text(payload)
    assert "Łódź" in found if text is None else found == text


@pytest.mark.parametrize(
    "payload", [b"", b"\x00", b"<", b"\xff\xfe", b"{", b"<script type=application/ld+json>",
                b"<div itemscope itemtype=JobPosting>" * 3000, b"<p>" * 50_000,
                b"<meta charset=iso-8859-99>\xff",
                b'[{"@type":"JobPosting","title":' + b"[" * 400 + b"]" * 400 + b"}]"]
)  # fmt: skip
def test_pages_without_postings(payload: bytes) -> None:
    assert read_postings(payload) == ()
