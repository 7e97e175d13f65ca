"""Answers of boards in the shapes of their providers, with invented employers.

Every source in the registry has its `Shape` here, but for the one that reads any page; the
suite in test_sources.py reads them.
"""

from typing import Any

from jobsteward.discover.model import Posting, PostingKey
from tests.discover.boards import feeds, single_answer, with_details
from tests.discover.boards.feeds import FEEDS
from tests.discover.boards.shapes import Shape
from tests.discover.boards.single_answer import ashby_item, greenhouse_item, lever_item

SHAPES: dict[str, Shape] = single_answer.SHAPES | with_details.SHAPES | feeds.SHAPES
ITEMS = {"greenhouse": greenhouse_item, "lever": lever_item, "ashby": ashby_item}
BOARDS = {name: shape.board for name, shape in SHAPES.items()}

__all__ = [
    "BOARDS",
    "FEEDS",
    "ITEMS",
    "SHAPES",
    "Shape",
    "answer",
    "ashby_item",
    "greenhouse_item",
    "lever_item",
    "posting",
]


def answer(provider: str, items: list[Any]) -> Any:
    """The JSON value of a provider's list answer."""
    return SHAPES[provider].wrap(items)


def posting(number: int, **changes: Any) -> Posting:
    """An invented posting; equal numbers are the same job."""
    fields: dict[str, Any] = {
        "key": PostingKey("lever", "acme", f"p{number}"),
        "url": f"https://jobs.lever.co/acme/p{number}",
        "apply_url": f"https://jobs.lever.co/acme/p{number}/apply",
        "title": f"Engineer {number}",
        "company": "Acme",
        "locations": ("Berlin",),
        "description": f"Text {number}",
    }
    return Posting(**fields | changes)
