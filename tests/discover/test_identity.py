"""One name for one thing (DIS-8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobsteward.discover.identity import canonical_url, content_digest, web_url
from jobsteward.discover.model import PostingKey
from jobsteward.kernel.errors import JobstewardError, UrlInvalidError
from tests.discover.boards import posting


@pytest.mark.parametrize(
    "variant",
    [
        "https://job-boards.greenhouse.io/acme/jobs/12?utm_source=a",
        "https://job-boards.greenhouse.io/acme/jobs/12?gh_src=b&utm_medium=c",
        "https://job-boards.greenhouse.io/acme%2Fjobs%2F12",
        "HTTPS://Job-Boards.Greenhouse.IO:443/acme/jobs/12/",
        "https://job-boards.greenhouse.io/acme/jobs/12#app?x",
        "https://job-boards.greenhouse.io/%61cme/jobs/12?trk=z&fbclid=1",
    ],
)
def test_p023_sightings_of_one_posting_share_a_url(variant: str) -> None:
    assert canonical_url(variant) == "https://job-boards.greenhouse.io/acme/jobs/12"


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://acme.example/?gh_jid=1&b=2&a=3", "https://acme.example/?a=3&b=2&gh_jid=1"),
        ("https://acme.example/x#/jobs/1", "https://acme.example/x#/jobs/1"),
        ("https://acme.example/a%252Fb", "https://acme.example/a%252Fb"),
        ("https://acme.example/100%", "https://acme.example/100%25"),
        ("https://acme.example/Köln?q=ü", "https://acme.example/K%C3%B6ln?q=%C3%BC"),
        ("http://acme.example:8080/", "http://acme.example:8080/"),
    ],
)
def test_what_tells_postings_apart_stays(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


def test_what_is_no_web_url_is_refused_or_replaced() -> None:
    with pytest.raises(UrlInvalidError):
        canonical_url("javascript:alert(1)")
    assert web_url("javascript:alert(1)", "https://acme.example/") == "https://acme.example/"
    assert web_url(None, "https://acme.example/") == "https://acme.example/"


PARTS = st.text(alphabet=st.sampled_from("aZ0/%25FfeEü&=?#+;:@!$'()*,~._-[]|\"<>^`{}"), max_size=40)


@given(path=PARTS, query=PARTS, fragment=PARTS)
def test_canonical_urls_are_fixed_points(path: str, query: str, fragment: str) -> None:
    try:
        once = canonical_url(f"https://acme.example/{path}?{query}#{fragment}")
    except JobstewardError:
        return
    assert canonical_url(once) == once


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_a_known_refusal(text: str) -> None:
    for candidate in (text, f"https://{text}"):
        try:
            once = canonical_url(candidate)
        except JobstewardError:
            continue
        assert canonical_url(once) == once


def test_job_ids_last() -> None:
    """The derivation is stored data: changing it would make every job new."""
    key = PostingKey("greenhouse", "acme", "12")
    assert key.job_id == "job_7b2a06223ff50db504b28f1c"


def test_content_digest_ignores_text_and_update_time_only() -> None:
    base = content_digest(posting(1))
    assert content_digest(posting(1, updated_at="2026-01-01", description=None)) == base
    assert content_digest(posting(1, title="Other")) != base
    assert content_digest(posting(1, remote="yes")) != base
