"""Jobs as an Atom feed (RFC 4287); everything that a posting says goes in as text."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from jobsteward.discover.digest import NewJob
from jobsteward.kernel.canonical import digest_text

CONTENT_TYPE = "application/atom+xml"
_NAMESPACE = "http://www.w3.org/2005/Atom"
_EPOCH = "1970-01-01T00:00:00.000000Z"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def feed(tenant_id: str, jobs: Sequence[NewJob]) -> bytes:
    """The feed's document, newest job first; its ids stay the same for the same job."""
    owner = digest_text(tenant_id)[:16]
    root = Element("feed", xmlns=_NAMESPACE)
    _text(root, "id", f"urn:jobsteward:new-jobs:{owner}")
    _text(root, "title", "New jobs")
    _text(root, "updated", jobs[0].first_seen_at if jobs else _EPOCH)
    author = SubElement(root, "author")
    _text(author, "name", "jobsteward")
    for job in jobs:
        _add_entry(root, owner, job)
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _add_entry(root: Element, owner: str, job: NewJob) -> None:
    entry = SubElement(root, "entry")
    _text(entry, "id", f"urn:jobsteward:{owner}:{job.job_id}")
    _text(entry, "title", f"{job.title} · {job.company}")
    _text(entry, "updated", job.first_seen_at)
    SubElement(entry, "link", rel="alternate", href=_clean(job.url))
    _text(entry, "summary", where(job))


def where(job: NewJob) -> str:
    """The job's places in one line, and whether it can be done away from them."""
    remote = {"yes": "remote", "no": "on site"}.get(job.remote)
    return " · ".join([*job.locations, *([remote] if remote else [])]) or "place not stated"


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = _clean(text)


def _clean(text: str) -> str:
    """The text without characters that no XML document may hold."""
    return _NOT_XML.sub("", text)
