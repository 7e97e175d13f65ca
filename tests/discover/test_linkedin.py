"""LinkedIn by capture: alert mails and saved pages, never fetched (P024, P011)."""

from email.message import EmailMessage

import pytest

from jobsteward.discover.linkedin import read_alert_mail, read_saved_page

JOB = "https://www.linkedin.com/comm/jobs/view/{}/?trackingId=abc&refId=x"

PLAIN = f"""Your job alert for potter in Finland
2 new jobs match your preferences.

Kiln Engineer
Acme Clay
Turku, Finland (Remote)
This company is actively hiring
View job: {JOB.format(4100000001)}

---------------------------------------------------------

Glass Designer
Acme Glass
Oslo, Norway (Hybrid)

View job: {JOB.format(4100000002)}

---------------------------------------------------------

See all jobs on LinkedIn: https://www.linkedin.com/comm/jobs/search?keywords=potter
"""

HTML = f"""<html><body><table>
<tr><td><table><tr><td><a href="{JOB.format(4100000001)}"><img src="x"></a></td>
<td><a href="{JOB.format(4100000001)}">Kiln Engineer</a>
<p>Acme Clay &middot; Turku, Finland (Remote)</p><p>Actively hiring</p></td></tr></table></td></tr>
<tr><td><table><tr><td><a href="{JOB.format(4100000002)}">Glass Designer</a>
<p>Acme Glass &middot; Oslo, Norway (Hybrid)</p></td></tr></table></td></tr>
<tr><td><a href="https://www.linkedin.com/comm/jobs/search?keywords=potter">See all</a></td></tr>
</table></body></html>"""


def mail(plain: str | None, html: str | None) -> bytes:
    message = EmailMessage()
    message["From"] = "alerts@mail.example"
    message["Subject"] = "Jobs"
    message.set_content(plain or "")
    if html:
        message.add_alternative(html, subtype="html")
    return message.as_bytes()


@pytest.mark.parametrize("message", [mail(PLAIN, None), mail(PLAIN, HTML), mail(None, HTML)])
def test_an_alert_mail_gives_its_postings(message: bytes) -> None:
    kiln, glass = read_alert_mail(message)
    assert (kiln.title, kiln.company, kiln.locations) == (
        "Kiln Engineer", "Acme Clay", ("Turku, Finland",),
    )  # fmt: skip
    assert (kiln.remote, glass.remote) == ("yes", "no")
    assert kiln.url == "https://www.linkedin.com/jobs/view/4100000001"
    assert (glass.key.provider, glass.key.posting_id) == ("linkedin", "4100000002")
    assert kiln.description_missing


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\xff\x00",
        b"Content-Type: text/plain; charset=no\n\nx",
        mail("Hello", "<p>Hello</p>"),
        b"a" * (10 * 1024 * 1024 + 1),
    ],
)
def test_other_mails_give_none(message: bytes) -> None:
    assert read_alert_mail(message) == ()


PAGE = """<section class="topcard">
<a href="https://fi.linkedin.com/jobs/view/kiln-engineer-at-acme-clay-4100000003?trk=x">
<h2 class="topcard__title">Kiln Engineer</h2></a>
<h3><span class="topcard__flavor"><a class="topcard__org-name-link" href="#">Acme Clay</a></span>
<span class="topcard__flavor topcard__flavor--bullet">Turku, Finland</span></h3>
<figure class="topcard__flavor--metadata topcard__flavor--bullet">25 applicants</figure>
<a href="https://www.linkedin.com/jobs/view/externalApply/4100000003?url=https%3A%2F%2Fclay%2Eexample%2Fapply%2F7%3Futm_source%3Dli&amp;urlHash=x">Apply</a>
</section>
<section class="description"><div class="show-more-less-html__markup"><p>Fire pots.</p></div>
</section>
"""


def test_a_saved_job_page_leads_to_the_employers_form() -> None:
    (found,) = read_saved_page(PAGE)
    assert (found.title, found.company) == ("Kiln Engineer", "Acme Clay")
    assert (found.locations, found.description) == (("Turku, Finland",), "Fire pots.")
    assert found.key.posting_id == "4100000003"
    assert found.apply_url == "https://clay.example/apply/7"


def test_a_saved_job_page_without_a_form_elsewhere_or_a_company_link() -> None:
    page = PAGE.replace("externalApply", "easy").replace('class="topcard__org-name-link"', "")
    (found,) = read_saved_page(page)
    assert (found.company, found.apply_url) == ("Acme Clay", found.url)


CARDS = """<ul>
<li class="result-card" data-entity-urn="urn:li:jobPosting:4100000004"><h3>Potter</h3>
<h4>Acme Clay</h4><span class="job-result-card__location">Faenza, Italy</span>
<time datetime="2026-05-02">3 days ago</time></li>
<li><div class="base-search-card" data-entity-urn="urn:li:jobPosting:4100000005">
<h3 class="base-search-card__title">Weaver</h3><h4 class="base-search-card__subtitle">Looms</h4>
<span class="job-search-card__location">Remote</span></div></li>
<li class="result-card"><h3>No number</h3></li></ul>"""


def test_a_saved_search_page_gives_every_card() -> None:
    potter, weaver = read_saved_page(CARDS.encode())
    assert (potter.title, potter.company, potter.locations) == (
        "Potter", "Acme Clay", ("Faenza, Italy",),
    )  # fmt: skip
    assert (potter.posted_at, potter.remote) == ("2026-05-02", "unknown")
    assert (weaver.title, weaver.remote, weaver.posted_at) == ("Weaver", "yes", None)


@pytest.mark.parametrize("page", [b"", b"\xff", "<h1>Jobs</h1>", "<h2 class=topcard__title>x</h2>"])
def test_other_pages_give_none(page: bytes | str) -> None:
    assert read_saved_page(page) == ()
