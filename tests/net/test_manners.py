"""The client and the hosts it asks: robots.txt, turns, breaker, retries (DIS-11, P095, J13)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import anyio
import httpcore
import pytest
from anyio.abc import SocketStream

from jobsteward.kernel.errors import (
    FetchTimeoutError,
    HostCapError,
    HostCoolingError,
    RobotsClosedError,
    SourceUnavailableError,
    TransientNetworkError,
    UrlBlockedError,
)
from jobsteward.net import Manners, MemoryHostRecords, Outbound, Pace
from jobsteward.net.manners import AT_ONCE, LONGEST_WAIT
from tests.support.raw_http import raw_server, reply

pytestmark = pytest.mark.anyio
HOST = "acme.example"
OTHER = "jobs.other.example"
URL = f"http://{HOST}/jobs"
PUBLIC = "93.184.215.14"


class Clock:
    """A day whose time passes only by sleeping."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 12, tzinfo=UTC)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.pass_by(seconds)
        await anyio.lowlevel.checkpoint()

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def manners(self, records: MemoryHostRecords | None = None, **paces: Pace) -> Manners:
        named = {name.replace("_", "."): pace for name, pace in paces.items()}
        return Manners(
            records or MemoryHostRecords(), paces=named, now=lambda: self.now, sleep=self.sleep
        )


class Site:
    """Answers paths in turn, the last one for good; remembers what was asked."""

    def __init__(self, answers: Mapping[str, Sequence[bytes]]) -> None:
        self.answers = {path: list(replies) for path, replies in answers.items()}
        self.asked: list[str] = []

    async def serve(self, stream: SocketStream, head: bytes) -> None:
        path = head.split(b" ", 2)[1].decode()
        self.asked.append(path)
        replies = self.answers.get(path, [reply(status=404)])
        answer = replies.pop(0) if len(replies) > 1 else replies[0]
        await stream.send(answer.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))

    @asynccontextmanager
    async def outbound(self, manners: Manners) -> AsyncIterator[Outbound]:
        async with raw_server(self.serve) as origin:
            origins = {HOST: origin, OTHER: origin}
            async with Outbound(origin_map=origins, manners=manners) as outbound:
                with anyio.fail_after(20):
                    yield outbound


def site(*replies: bytes, robots: bytes | None = None) -> Site:
    answers = {"/jobs": replies}
    return Site(answers if robots is None else answers | {"/robots.txt": [reply(robots)]})


async def test_robots_txt_is_read_first_and_kept_to() -> None:
    server = site(reply(b"list"), robots=b"User-agent: *\nDisallow: /private\n")
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).body == b"list"
        with pytest.raises(RobotsClosedError):
            await outbound.fetch(f"http://{HOST}/private/1")
        with pytest.raises(RobotsClosedError):
            await outbound.fetch(f"http://{HOST}/private/1", body=b"{}")
    assert server.asked == ["/robots.txt", "/jobs"]


async def test_a_redirect_is_held_against_the_robots_txt_of_where_it_leads() -> None:
    away = reply(status=302, location=f"http://{OTHER}/private")
    server = site(away, robots=b"User-agent: *\nDisallow: /private\n")
    async with server.outbound(Clock().manners()) as outbound:
        with pytest.raises(RobotsClosedError):
            await outbound.fetch(URL)
    assert server.asked == ["/robots.txt", "/jobs", "/robots.txt"]


async def test_robots_txt_goes_through_the_same_checks_as_a_page() -> None:
    inside = reply(status=302, location="http://127.0.0.1:1/robots.txt")
    server = Site({"/robots.txt": [inside], "/jobs": [reply(b"list")]})
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).status == 200

    async def private(host: str, port: int) -> Sequence[str]:
        return ["10.0.0.7"]

    dial = httpcore.AsyncMockBackend([reply(b"inside")])
    async with Outbound(resolver=private, dial=dial, manners=Clock().manners()) as outbound:
        with pytest.raises(UrlBlockedError):
            await outbound.fetch(URL)


async def test_requests_to_one_host_are_paced_and_the_wait_costs_no_deadline() -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return [PUBLIC]

    clock = Clock()
    manners = clock.manners(acme_example=Pace(gap=20.0, burst=2))
    dial = httpcore.AsyncMockBackend([reply(b"list", connection="close")])
    async with Outbound(resolver=resolve, dial=dial, manners=manners) as outbound:
        for _ in range(3):
            assert (await outbound.fetch(URL, deadline=5.0)).status == 200
    # robots.txt and the first page were the burst
    assert clock.slept == [20.0, 20.0]


async def test_a_turn_more_than_a_minute_away_is_not_waited_for() -> None:
    clock = Clock()
    manners = clock.manners()
    pace = Pace(gap=LONGEST_WAIT + 1, burst=1)
    async with manners.visit(HOST, pace):
        pass
    with pytest.raises(SourceUnavailableError):
        async with manners.visit(HOST, pace):
            raise AssertionError
    assert clock.slept == []


