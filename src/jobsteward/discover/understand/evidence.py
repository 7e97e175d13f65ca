"""Where a value was read: the field and the exact span, and text in a form to match on."""

from dataclasses import dataclass

from jobsteward.kernel.folding import fold

__all__ = ["Span", "fold", "span_of", "whole"]


@dataclass(frozen=True, slots=True)
class Span:
    """A part of one field: ``text`` is exactly ``field[start:end]``.

    ``field`` is ``title``, ``description``, ``workplace``, ``employment_type``,
    ``posted_at``, or ``locations.N`` and ``pay.N`` for the Nth entry, from 0.
    """

    field: str
    start: int
    end: int
    text: str


def span_of(field: str, text: str, start: int, end: int) -> Span:
    """The span of ``text[start:end]``, without blanks at its ends."""
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return Span(field, start, start + len(part.strip()), part.strip())


def whole(field: str, text: str) -> Span:
    """The span of a field's whole text."""
    return span_of(field, text, 0, len(text))
