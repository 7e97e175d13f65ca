"""How long a search over many jobs takes, for questions of every kind."""

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from benchmarks.machinery import temporary_home
from benchmarks.report import Report, percentile, say
from jobsteward.discover.model import DiscoveryExecutionRef, Posting, PostingKey, Remote
from jobsteward.discover.store import save_postings
from jobsteward.discover.views import JobFilter, list_jobs
from jobsteward.library import Library, open_library
from jobsteward.settings import Settings

JOBS = 100_000
SEARCHES = 400
_BATCH = 500
_TENANT = "local"
_REF = DiscoveryExecutionRef(_TENANT, "discover-local", "run-1")
_LEVELS = ("", "Senior", "Staff", "Junior", "Lead", "Principal")
_TITLES = (
    "Engineer", "Software Engineer", "Data Scientist", "Product Manager", "Account Executive",
    "Nurse", "C++ Developer", "Go Developer", "Site Reliability Engineer", "Recruiter",
    "UX Designer", "Controller", "Legal Counsel", "Machine Learning Engineer", "Field Technician",
)  # fmt: skip
_CITIES = tuple(f"{name} {part}" for name in ("Port", "Bad", "North", "Alt") for part in (
    "Alder", "Birch", "Cedar", "Dorn", "Elm", "Fern", "Gorse", "Hazel", "Iris", "Juniper",
))  # fmt: skip
_SITES: tuple[Remote, ...] = ("yes", "no", "unknown", "unknown")


async def search() -> Report:
    """Median, p95 and worst first page of a hundred kinds of questions over 100,000 jobs.

    Common and rare words, several words, prefixes of one to four letters, places, filters,
    and words that nothing has. Also the p95 of second pages.
    """
    report = Report("search")
    rng = random.Random(20)
    async with temporary_home() as home, await open_library(Settings(home=home)) as library:
        say(f"search: making {JOBS} jobs")
        for start in range(0, JOBS, _BATCH):
            batch = [_posting(rng, start + at) for at in range(_BATCH)]
            await library.database.write(
                partial(save_postings, log=library.log, ref=_REF, postings=batch)
            )
            await library.database.checkpoint()
        first, second = await _ask(library, list(_questions(rng)))
    report.set("p50_ms", percentile(first, 50))
    report.set("p95_ms", percentile(first, 95))
    report.set("max_ms", max(first))
    report.set("next_page_p95_ms", percentile(second, 95))
    report.keep("first_page_ms", first)
    report.settings = {"jobs": JOBS, "searches": SEARCHES, "page": 50}
    return report


async def _ask(library: Library, questions: list[JobFilter]) -> tuple[list[float], list[float]]:
    first: list[float] = []
    second: list[float] = []
    for only in questions:
        took, cursor = await library.database.read(partial(_timed, only, None))
        first.append(took)
        if cursor:
            second.append((await library.database.read(partial(_timed, only, cursor)))[0])
    return first, second


def _timed(only: JobFilter, cursor: str | None, conn: Connection) -> tuple[float, str | None]:
    began = time.perf_counter()
    page = list_jobs(conn, _TENANT, only, cursor=cursor)
    return (time.perf_counter() - began) * 1e3, page.next_cursor


def _questions(rng: random.Random) -> Iterator[JobFilter]:
    for number in range(SEARCHES):
        word = rng.choice(_TITLES).lower()
        only = (
            JobFilter(text=word),
            JobFilter(text=f"{rng.choice(_LEVELS)} {word}", location=rng.choice(_CITIES)),
            JobFilter(text=word[: rng.randint(1, 4)]),
            JobFilter(text=f"employer{rng.randrange(3_000)}"),
            JobFilter(text=word, remote=("yes", "unknown")),
            JobFilter(text=f"{word} employer{rng.randrange(3_000)}"),
            JobFilter(location=rng.choice(_CITIES).split()[1]),
            JobFilter(text=f"nothing{number}"),
            JobFilter(),
            JobFilter(remote=("yes",)),
        )[number % 10]
        yield replace(only, provider="ashby") if number % 30 == 7 else only


def _posting(rng: random.Random, number: int) -> Posting:
    provider = "ashby" if rng.random() < 0.02 else "lever"
    employer = rng.randrange(3_000)
    page = f"https://jobs.crowd.example/{number}"
    return Posting(
        PostingKey(provider, f"employer{employer}", str(number)),
        page,
        page,
        f"{rng.choice(_LEVELS)} {rng.choice(_TITLES)} {number % 97}",
        f"Employer{employer}",
        tuple(rng.sample(_CITIES, rng.randint(1, 2))),
        rng.choice(_SITES),
    )
