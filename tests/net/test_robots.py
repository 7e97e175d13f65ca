"""What a robots.txt allows, whatever is in it (DIS-11)."""

import time
from collections.abc import Callable

import anyio
import pytest

from jobsteward.kernel.errors import (
    JobstewardError,
    ResponseTooLargeError,
    RobotsClosedError,
    SourceUnavailableError,
    TransientNetworkError,
    UrlBlockedError,
)
from jobsteward.net import Fetched, check_url
from jobsteward.net.robots import MAX_CRAWL_DELAY, READ_BYTES, RobotsFiles, parse_rules

pytestmark = pytest.mark.anyio
SITE = "https://acme.example"
CLOSED = b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize(
    ("content", "path", "allowed"),
    [
        (b"", "/jobs", True),
        (b"<!doctype html><p>User-agent: none</p>", "/jobs", True),
        (CLOSED, "/jobs", False),
        (CLOSED, "/robots.txt", True),
        (b"\xef\xbb\xbf" + CLOSED, "/jobs", False),
        (CLOSED.replace(b"\n", b"\r\n"), "/jobs", False),
        (CLOSED.replace(b"\n", b"\r"), "/jobs", False),
        (b"User-agent: *\nDisallow:\n", "/jobs", True),
        (b"User-agent: *\nDisallow: /\nAllow: /jobs\n", "/jobs/1", True),
        (b"User-agent: *\nDisallow: /*?page=\n", "/jobs?page=2", False),
        (b"User-agent: *\nDisallow: /*.json$\n", "/a.json", False),
        (b"User-agent: *\nDisallow: /*.json$\n", "/a.json?x", True),
        (b"User-agent: JobSteward\nDisallow: /jobs\n\nUser-agent: *\nAllow: /\n", "/jobs", False),
        (b"User-agent: jobsteward/2.0\nDisallow: /\n", "/jobs", False),
        (b"User-agent: jobsteward\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "/jobs", True),
        (b"User-agent: other\nDisallow: /\n", "/jobs", True),
        (b"User-agent: other\nUser-agent: *\nDisallow: /jobs\n", "/jobs", False),
        (b"User-agent: a\nUser-agent: b\nDisallow: /\n\nUser-agent: c\nAllow: /\n", "/jobs", True),
        (b"User-agent: *\nDisallow: /\xc3\xa9t\xc3\xa9\n", "/%C3%A9t%C3%A9", False),
        (b"user-agent:*#all\ndisallow:/jobs#here\n", "/jobs", False),
        (b"Disallow: /\n", "/jobs", True),
        (b"\x00\xff\xfe garbage \x00", "/jobs", True),
    ],
)
def test_rules(content: bytes, path: str, allowed: bool) -> None:
    assert parse_rules(content).allow(SITE + path) is allowed


@pytest.mark.parametrize(
    ("said", "seconds"),
    [(b"7", 7.0), (b"0.5", 0.5), (b"86400", MAX_CRAWL_DELAY), (b"nan", None), (b"-3", None)],
)
def test_a_crawl_delay_is_capped(said: bytes, seconds: float | None) -> None:
    rules = parse_rules(b"User-agent: *\nCrawl-delay: " + said + b"\n")
    assert rules.crawl_delay == seconds


def _agents_times_rules() -> bytes:
    agents = b"".join(b"User-agent: bot%d\n" % number for number in range(8_000))
    return agents + b"".join(b"Disallow: /p%d*x\n" % number for number in range(20_000))


@pytest.mark.parametrize(
    "content",
    [
        _agents_times_rules(),
        b"User-agent: *\nDisallow: /" + b"*a" * (READ_BYTES // 2) + b"b",
        b"User-agent: *\n" + b"Disallow: /$\n" * (READ_BYTES // 13),
        b"User-agent: x\nUser-agent: *\n" * (READ_BYTES // 30) + b"Disallow: /*$\n" * 100,
    ],
    ids=["agents-times-rules", "stars", "dollars", "agents"],
)
def test_files_made_to_take_long_do_not(content: bytes) -> None:
    began = time.process_time()
    parse_rules(content).allow(f"{SITE}/{'a' * 2_000}")
    assert time.process_time() - began < 10.0


class Files:
    """Gives one answer, or raises it, and counts how often it was asked."""

    def __init__(self, outcome: Fetched | JobstewardError) -> None:
        self.outcome = outcome
        self.asked: list[str] = []

    async def read(self, address: str) -> Fetched:
        self.asked.append(address)
        await anyio.lowlevel.checkpoint()
        if isinstance(self.outcome, JobstewardError):
            raise self.outcome
        return self.outcome


def file(status: int, body: bytes = b"") -> Fetched:
    return Fetched(status, f"{SITE}/robots.txt", {}, body)


async def check(outcome: Fetched | JobstewardError, path: str = "/jobs") -> None:
    await RobotsFiles(Files(outcome).read).check(check_url(SITE + path))


@pytest.mark.parametrize(
    "outcome",
    [file(404), file(401), file(403), file(410), file(204), UrlBlockedError("moved inside")],
    ids=lambda value: str(getattr(value, "status", "redirect")),
)
async def test_a_host_without_the_file_allows_all(outcome: Fetched | JobstewardError) -> None:
    await check(outcome)


@pytest.mark.parametrize("status", [429, 500, 503, 999])
async def test_a_file_that_cannot_be_read_now_holds_everything_back(status: int) -> None:
    with pytest.raises(SourceUnavailableError):
        await check(file(status))
    with pytest.raises(TransientNetworkError):
        await check(TransientNetworkError("no connection"))


async def test_closed_pages_are_refused_with_their_own_code() -> None:
    for outcome in (file(200, CLOSED), ResponseTooLargeError("2 MB")):
        with pytest.raises(RobotsClosedError):
            await check(outcome)


async def test_the_file_is_read_once_for_all_who_wait_for_it() -> None:
    files = Files(file(200, b"User-agent: *\nCrawl-delay: 3\n"))
    robots = RobotsFiles(files.read)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for number in range(10):
                tasks.start_soon(robots.check, check_url(f"{SITE}/jobs/{number}"))
    assert (await robots.check(check_url(f"{SITE}/"))).crawl_delay == 3.0
    assert files.asked == [f"{SITE}/robots.txt"]
    await robots.check(check_url("http://acme.example/"))
    assert files.asked[1:] == ["http://acme.example/robots.txt"]


async def test_a_failure_is_not_remembered() -> None:
    files = Files(file(503))
    robots = RobotsFiles(files.read)
    with pytest.raises(SourceUnavailableError):
        await robots.check(check_url(f"{SITE}/jobs"))
    files.outcome = file(200, b"")
    assert (await robots.check(check_url(f"{SITE}/jobs"))).allow(f"{SITE}/jobs")


async def test_the_file_is_read_again_the_next_day(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(file(404))
    robots = RobotsFiles(files.read)
    await robots.check(check_url(f"{SITE}/jobs"))
    now: Callable[[], float] = anyio.current_time
    monkeypatch.setattr("jobsteward.net.robots.anyio.current_time", lambda: now() + 25 * 3600.0)
    files.outcome = file(200, CLOSED)
    with pytest.raises(RobotsClosedError):
        await robots.check(check_url(f"{SITE}/jobs"))


async def test_only_the_hosts_asked_lately_are_kept() -> None:
    files = Files(file(404))
    robots = RobotsFiles(files.read)
    for number in range(600):
        await robots.check(check_url(f"https://h{number}.example/"))
    await robots.check(check_url("https://h599.example/"))
    assert len(files.asked) == 600
    await robots.check(check_url("https://h0.example/"))
    assert len(files.asked) == 601
