"""Rows as a table of plain text."""

from collections.abc import Sequence

_WIDEST = 34


def table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of aligned columns under their titles; long cells are shortened."""
    cells = [[_short(cell) for cell in row] for row in (titles, *rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(titles))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    rule = "  ".join("-" * width for width in widths)
    return [lines[0], rule, *lines[1:]]


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
