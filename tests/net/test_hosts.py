"""When a host may be asked: pace, daily cap, breaker, Retry-After (DIS-11, ERR-3, P095, J13)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobsteward.net import Fetched, HostState, Pace
from jobsteward.net.hosts import (
    FIRST_COOLING,
    LONGEST_COOLING,
    PROBE_LEASE,
    Turn,
    Verdict,
    ask,
    note,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
PACE = Pace(gap=2.0, burst=3, daily=None)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def answer(status: int, **headers: str) -> Fetched:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fetched(status, "https://acme.example/", named, b"")


def told(state: HostState, *statuses: int, at: float = 0.0) -> HostState:
    for status in statuses:
        state = note(state, answer(status), after(at))
    return state


def test_a_burst_goes_at_once_and_then_one_each_gap() -> None:
    state, verdicts = HostState(), []
    for _ in range(4):
        turn, state = ask(state, PACE, NOON)
        verdicts.append(turn)
    assert verdicts == [Turn(Verdict.GO)] * 3 + [Turn(Verdict.PACED, 2.0)]
    assert ask(state, PACE, after(1.9))[0].verdict is Verdict.PACED
    turn, state = ask(state, PACE, after(2.0))
    assert turn.verdict is Verdict.GO
    assert ask(state, PACE, after(2.0))[0] == Turn(Verdict.PACED, 2.0)


@given(st.lists(st.floats(0.0, 5.0), max_size=60))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_pattern_of_asking_beats_the_pace(pauses: list[float]) -> None:
    state, now, went = HostState(), 0.0, []
    for pause in pauses:
        now += pause
        turn, state = ask(state, PACE, after(now))
        if turn.verdict is Verdict.GO:
            went.append(now)
    for first, start in enumerate(went):
        count = sum(1 for moment in went[first:] if moment < start + 10.0)
        assert count <= PACE.burst + 10.0 / PACE.gap


def test_a_crawl_delay_slows_and_never_hurries() -> None:
    assert PACE.slowed(10.0) == Pace(gap=10.0, burst=1, daily=None)
    assert PACE.slowed(1.0) == PACE and PACE.slowed(None) == PACE
    state = ask(HostState(), PACE.slowed(10.0), NOON)[1]
    assert ask(state, PACE.slowed(10.0), NOON)[0] == Turn(Verdict.PACED, 10.0)


def test_p095_the_requests_of_a_day_are_capped_until_midnight() -> None:
    pace = Pace(gap=0.0, daily=2)
    state = HostState()
    for _ in range(2):
        turn, state = ask(state, pace, NOON)
        assert turn.verdict is Verdict.GO
    assert ask(state, pace, NOON)[0] == Turn(Verdict.CAPPED, 12 * 3600.0)
    assert ask(state, pace, after(12 * 3600.0))[0].verdict is Verdict.GO


@pytest.mark.parametrize(
    "refusal", [answer(429), answer(999), answer(403, cf_mitigated="challenge"),
                answer(503, cf_mitigated="challenge")],
)  # fmt: skip
def test_p095_one_clear_refusal_opens_the_breaker(refusal: Fetched) -> None:
    state = note(HostState(), refusal, NOON)
    assert ask(state, PACE, after(1.0))[0] == Turn(Verdict.COOLING, FIRST_COOLING - 1.0)


def test_p095_a_few_403_are_borne_and_the_third_in_a_row_is_not() -> None:
    state = told(HostState(), 403, 403)
    assert ask(state, PACE, NOON)[0] == Turn(Verdict.GO, troubled=True)
    assert ask(told(state, 200, 403, 403), PACE, NOON)[0].verdict is Verdict.GO
    assert ask(told(state, 403), PACE, NOON)[0].verdict is Verdict.COOLING


def test_cooldowns_double_up_to_six_hours_and_a_good_answer_ends_them() -> None:
    state, now, lengths = HostState(), 0.0, []
    for _ in range(12):
        state = note(state, answer(429), after(now))
        wait = ask(state, PACE, after(now))[0].wait
        lengths.append(wait)
        now += wait
    assert lengths[:3] == [FIRST_COOLING, 2 * FIRST_COOLING, 4 * FIRST_COOLING]
    assert lengths[-1] == LONGEST_COOLING
    good = told(state, 200, at=now)
    assert not good.troubled and ask(good, PACE, after(now))[0].verdict is Verdict.GO


def test_answers_already_under_way_do_not_lengthen_the_pause() -> None:
    state = told(HostState(), 429, 429, 429, 429)
    assert state.strikes == 1


def test_after_a_pause_one_request_tries_first() -> None:
    state = told(HostState(), 429)
    over = FIRST_COOLING
    turn, state = ask(state, PACE, after(over))
    assert turn == Turn(Verdict.GO, troubled=True)
    assert ask(state, PACE, after(over + 1.0))[0] == Turn(Verdict.COOLING, PROBE_LEASE - 1.0)
    # Its process died, and with it the answer: the next one may try.
    assert ask(state, PACE, after(over + PROBE_LEASE))[0].verdict is Verdict.GO
    assert ask(told(state, 200, at=over), PACE, after(over))[0].verdict is Verdict.GO
    again = told(state, 403, at=over)
    assert ask(again, PACE, after(over))[0] == Turn(Verdict.COOLING, 2 * FIRST_COOLING)


@pytest.mark.parametrize(("said", "kept"), [("30", 30.0), ("86400", 300.0), ("0", 1.0)])
def test_err3_a_pause_that_the_host_names_is_kept_up_to_our_cap(said: str, kept: float) -> None:
    state = note(HostState(), answer(429, retry_after=said), NOON)
    assert ask(state, PACE, NOON)[0].wait == kept


def test_a_second_refusal_makes_the_pause_long_whatever_the_host_names() -> None:
    state = note(HostState(), answer(429, retry_after="1"), NOON)
    state = note(state, answer(429, retry_after="1"), after(2.0))
    assert ask(state, PACE, after(2.0))[0].wait == 2 * FIRST_COOLING


def test_j13_a_busy_host_is_left_alone_as_long_as_it_says_within_our_cap() -> None:
    state = note(HostState(), answer(503, retry_after="86400"), NOON)
    assert ask(state, PACE, NOON)[0] == Turn(Verdict.RESTING, 300.0)
    assert told(HostState(), 500, 502, 503, 504) == HostState()


def test_a_clock_that_was_set_back_blocks_no_host_for_long() -> None:
    state = HostState()
    for _ in range(3):
        state = ask(state, PACE, NOON)[1]
    state = told(state, 429)
    yesterday = NOON - timedelta(days=400)
    assert ask(state, PACE, yesterday)[0].wait <= LONGEST_COOLING
    assert ask(told(state, 200), PACE, yesterday)[0].wait <= PACE.gap * PACE.burst


EVENTS = st.tuples(
    st.floats(0.0, 4000.0),
    st.sampled_from([200, 403, 404, 429, 503, 999]),
    st.sampled_from(["", "0", "7", "99999999", "soon"]),
)


@given(st.lists(EVENTS, max_size=40))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_history_closes_a_host_for_ever(history: list[tuple[float, int, str]]) -> None:
    state, now = HostState(), 0.0
    for pause, status, said in history:
        now += pause
        turn, state = ask(state, PACE, after(now))
        assert 0.0 <= turn.wait <= LONGEST_COOLING
        if turn.verdict is Verdict.GO:
            state = note(state, answer(status, retry_after=said), after(now))
    assert ask(state, PACE, after(now + LONGEST_COOLING + PROBE_LEASE))[0].verdict is Verdict.GO
