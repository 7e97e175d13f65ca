"""The time now and the one way timestamps are written."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    """The current instant, timezone-aware in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC with microseconds, e.g. ``2026-01-31T09:30:00.000000Z``.

    Fixed width, so that text order is time order in every database.
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_timestamp(text: str) -> datetime:
    """The instant that `timestamp` wrote."""
    return datetime.fromisoformat(text)
