"""The corpus's postings as a writer gets them: job, company, and what is asked for."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.corpus import corpus, labels
from jobsteward.discover.model import Board
from jobsteward.discover.sources import SOURCES
from jobsteward.discover.understand.requirements import read_requirements
from jobsteward.kernel.errors import JobstewardError
from jobsteward.writing.claims import Target
from jobsteward.writing.needs import named_needs
from jobsteward.writing.port import Need

_BOARDS = ("ashby", "greenhouse", "lever")


@dataclass(frozen=True, slots=True)
class Advert:
    """One posting: the job and its requirements."""

    target: Target
    needs: tuple[Need, ...]


def adverts() -> Iterator[Advert]:
    """Every posting of the corpus that has a text."""
    yield from _boards()
    for job in (labels("fit", "jobradar_golden_jobs.json") or {}).get("jobs", []):
        parts = [job.get(key) or "" for key in ("description", "requirements")]
        yield _advert(job["title"], job["company"], "\n".join(parts))
    for row in labels("skills", "skills_eval.jsonl"):
        yield _advert(row["title"], "", row["text"])
    for row in labels("fit", "fit_human_reviewed_real.json"):
        given = row["raw_input"]
        yield _advert(given["title"], given["company"], given["job_html_or_text"])
    folder = corpus() / "D_resumes" / "labelled"
    for path in sorted(folder.glob("persona_*.synthetic_jobs.json")):
        for job in json.loads(path.read_text("utf-8")):
            yield _advert(job["title"], job["company"], job["requirements"])
    for pair in json.loads((folder / "jd_resume_pairs_20.json").read_text("utf-8")):
        text = pair["job_description"]
        yield _advert(text.splitlines()[0], "", text)


def _boards() -> Iterator[Advert]:
    for provider in _BOARDS:
        for path in sorted((corpus() / "A_boards" / provider).glob("*.json")):
            try:
                parsed = SOURCES[provider].parse(Board(provider, "corpus"), path.read_bytes())
            except JobstewardError:
                continue  # a detail, not a list
            for posting in parsed.postings:
                if posting.description:
                    yield _advert(posting.title, posting.company, posting.description)


def _advert(title: str, company: str | None, text: str) -> Advert:
    items = read_requirements(text).items
    needs = tuple(dict.fromkeys(Need(item.text, item.need != "nice") for item in items))
    return Advert(Target(company or "", title or ""), needs or named_needs(text))
