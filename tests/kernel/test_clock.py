"""Timestamps sort as text, in every database, as they do in time."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from jobsteward.kernel.clock import parse_timestamp, timestamp, utc_now

_MOMENTS = st.datetimes(
    min_value=datetime(1970, 1, 2),
    max_value=datetime(9990, 1, 1),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=14)), timezone(-timedelta(hours=9))]),
)


@given(_MOMENTS, _MOMENTS)
def test_text_order_is_time_order(left: datetime, right: datetime) -> None:
    """Fixed width in UTC, whatever zone the moment came in."""
    assert (timestamp(left) < timestamp(right)) == (left < right)


@given(_MOMENTS)
def test_the_written_moment_reads_back(moment: datetime) -> None:
    """Nothing is lost down to the microsecond."""
    assert parse_timestamp(timestamp(moment)) == moment


def test_now_is_aware() -> None:
    """The clock speaks UTC."""
    assert utc_now().utcoffset() == timedelta(0)