async def test_p095_pace_cap_and_breaker_outlive_the_process() -> None:
    records, clock = MemoryHostRecords(), Clock()
    pace = Pace(gap=10.0, burst=1, daily=2)
    for _ in range(2):
        async with clock.manners(records).visit(HOST, pace):
            pass
    assert clock.slept == [10.0]
    with pytest.raises(HostCapError):
        async with clock.manners(records).visit(HOST, pace):
            raise AssertionError
    server = site(reply(status=999))
    for expected in (999, HostCoolingError):
        async with server.outbound(clock.manners(records)) as outbound:
            if expected == 999:
                assert (await outbound.fetch(f"http://{OTHER}/jobs")).status == 999
                continue
            with pytest.raises(HostCoolingError):
                await outbound.fetch(f"http://{OTHER}/jobs")
    assert server.asked == ["/robots.txt", "/jobs"]


async def test_a_slow_host_gets_a_few_connections_only() -> None:
    manners, release = Clock().manners(), anyio.Event()
    inside = 0

    async def linger() -> None:
        nonlocal inside
        async with manners.visit(HOST, Pace(gap=0.0)):
            inside += 1
            await release.wait()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            for _ in range(AT_ONCE + 3):
                tasks.start_soon(linger)
            await anyio.wait_all_tasks_blocked()
            assert inside == AT_ONCE
            async with manners.visit(OTHER, Pace(gap=0.0)):
                release.set()
    assert inside == AT_ONCE + 3


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_j13_a_server_error_is_tried_again(status: int) -> None:
    server, clock = site(reply(status=status), reply(status=status), reply(b"list")), Clock()
    async with server.outbound(clock.manners()) as outbound:
        assert (await outbound.fetch(URL)).body == b"list"
    assert clock.slept == [0.5, 1.0]


async def test_j13_a_server_error_that_stays_is_given_to_the_caller() -> None:
    server = site(reply(status=503))
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).status == 503
    assert server.asked.count("/jobs") == 3


async def test_j13_a_broken_connection_is_tried_again() -> None:
    server = site(b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", reply(b"list"))
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).body == b"list"
    server = site(b"")
    async with server.outbound(Clock().manners()) as outbound:
        with pytest.raises(TransientNetworkError):
            await outbound.fetch(URL)
    assert server.asked.count("/jobs") == 3


@pytest.mark.parametrize("status", [200, 304, 401, 404, 410, 501])
async def test_what_will_not_pass_is_not_tried_again(status: int) -> None:
    server = site(reply(status=status))
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).status == status
    assert server.asked.count("/jobs") == 1


async def test_a_deadline_is_not_spent_twice() -> None:
    """S09: a host that stalls is not asked again within the same fetch."""
    asked = 0

    async def stall(stream: SocketStream, head: bytes) -> None:
        nonlocal asked
        if b"/robots.txt" in head:
            await stream.send(reply(status=404, connection="close"))
            return
        asked += 1
        await anyio.sleep_forever()

    async with (
        raw_server(stall) as origin,
        Outbound(origin_map={HOST: origin}, manners=Clock().manners()) as outbound,
    ):
        with anyio.fail_after(10), pytest.raises(FetchTimeoutError):
            await outbound.fetch(URL, deadline=0.3)
    assert asked == 1


async def test_err3_a_short_retry_after_is_waited_for() -> None:
    server, clock = site(reply(status=429, retry_after="7"), reply(b"list")), Clock()
    async with server.outbound(clock.manners()) as outbound:
        assert (await outbound.fetch(URL)).body == b"list"
    assert sum(clock.slept) == 7.0


async def test_err3_j13_a_long_retry_after_is_never_slept() -> None:
    server, clock = site(reply(status=429, retry_after="86400"), reply(b"list")), Clock()
    async with server.outbound(clock.manners()) as outbound:
        assert (await outbound.fetch(URL)).status == 429
        with pytest.raises(HostCoolingError) as caught:
            await outbound.fetch(URL)
        assert "12:05 UTC" in caught.value.message
        assert clock.slept == []
        clock.pass_by(300.0)
        assert (await outbound.fetch(URL)).body == b"list"


async def test_a_host_that_keeps_refusing_shows_its_refusal() -> None:
    server = site(reply(status=429, retry_after="1"))
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).status == 429
        with pytest.raises(HostCoolingError):
            await outbound.fetch(URL)
    assert server.asked.count("/jobs") == 2


async def test_one_hosts_breaker_is_no_other_hosts() -> None:
    server = Site({"/jobs": [reply(status=429)], "/open": [reply(b"list")]})
    async with server.outbound(Clock().manners()) as outbound:
        assert (await outbound.fetch(URL)).status == 429
        assert (await outbound.fetch(f"http://{OTHER}/open")).body == b"list"


async def test_a_forbidden_robots_txt_counts_as_no_refusal() -> None:
    server = Site({"/robots.txt": [reply(status=403)], "/jobs": [reply(b"list")]})
    records = MemoryHostRecords()
    for _ in range(4):
        async with server.outbound(Clock().manners(records)) as outbound:
            assert (await outbound.fetch(URL)).body == b"list"
    assert records.states[HOST].refusals == 0


async def test_a_good_answer_after_the_pause_closes_the_breaker() -> None:
    server, clock = site(reply(status=429), reply(b"list")), Clock()
    records = MemoryHostRecords()
    async with server.outbound(clock.manners(records)) as outbound:
        await outbound.fetch(URL)
        clock.pass_by(301.0)
        await outbound.fetch(URL)
        assert not records.states[HOST].troubled
        assert (await outbound.fetch(URL)).body == b"list"
