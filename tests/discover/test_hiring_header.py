"""Headers of hiring messages are read by what their parts say, not by their order (DIS-4)."""

from typing import Any

import pytest

from jobsteward.discover.hiring_header import HiringHeader, read_header
from jobsteward.discover.model import Pay


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Acme | Data Engineer | REMOTE | Full-time",
         {"title": "Data Engineer", "remote": "yes", "workplace": "REMOTE",
          "employment_type": "Full-time"}),
        ("Acme (YC W19) | London, UK | Onsite | Product Designer",
         {"title": "Product Designer", "locations": ("London, UK",), "remote": "no",
          "workplace": "Onsite"}),
        ("Acme | Account Executive | Data Engineer | Hybrid in Oslo",
         {"title": "Account Executive / Data Engineer", "locations": ("Hybrid in Oslo",),
          "remote": "no", "workplace": "Hybrid in Oslo"}),
        ("Acme | Senior Frontend Engineer | Remote (UTC+3) | $120k - $150k + equity | Visa",
         {"title": "Senior Frontend Engineer", "locations": ("Remote (UTC+3)",), "remote": "yes",
          "workplace": "Remote (UTC+3)", "pay": (Pay(120000, 150000, "USD", "year"),)}),
        ("Acme | Many roles | https://acme.example/jobs?utm_source=hn",
         {"title": "Many roles", "url": "https://acme.example/jobs"}),
        ("Acme - Data Engineer - Berlin, Germany",
         {"title": "Data Engineer", "locations": ("Berlin, Germany",)}),
        ("Acme | Backend Engineer | Remote or Hybrid",
         {"title": "Backend Engineer", "workplace": "Remote or Hybrid"}),
        ("Acme | Backend Engineer | No remote",
         {"title": "Backend Engineer", "workplace": "No remote", "remote": "no"}),
        ("Acme (acme.example/jobs) | Interns, Summer 2027 | Seattle",
         {"title": "Interns, Summer 2027", "locations": ("Seattle",),
          "employment_type": "Interns, Summer 2027"}),
        ("Acme | Remote", {"title": None, "workplace": "Remote", "remote": "yes"}),
    ],
)  # fmt: skip
def test_headers(line: str, meant: dict[str, Any]) -> None:
    assert read_header(line) == HiringHeader(company="Acme", **meant)


@pytest.mark.parametrize("line", ["", "|", "Acme", "We are hiring engineers!", "| | |", "Acme |"])
def test_any_other_line_is_no_header(line: str) -> None:
    assert read_header(line) is None
